// Adjacent lookups: columns beside a table that were looked up for its rows, and are cleared with them.
import type { Overwrite } from '../../server/api/index.ts';
import { blankEntry } from '../../sheet/entries.ts';
import { t } from '../../texts/texts.ts';
import { type BodyCells, listTablesIn, locateTables, type TableLocation } from '../locate.ts';
import { readLookupBody } from '../lookup/rows.ts';
import { saveFingerprints, type TableRecord } from '../registry.ts';
import { findManualChanges } from './overwrite.ts';
import { writeRows } from './write-rows.ts';

/** Looked-up columns beside a table. */
export interface AdjacentLookup {
  table: TableRecord;
  location: TableLocation;
  body: BodyCells;
  /** Column indexes in `table` without the key, which belongs to the other table. */
  at: number[];
}

/**
 * Finds columns that were looked up by a column of a table. Frozen ones are left out.
 * @param id - of the table
 */
export function findAdjacentLookups(id: string, location: TableLocation): AdjacentLookup[] {
  const sheetId = location.sheet.getSheetId();
  const tables = listTablesIn(sheetId);
  const { places } = locateTables(tables, sheetId);
  return tables.flatMap((table): AdjacentLookup[] => {
    const place = places.get(table.id);
    const [key] = place?.columns ?? [];
    if (table.id === id || table.frozen || table.columns[0]?.role !== 'key') return [];
    if (place === undefined || place.row !== location.row) return [];
    if (key === undefined || !location.columns.includes(key)) return [];
    const at = place.columns.flatMap((column, index) => (index === 0 || column === undefined ? [] : index));
    return [{ table, location: place, body: readLookupBody(table, place), at }];
  });
}

/** Warns about columns that are cleared when the rows beside them are replaced. */
export function warnAboutCleared(beside: readonly AdjacentLookup[]): string[] {
  const headings = beside.flatMap(({ table, at }) =>
    at.map((column) => `“${table.columns[column]?.heading}”`),
  );
  if (headings.length === 0) return [];
  const list = { headings: headings.join(', ') };
  const cleared =
    headings.length === 1
      ? t('{headings} was looked up for the replaced rows and will be cleared.', list)
      : t('{headings} were looked up for the replaced rows and will be cleared.', list);
  return [`${cleared} ${t('Look them up again under Enrich: records your team already bought are free.')}`];
}

export function findAdjacentChanges(beside: readonly AdjacentLookup[]): Overwrite[] {
  return beside.flatMap(
    ({ table, location, body, at }) => findManualChanges(table, location, body, at) ?? [],
  );
}

/** Clears adjacent columns before the rows beside them are replaced. */
export function clearAdjacentLookups(runId: string, beside: readonly AdjacentLookup[]): void {
  for (const { table, location, body, at } of beside) {
    const entries = table.columns.map((_, column) => (at.includes(column) ? blankEntry : undefined));
    const notes = table.provenance === 'notes' ? entries.map(() => '') : undefined;
    writeRows(
      runId,
      location,
      body.values.map((_, down) => ({ row: body.area.row + down, entries, notes })),
    );
    saveFingerprints(table.id, '');
  }
}
