// Limits and lists of the contract that the add-on needs while it runs. The schemas in api/ are made with them.

/** The most keys that one lookup takes. */
export const maxLookupKeys = 1000;

/** The most fields that one lookup names. */
export const maxFields = 100;

/** The most characters of a field's path. */
export const maxFieldPathLength = 200;

/** The longest that a caller can wait for a lookup, a search or a preview, in milliseconds; a lookup's default. */
export const maxWaitMs = 25_000;

/** The most pages of a preview that one call brings. */
export const maxPreviewPages = 5;

/** Credits of one click above which the sidebar asks once more, where the admin has set nothing else. */
export const defaultConfirmAboveCredits = 1000;

/** The most characters of a saved search's name. */
export const maxSearchNameLength = 100;

/** The most characters of a run's title. */
export const maxRunTitleLength = 200;

/** The most characters of a table's title, and of a heading. */
export const maxTableTitleLength = 200;

/** The most records that one data request can bring (contract, "Credits and limits"). */
export const maxRequestRecords = 10_000;

/** How often a table can be refreshed. */
export const intervals = ['hour', 'day', 'week'] as const;

/** The most runs that a month can have of each interval. */
export const maxRunsPerMonth: Readonly<Record<(typeof intervals)[number], number>> = {
  hour: 744,
  day: 31,
  week: 5,
};

/**
 * What a team can be alerted to. `failure`: a data request, a schedule or a push has failed. `change`: a schedule brought
 * rows, or a data request is ready. `budget`: 80 and 100 % of the day's or the month's budget are spent.
 */
export const alertKinds = ['failure', 'change', 'budget'] as const;

/** The sidebar's tabs. */
export const sidebarTabs = ['search', 'enrich', 'bulk', 'tables', 'activity'] as const;
