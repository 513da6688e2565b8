// A tracked table together with its location.

import { toA1 } from '../../shared/table/columns.ts';
import type { Loss } from '../../shared/table/locate.ts';
import { type AddonError, createError } from '../lib/addon-error.ts';
import type { Sheet } from '../sheet/area.ts';
import { t, translate } from '../texts/texts.ts';
import { clearMarkCache, locateTables, type TableLocation } from './locate.ts';
import { findTable, listTables, saveTable, type TableRecord } from './registry.ts';

export interface LocatedTable {
  table: TableRecord;
  location: TableLocation;
}

const NO_LOSS: Loss = { detail: '', fix: '' };

const createUntrackedError = (): AddonError => createError('gone', 'This table is no longer tracked here.');

/** Finds a tracked table. @throws AddonError `gone` */
export function requireTracked(id: string): TableRecord {
  const table = findTable(id);
  if (table === undefined) throw createUntrackedError();
  return table;
}

export const formatLoss = ({ detail, fix }: Loss = NO_LOSS): string =>
  `${translate(detail)} ${translate(fix)}`.trim();

/**
 * Locates a tracked table. `stored` is the record as it is stored.
 * @throws AddonError `gone` if it is not tracked, or was deleted
 */
export function requireTable(id: string): LocatedTable & { stored: TableRecord } {
  const tables = listTables();
  const stored = tables.find((table) => table.id === id);
  if (stored === undefined) throw createUntrackedError();
  const { sheetId } = stored.place;
  const inSheet = tables.filter(({ place }) => place.sheetId === sheetId);
  const { places, losses } = locateTables(inSheet, sheetId);
  const location = places.get(id);
  if (location === undefined)
    throw createError('gone', '“{title}” can’t be used. {loss}', {
      title: stored.title,
      loss: formatLoss(losses.get(id)),
    });
  return { stored, table: withPlace(stored, location), location };
}

/** Returns the table with the current name of its sheet and the current headings. */
export function withPlace(table: TableRecord, { sheet, headings }: TableLocation): TableRecord {
  const columns = table.columns.map((column, at) => ({ ...column, heading: headings[at] ?? column.heading }));
  return { ...table, columns, place: { ...table.place, sheet: sheet.getName() } };
}

/**
 * Locates a table again after other changes of the sheet, and saves its headings.
 * @throws AddonError `gone` as {@link requireTable}
 */
export function relocateTable(id: string): LocatedTable {
  SpreadsheetApp.flush();
  clearMarkCache();
  const { stored, ...located } = requireTable(id);
  if (JSON.stringify(located.table) !== JSON.stringify(stored)) saveTable(located.table);
  return located;
}

export const createPlace = (sheet: Sheet): TableRecord['place'] => ({
  spreadsheetId: SpreadsheetApp.getActiveSpreadsheet().getId(),
  sheetId: sheet.getSheetId(),
  sheet: sheet.getName(),
});

export const warnAboutDeleted = ({ columns }: TableRecord, location: TableLocation): string[] =>
  columns.flatMap(({ heading }, at) =>
    location.columns[at] === undefined
      ? [t('The column “{heading}” was deleted: its values are left out.', { heading })]
      : [],
  );

/** Formats the range of a table's headings and the rows below them in A1 notation. */
export function getTableRange(location: TableLocation, rows = 0): string {
  const columns = location.columns.flatMap((column) => column ?? []);
  const column = Math.min(...columns);
  return toA1({ row: location.row, column, rows: rows + 1, columns: Math.max(...columns) - column + 1 });
}
