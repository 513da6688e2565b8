// Limits of Google Sheets.

/** Maximum number of characters in a cell. */
export const maxCellLength = 50_000;
