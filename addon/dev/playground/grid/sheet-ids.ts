// Numeric sheet ids for scripts; an id does not change when the sheet moves.
import type { Workbook } from '@univerjs/core';

const numbers = new Map<string, number>();

/** Returns a sheet's id, assigning the next one if needed. */
export function numberOf(sheetId: string): number {
  const known = numbers.get(sheetId);
  if (known !== undefined) return known;
  const next = 1 + Math.max(0, ...numbers.values());
  numbers.set(sheetId, next);
  return next;
}

/** Assigns the id that a script has already used for a new sheet. */
export function setNumber(sheetId: string, number: number): void {
  numbers.set(sheetId, number);
}

/**
 * Finds a sheet by its numeric id.
 * @returns Univer's id; undefined if the sheet was deleted
 */
export function sheetOf(workbook: Workbook, number: number): string | undefined {
  return workbook
    .getSheets()
    .map((sheet) => sheet.getSheetId())
    .find((id) => numbers.get(id) === number);
}
