// Industries that forms suggest. Fields accept other words too, so typed text is never replaced by them.

const TABLE =
  'IT Services and IT Consulting;Software Development;Construction;Advertising Services;Business Consulting and Services;Financial Services;Real Estate;Retail;Hospitals and Health Care;Transportation, Logistics, Supply Chain and Storage;Food and Beverage Manufacturing;Industrial Machinery Manufacturing;Education Administration Programs;Hospitality;Restaurants;Renewable Energy Power Generation;Law Practice;Insurance;Telecommunications;Staffing and Recruiting;Motor Vehicle Manufacturing;Architecture and Planning;Computer and Network Security;Biotechnology Research;Pharmaceutical Manufacturing;Textile Manufacturing;Design Services;Technology, Information and Internet;Accounting;Banking;Non-profit Organizations;Wellness and Fitness Services;Professional Training and Coaching;Higher Education;Human Resources Services;Farming;Oil and Gas;Chemical Manufacturing;Government Administration';

/** Industries, those with most companies first. */
export const industries: readonly string[] = /* @__PURE__ */ TABLE.split(';');
