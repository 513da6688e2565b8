// Reads the keys of a closed sheet and fills the rows that have a key and no values.
import type { LookupRow } from '../../../shared/api/lookup.ts';
import { getCellError } from '../../../shared/problems.ts';
import { getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';
import type { EnrichmentRow } from '../../db/schema.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toA1 } from '../push/a1.ts';
import { type CellEntry, toFieldEntry, toTextEntry } from '../push/cells.ts';
import { findTable, type PushTarget, type TableLocation } from '../push/find-table.ts';
import { buildFormatRequests, type FormattedCell } from '../push/plan.ts';
import { chunkRequests } from '../push/push-table.ts';
import type { Pusher } from '../push/pusher.ts';
import { getColumnSpan } from '../push/read-rows.ts';
import type { CellValue, SheetsClient } from '../push/sheets-client.ts';
import { buildWriteBatches, type RowSegment } from '../push/write-batches.ts';
import { type EnrichmentKey, parseEnrichmentKey, toKeyName } from './fill.ts';

/** Rows of a sheet that are read together. */
const BLOCK_ROWS = 20_000;

/** Rows without values, by the name of their key. */
export type OpenRows = Map<string, { key: EnrichmentKey; rows: number[] }>;

const toText = (cell: CellValue | undefined): string => String(cell ?? '').trim();

const toTarget = ({ spreadsheet, keyHeading }: EnrichmentRow): PushTarget => ({
  spreadsheetId: spreadsheet.id,
  sheetId: spreadsheet.sheet_id,
  idHeading: keyHeading,
  headingRow: spreadsheet.row,
});

/** Locates the column of keys and the columns to fill. @throws ProblemError `sheet_missing`, `sheet_refused` */
async function locate(client: SheetsClient, row: EnrichmentRow): Promise<TableLocation> {
  const columns = [{ heading: row.keyHeading }, ...row.columns];
  const location = await findTable(client, toTarget(row), columns, false);
  if (location.columns.slice(1).some((column) => column !== undefined)) return location;
  throw new ProblemError(
    'sheet_refused',
    'None of the columns to fill is in the sheet any more.',
    'Bring a heading back, then resume.',
  );
}

/** Lists the rows below the headings that have a key and no values. Cells of other columns between are not looked at. */
async function readOpenRows(
  client: SheetsClient,
  row: EnrichmentRow,
  location: TableLocation,
): Promise<OpenRows> {
  const { sheet, headingRow, idColumn } = location;
  const span = getColumnSpan(location);
  const filled = location.columns.slice(1).flatMap((column) => column ?? []);
  const open: OpenRows = new Map();
  for (let from = headingRow + 1; from <= sheet.rows; from += BLOCK_ROWS) {
    const lastRow = Math.min(sheet.rows, from + BLOCK_ROWS - 1);
    const range = toA1(sheet.title, { row: from, lastRow, ...span });
    const [block = []] = await client.getValues(row.spreadsheet.id, [range]);
    for (const [at, cells] of block.entries()) {
      const text = toText(cells[idColumn - span.column]);
      // Another table with the same headings follows.
      if (text === row.keyHeading.trim()) return open;
      if (filled.some((column) => toText(cells[column - span.column]) !== '')) continue;
      const key = parseEnrichmentKey(row, text);
      if (key === undefined) continue;
      const name = toKeyName(key);
      const entry = open.get(name) ?? { key, rows: [] };
      entry.rows.push(from + at);
      open.set(name, entry);
    }
  }
  return open;
}

/** Finds the rows to fill. @throws ProblemError `sheet_missing`, `sheet_refused`; problems of the client */
export async function findOpenRows({ client }: Pusher, row: EnrichmentRow): Promise<OpenRows> {
  return readOpenRows(client, row, await locate(client, row));
}

/** Returns the cells of a row, one for each column; undefined if the key may be looked up again. */
function toEntries({ columns }: EnrichmentRow, answer: LookupRow | undefined): CellEntry[] | undefined {
  if (answer === undefined) return undefined;
  const { record, status, problem } = answer;
  if (record !== undefined)
    return columns.map(({ path }) => toFieldEntry(getValueAt(record, parseFieldPath(path) ?? []), path));
  const isFinal = status === 'not_found' || problem === 'erased';
  const word = isFinal && problem !== undefined ? getCellError(problem) : undefined;
  return word === undefined ? undefined : columns.map((_, at) => toTextEntry(at === 0 ? word : ''));
}

/** Builds the segment of a row: the cells from the first to the last column to fill. */
function toSegment(
  location: TableLocation,
  entries: readonly CellEntry[],
  row: number,
  record: string,
): RowSegment {
  const located = location.columns.slice(1);
  const columns = located.flatMap((column) => column ?? []);
  const first = Math.min(...columns);
  const cells = Array.from({ length: Math.max(...columns) - first + 1 }, (): CellValue | null => null);
  for (const [at, column] of located.entries()) {
    const value = entries[at]?.value;
    if (column !== undefined && value !== undefined && value !== '') cells[column - first] = value;
  }
  return { row, column: first, cells, record };
}

/**
 * Writes answers into the rows that still have their key and no values: people may have sorted or filled them meanwhile.
 * @param answers - by {@link toKeyName}
 * @returns number of rows, and the names of the keys that are written or have no row any more
 * @throws ProblemError `sheet_missing`, `sheet_refused`; problems of the client
 */
export async function writeAnswers(
  { client }: Pusher,
  row: EnrichmentRow,
  answers: ReadonlyMap<string, LookupRow>,
): Promise<{ rows: number; written: string[] }> {
  const location = await locate(client, row);
  const open = await readOpenRows(client, row, location);
  const segments: RowSegment[] = [];
  const formatted: FormattedCell[] = [];
  const written: string[] = [];
  for (const [name, answer] of answers) {
    const entries = toEntries(row, answer);
    if (entries === undefined) continue;
    written.push(name);
    for (const at of open.get(name)?.rows ?? []) {
      segments.push(toSegment(location, entries, at, name));
      for (const [index, { format }] of entries.entries()) {
        const column = location.columns[index + 1];
        if (format !== undefined && column !== undefined) formatted.push({ row: at, column, format });
      }
    }
  }
  segments.sort((a, b) => a.row - b.row);
  for (const body of chunkRequests(buildFormatRequests(location.sheet.sheetId, formatted)))
    await client.batchUpdate(row.spreadsheet.id, body);
  for (const { data } of buildWriteBatches(location.sheet.title, segments, location.idColumn))
    await client.writeValues(row.spreadsheet.id, data);
  return { rows: segments.length, written };
}
