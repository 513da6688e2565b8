// Numeric sheet ids for scripts; an id does not change when the sheet moves.
import type { Workbook } from '@univerjs/core';

/** Univer's id of a sheet and its numeric id. */
export type SheetNumber = readonly [sheetId: string, number: number];

const sheetNumbers = new Map<string, number>();

/** Lists the assigned ids, also of deleted sheets: an id is never used again. */
export function listSheetNumbers(): SheetNumber[] {
  return [...sheetNumbers];
}

/** Returns a sheet's id, assigning the next one if needed. */
export function getSheetNumber(sheetId: string): number {
  const existing = sheetNumbers.get(sheetId);
  if (existing !== undefined) return existing;
  const next = 1 + Math.max(0, ...sheetNumbers.values());
  sheetNumbers.set(sheetId, next);
  return next;
}

/** Assigns the id that a script has already used for a sheet. */
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
