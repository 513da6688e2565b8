// Industries that forms suggest. Fields accept other words too, so typed text is never replaced by them.

const TABLE =
  'Accounting;Advertising Services;Banking;Business Consulting and Services;Construction;Financial Services;Hospitality;Hospitals and Health Care;Insurance;IT Services and IT Consulting;Motor Vehicle Manufacturing;Pharmaceutical Manufacturing;Real Estate;Renewable Energy Power Generation;Retail;Software Development;Staffing and Recruiting;Telecommunications;Transportation, Logistics, Supply Chain and Storage';

/** Industries in the alphabetical order of their names. */
export const industries: readonly string[] = /* @__PURE__ */ TABLE.split(';');
