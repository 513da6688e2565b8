// Numeric sheet ids for scripts; an id does not change when the sheet moves.
import type { Workbook } from '@univerjs/core';

const sheetNumbers = new Map<string, number>();

/** Returns a sheet's id, assigning the next one if needed. */
export function getSheetNumber(sheetId: string): number {
  const existing = sheetNumbers.get(sheetId);
  if (existing !== undefined) return existing;
  const next = 1 + Math.max(0, ...sheetNumbers.values());
  sheetNumbers.set(sheetId, next);
  return next;
}

/** Assigns the id that a script has already used for a new sheet. */
export function setSheetNumber(sheetId: string, number: number): void {
  sheetNumbers.set(sheetId, number);
}

/**
 * Finds a sheet by its numeric id.
 * @returns Univer's id; undefined if the sheet was deleted
 */
export function findSheetId(workbook: Workbook, number: number): string | undefined {
  return workbook
    .getSheets()
    .map((sheet) => sheet.getSheetId())
    .find((id) => sheetNumbers.get(id) === number);
}
