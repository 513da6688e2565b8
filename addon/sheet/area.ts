// Blocks of cells, by their numbers and in A1 notation.

/** A block of a sheet; rows and columns are counted from 1. */
export interface Area {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

export type Sheet = GoogleAppsScript.Spreadsheet.Sheet;
export type Range = GoogleAppsScript.Spreadsheet.Range;

/** The letters of a column: 1 → A, 27 → AA. */
export function toColumnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** The A1 notation of a block. */
export function toA1({ row, column, rows, columns }: Area): string {
  const from = `${toColumnLetters(column)}${row}`;
  return rows === 1 && columns === 1
    ? from
    : `${from}:${toColumnLetters(column + columns - 1)}${row + rows - 1}`;
}

/** The range of a block. */
export function getRange(sheet: Sheet, { row, column, rows, columns }: Area): Range {
  return sheet.getRange(row, column, rows, columns);
}

/** The block that a range covers. */
export function toArea(range: Range): Area {
  return {
    row: range.getRow(),
    column: range.getColumn(),
    rows: range.getNumRows(),
    columns: range.getNumColumns(),
  };
}

/**
 * Joins numbers that follow each other.
 * @param numbers - in rising order
 * @returns the first of each stretch, and how many
 */
export function groupConsecutive(numbers: readonly number[]): { from: number; count: number }[] {
  const groups: { from: number; count: number }[] = [];
  for (const number of numbers) {
    const last = groups[groups.length - 1];
    if (last !== undefined && last.from + last.count === number) last.count += 1;
    else groups.push({ from: number, count: 1 });
  }
  return groups;
}

/** The sheet with this id; undefined where it was deleted. */
export function findSheet(id: number): Sheet | undefined {
  return SpreadsheetApp.getActiveSpreadsheet()
    .getSheets()
    .find((sheet) => sheet.getSheetId() === id);
}
