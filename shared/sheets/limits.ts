// What Google Sheets itself allows.

/** The most characters that a cell holds. */
export const maxCellLength = 50_000;
