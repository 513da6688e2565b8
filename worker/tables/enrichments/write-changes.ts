// Writes the changed values of renewed records into a closed sheet, and lists them in the sheet "Changes" first.
import type { LookupRow } from '../../../shared/api/lookup.ts';
import { hashText } from '../../../shared/lib/hash.ts';
import { type CellValue, isSameValue, normalizeCell, type TableCell } from '../../../shared/table/cells.ts';
import { shortenUrl } from '../../../shared/table/columns.ts';
import type { CellHashes, EnrichmentRow } from '../../db/schema.ts';
import { applyWrites, type SheetRow } from '../push/apply-writes.ts';
import { appendChanges, type ChangesSource, type RowEvent } from '../reports/changes-sheet.ts';
import { ReportStore } from '../reports/store.ts';
import type { ClosedRun, Filling } from './fill.ts';
import { isOpen, type KeyRow, locate, readKeyRows } from './sheet-rows.ts';

/** Removes the differences that Sheets and the add-on make: rounding, line endings, short texts of links. */
function normalize(value: CellValue): string {
  const normal = normalizeCell(value);
  return typeof normal === 'string' ? shortenUrl(normal) : String(normal);
}

/**
 * Returns the hash of a cell.
 * @param salt - pseudonym of the key, so that equal cells of different records have different hashes
 */
const hashCell = (salt: string, value: CellValue): string =>
  hashText(`${salt} ${normalize(value)}`).toString(36);

/** Hashes the cells of a record. @param entries - one for each column */
export const hashEntries = (
  salt: string,
  columns: readonly { path: string }[],
  entries: readonly TableCell[],
): CellHashes =>
  Object.fromEntries(columns.map(({ path }, at) => [path, hashCell(salt, entries[at]?.value ?? '')]));

/** A record that was looked up again. */
export interface RenewedRecord {
  answer: LookupRow;
  entries: TableCell[];
  pseudonym: string;
  /** Hashes of the cells that the sheet has if nobody has edited them. */
  hashes: CellHashes;
}

/** Describes an enrichment to the Changes sheet, which all tables of the spreadsheet share. */
export function createSource({ env, store, row }: Filling): ChangesSource {
  const { teamId, title, family, spreadsheet } = row;
  return {
    spreadsheetId: spreadsheet.id,
    title,
    family,
    listSheets: () => new ReportStore(env.DB).listChangesSheets(teamId, spreadsheet.id),
    saveSheet: (sheetId) => store.setChangesSheet(row, sheetId),
  };
}

/** Compares a row with its record. Cells that a person has edited, and formulas, are kept; of counts all but numbers. */
function compareCells(
  { columns, query }: EnrichmentRow,
  isLocated: readonly boolean[],
  { cells, formulas }: KeyRow,
  { entries, pseudonym, hashes }: RenewedRecord,
): { index: number; before: CellValue; entry: TableCell }[] {
  return entries.flatMap((entry, index) => {
    const before = cells[index] ?? '';
    const isOurs =
      query === null
        ? hashes[columns[index]?.path ?? ''] === hashCell(pseudonym, before)
        : typeof before === 'number';
    const isKept = isLocated[index] !== true || formulas?.has(index) === true || !isOurs;
    return isKept || isSameValue(before, entry.value) ? [] : [{ index, before, entry }];
  });
}

/**
 * Writes the cells that differ from renewed records. The sheet is read again first, because people may have sorted or edited
 * it meanwhile. The changes are listed before they are written, so that no old value is lost. Those of counts are not listed.
 * @param renewed - by name of the key
 * @returns number of changed cells
 * @throws ProblemError `sheet_missing`, `sheet_refused`; problems of the client
 */
export async function writeChanges(
  run: ClosedRun,
  renewed: ReadonlyMap<string, RenewedRecord>,
): Promise<number> {
  const { row, pusher } = run;
  const { client } = pusher;
  const location = await locate(client, row);
  const isLocated = location.columns.slice(1).map((column) => column !== undefined);
  const events: RowEvent[] = [];
  const names = new Map<string, CellValue>();
  const nameColumn = row.columns.findIndex(({ path }) => /(?:^|_)(?:name|title)$/.test(path));
  const writes: SheetRow[] = [];
  const isWanted = (name: string): boolean => renewed.has(name);
  for (const sheetRow of await readKeyRows(client, row, location, { withFormulas: true, isWanted })) {
    const record = renewed.get(sheetRow.name);
    if (record === undefined || isOpen(sheetRow)) continue;
    const changes = compareCells(row, isLocated, sheetRow, record);
    if (changes.length === 0) continue;
    const cells: (TableCell | undefined)[] = [];
    const { key } = record.answer;
    for (const { index, before, entry } of changes) {
      cells[index + 1] = entry;
      events.push({ record: key, column: index, before, after: entry.value });
    }
    names.set(key, record.entries[nameColumn]?.value ?? '');
    writes.push({ row: sheetRow.row, cells: [...cells], previous: ['', ...sheetRow.cells] });
  }
  const listed = row.query === null ? events : [];
  await appendChanges(pusher, createSource(run), listed, ({ record, column = 0 }) => ({
    name: names.get(record) ?? '',
    heading: row.columns[column]?.heading ?? '',
    path: row.columns[column]?.path ?? '',
  }));
  await applyWrites(client, row.spreadsheet.id, location, writes);
  return events.length;
}
