// Limits of a single formula.

/** Maximum number of ids that CDAPI_SEARCH returns. */
export const maxSearchIds = 10_000;

/** Default number of ids that CDAPI_SEARCH returns. */
export const defaultSearchIds = 100;

/** Milliseconds after which a formula returns its partial result. Apps Script allows 30 seconds. */
export const formulaWaitMs = 24_000;

/** Milliseconds after which a formula skips optional work, such as writing caches. */
export const formulaLateMs = 26_000;
