// Limits of Google Sheets.

/** Maximum number of characters in a cell. */
export const maxCellLength = 50_000;

/** Maximum number of cells in a spreadsheet: https://support.google.com/drive/answer/37603. */
export const maxCells = 10_000_000;
