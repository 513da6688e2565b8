// Limits and lists of the API that the add-on needs at run time. The schemas in api/ use them too.

/** Maximum number of keys in a lookup. */
export const maxLookupKeys = 1000;

/** Maximum number of company names in a call, each of which takes several searches. */
export const maxMatchNames = 50;

export const maxCompanyNameLength = 200;

/** Maximum number of candidates for a name. */
export const maxMatchCandidates = 3;

/** Maximum number of fields in a lookup. */
export const maxFields = 100;

export const maxFieldPathLength = 200;

/** Maximum number of queries whose matches the sidebar counts in a call. */
export const maxCountQueries = 20;

/** Maximum and default deadline of a lookup, search or preview, in milliseconds. */
export const maxWaitMs = 25_000;

/** Maximum number of preview pages in a call. */
export const maxPreviewPages = 5;

/** Default threshold above which the sidebar asks to confirm a purchase, in credits. */
export const defaultConfirmAboveCredits = 1000;

/** Default number of credits that a formula without `max_credits` may spend before a person confirms its price. */
export const defaultFormulaMaxCredits = 500;

/** Maximum length of a sentence that becomes a search form. */
export const maxSentenceLength = 500;

/** Maximum length of a stored search. Google’s limit for a property is 9 KB. */
export const maxDraftLength = 4000;

/** Maximum length of a saved search's name. */
export const maxSearchNameLength = 100;

export const maxRunTitleLength = 200;

/** Maximum length of a table's title and of a heading. */
export const maxTableTitleLength = 200;

/** Maximum number of records in a data request (provider API, "Credits and limits"). */
export const maxRequestRecords = 10_000;

export const intervals = ['hour', 'day', 'week'] as const;

export const maxRunsPerMonth: Readonly<Record<(typeof intervals)[number], number>> = {
  hour: 744,
  day: 31,
  week: 5,
};

/**
 * Kinds of alert. `failure`: a data request, schedule or push failed. `change`: a schedule delivered rows, or a data
 * request is ready. `budget`: a share of the daily or monthly budget is spent.
 */
export const alertKinds = ['failure', 'change', 'budget', 'summary'] as const;

/** Default thresholds of budget alerts, in percent of the budget. */
export const defaultBudgetPercents: readonly number[] = [80, 100];

export const sidebarTabs = ['enrich', 'search', 'bulk', 'tables', 'activity'] as const;

/** Maximum number of dated copies of a table. */
export const maxSnapshots = 30;

/** Maximum number of ids that CDAPI_SEARCH returns. */
export const maxSearchIds = 10_000;

export const defaultSearchIds = 100;

/** Milliseconds after which a formula returns its partial result. Apps Script allows 30 seconds. */
export const formulaWaitMs = 24_000;

/** Milliseconds after which a formula skips optional work, such as writing caches. */
export const formulaLateMs = 26_000;
