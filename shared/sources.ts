// Where a purchase comes from, for the report of credits by source.

/** Header of the add-on's calls: a {@link CallSource}. Calls without it, or with another value, count as `other`. */
export const sourceHeader = 'X-CDAPI-Source';

/** Header of the add-on's calls: id of the spreadsheet. Reports name it for connections that several people may use. */
export const spreadsheetHeader = 'X-CDAPI-Spreadsheet';

/** Header of the sidebar's call for the account: name of the spreadsheet, percent-encoded. */
export const spreadsheetNameHeader = 'X-CDAPI-Spreadsheet-Name';

/**
 * `table`: a search, an enrichment, full records or a refresh from the sidebar. `sample`: sample rows of a search, which
 * count as `table`, but not as reused.
 */
export const callSources = ['formula', 'table', 'sample'] as const;
export type CallSource = (typeof callSources)[number];

/**
 * Sources that the gateway records with a purchase. `schedule`: a scheduled refresh, or a column that is kept filled.
 * `assistant`: a tool of `/mcp`.
 */
export const recordedSources = ['formula', 'table', 'schedule', 'assistant'] as const;
export type RecordedSource = (typeof recordedSources)[number];

/** Sources in the report. `bulk`: bulk orders, also scheduled ones. `other`: programs. */
export const reportedSources = ['formula', 'table', 'schedule', 'assistant', 'bulk', 'other'] as const;
export type ReportedSource = (typeof reportedSources)[number];

/** Names of the sources in user interfaces. */
export const sourceLabels: Readonly<Record<ReportedSource, string>> = {
  formula: 'Formulas',
  table: 'Runs',
  bulk: 'Bulk orders',
  schedule: 'Schedules and filling',
  assistant: 'Assistants',
  other: 'Other',
};
