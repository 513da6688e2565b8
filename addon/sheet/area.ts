// Areas of cells: numbers and ranges.

/** A cell; row and column start with 1. */
export interface CellPosition {
  row: number;
  column: number;
}

/** An area of a sheet. */
export interface Area extends CellPosition {
  rows: number;
  columns: number;
}

export type Sheet = GoogleAppsScript.Spreadsheet.Sheet;
export type Range = GoogleAppsScript.Spreadsheet.Range;

export function getRange(sheet: Sheet, { row, column, rows, columns }: Area): Range {
  return sheet.getRange(row, column, rows, columns);
}

export function toArea(range: Range): Area {
  return {
    row: range.getRow(),
    column: range.getColumn(),
    rows: range.getNumRows(),
    columns: range.getNumColumns(),
  };
}

/**
 * Groups consecutive numbers.
 * @param numbers - ascending
 * @returns the first number and the length of each group
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

/** Finds a sheet by id; undefined if it was deleted. */
export function findSheet(id: number): Sheet | undefined {
  return SpreadsheetApp.getActiveSpreadsheet()
    .getSheets()
    .find((sheet) => sheet.getSheetId() === id);
}

/**
 * Sets the widths of adjacent columns in pixels, one call for those of the same width.
 * @param from - the first column
 */
export function setColumnWidths(sheet: Sheet, from: number, widths: readonly number[]): void {
  let start = 0;
  for (let at = 1; at <= widths.length; at += 1) {
    const width = widths[start];
    if (width === undefined || widths[at] === width) continue;
    sheet.setColumnWidths(from + start, at - start, width);
    start = at;
  }
}
