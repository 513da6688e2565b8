// The numbers by which scripts know sheets: a sheet keeps its own, wherever it is moved.
import type { Workbook } from '@univerjs/core';

const numbers = new Map<string, number>();

/** The number of a sheet; it gets the next one where it has none yet. */
export function numberOf(sheetId: string): number {
  const known = numbers.get(sheetId);
  if (known !== undefined) return known;
  const next = 1 + Math.max(0, ...numbers.values());
  numbers.set(sheetId, next);
  return next;
}

/** Gives a new sheet the number by which a script knows it already. */
export function setNumber(sheetId: string, number: number): void {
  numbers.set(sheetId, number);
}

/**
 * The sheet of a number.
 * @returns its id; undefined where it is no longer in the workbook
 */
export function sheetOf(workbook: Workbook, number: number): string | undefined {
  return workbook
    .getSheets()
    .map((sheet) => sheet.getSheetId())
    .find((id) => numbers.get(id) === number);
}
