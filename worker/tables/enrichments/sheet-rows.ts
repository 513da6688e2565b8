// Reads the keys of a closed sheet and fills the rows that have a key and no values.
import type { LookupRow } from '../../../shared/api/lookup.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { explainProblem, getCellError } from '../../../shared/problems.ts';
import { getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';
import { type CellValue, type TableCell, toCell, toCellText } from '../../../shared/table/cells.ts';
import type { EnrichmentRow } from '../../db/schema.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { listRowBlocks, toA1 } from '../push/a1.ts';
import { applyWrites, type SheetRow, sendRequests } from '../push/apply-writes.ts';
import {
  findTable,
  getColumnSpan,
  getLastRow,
  type PushTarget,
  type TableLocation,
} from '../push/find-table.ts';
import { buildMarkRequests } from '../push/marks.ts';
import type { Pusher } from '../push/pusher.ts';
import type { SheetsClient } from '../push/sheets-client.ts';
import { type EnrichmentKey, parseEnrichmentKey, toKeyName } from './keys.ts';

/** Rows with a key that a closed sheet may have: all of them are in memory. */
export const maxClosedRows = 25_000;

export interface KeyRow {
  row: number;
  name: string;
  key: EnrichmentKey;
  /** One for each column to fill; '' where it is blank or the column was deleted. */
  cells: CellValue[];
  /** Indexes of the columns with a formula; absent unless requested. */
  formulas?: ReadonlySet<number>;
}

const toText = (cell: CellValue | undefined): string => String(cell ?? '').trim();

const toTarget = ({ id, spreadsheet, key, columns }: EnrichmentRow): PushTarget => ({
  spreadsheetId: spreadsheet.id,
  sheetId: spreadsheet.sheet_id,
  tableId: id,
  columns: [key, ...columns],
  keyId: key.id,
});

/** Locates the column of keys and the columns to fill. @throws ProblemError `sheet_missing`, `sheet_refused` */
export async function locate(client: SheetsClient, row: EnrichmentRow): Promise<TableLocation> {
  const location = await findTable(client, toTarget(row));
  if (location.columns.slice(1).some((column) => column !== undefined)) return location;
  throw new ProblemError('sheet_refused', 'The columns to fill were deleted.', 'Undo that, then resume.');
}

/** Tells whether a cell contains a formula. A text that looks like one is its own value. */
const isFormula = (value: CellValue | undefined, input: CellValue | undefined): boolean =>
  typeof input === 'string' && input.startsWith('=') && input !== value;

/** Which rows are returned. */
interface ReadOptions {
  withFormulas?: boolean;
  /** The others are not kept in memory. Default: all rows with a key. */
  isWanted?: (name: string) => boolean;
}

/**
 * Lists the rows below the headings that have a key. Cells of other columns between are not looked at.
 * @throws ProblemError `sheet_refused` for too many rows
 */
export async function readKeyRows(
  client: Pick<SheetsClient, 'getValues'>,
  row: Pick<EnrichmentRow, 'spreadsheet' | 'family' | 'by' | 'query'>,
  location: TableLocation,
  { withFormulas = false, isWanted = () => true }: ReadOptions = {},
): Promise<KeyRow[]> {
  const { sheet, headingRow, idColumn } = location;
  const end = getLastRow(location);
  const span = getColumnSpan(location);
  const filled = location.columns.slice(1).map((column) => (column ?? Number.NaN) - span.column);
  const found: KeyRow[] = [];
  let keys = 0;
  for (const rows of listRowBlocks(headingRow + 1, end)) {
    const range = toA1(sheet.title, { ...rows, ...span });
    const [block = []] = await client.getValues(row.spreadsheet.id, [range]);
    const [inputs = []] = withFormulas ? await client.getValues(row.spreadsheet.id, [range], 'FORMULA') : [];
    for (const [at, line] of block.entries()) {
      const text = toText(line[idColumn - span.column]);
      const key = parseEnrichmentKey(row, text);
      if (key === undefined) continue;
      keys += 1;
      if (keys > maxClosedRows)
        throw new ProblemError(
          'sheet_refused',
          `The sheet has more than ${formatNumber(maxClosedRows)} rows with a key: too many to keep filled while it is closed.`,
          'Move some rows to another sheet, or keep the column filled while the sheet is open.',
        );
      const name = toKeyName(key);
      if (!isWanted(name)) continue;
      const cells = filled.map((column) => line[column] ?? '');
      const formulas = new Set(
        filled.flatMap((column, index) => (isFormula(line[column], inputs[at]?.[column]) ? [index] : [])),
      );
      found.push({ row: rows.row + at, name, key, cells, ...(withFormulas ? { formulas } : {}) });
    }
  }
  return found;
}

export const isOpen = ({ cells }: KeyRow): boolean => cells.every((cell) => toText(cell) === '');

/** Finds the rows with a key. @throws ProblemError `sheet_missing`, `sheet_refused`; problems of the client */
export async function findKeyRows({ client }: Pusher, row: EnrichmentRow): Promise<KeyRow[]> {
  return readKeyRows(client, row, await locate(client, row));
}

export const toRecordEntries = (
  { columns }: EnrichmentRow,
  record: NonNullable<LookupRow['record']>,
): TableCell[] => columns.map(({ path }) => toCell(getValueAt(record, parseFieldPath(path) ?? []), path));

/** Returns the cells of a row, one for each column; undefined if the key may be looked up again. */
function toEntries(row: EnrichmentRow, { record, status, problem }: LookupRow): TableCell[] | undefined {
  if (record !== undefined) return toRecordEntries(row, record);
  const isFinal = status === 'not_found' || problem === 'erased';
  const word = isFinal && problem !== undefined ? getCellError(problem) : undefined;
  return word === undefined
    ? undefined
    : row.columns.map((_, at) => ({ value: toCellText(at === 0 ? word : '') }));
}

/**
 * Notes why rows have no record, beside the error word in the first column. Notes of people stay.
 * @param reasons - by row
 * @throws ProblemError problems of the client
 */
async function writeReasons(
  client: SheetsClient,
  { spreadsheet }: EnrichmentRow,
  { sheet, columns: [, column] }: TableLocation,
  reasons: ReadonlyMap<number, string>,
): Promise<void> {
  if (column === undefined || reasons.size === 0) return;
  const rows = [...reasons.keys()];
  const span = { row: Math.min(...rows), lastRow: Math.max(...rows), column, lastColumn: column };
  const noted = new Set(
    (await client.getFormats(spreadsheet.id, [toA1(sheet.title, span)])).flatMap(({ row, formats }) =>
      formats.flatMap(([cell], down) => (cell?.note ? [row + down] : [])),
    ),
  );
  const marks = [...reasons].flatMap(([row, note]) =>
    noted.has(row) ? [] : [{ row, column, item: { note } }],
  );
  await sendRequests(client, spreadsheet.id, buildMarkRequests(sheet.sheetId, marks));
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
  const rows = await readKeyRows(client, row, location, { isWanted: (name) => answers.has(name) });
  const open = Map.groupBy(rows.filter(isOpen), ({ name }) => name);
  const writes: SheetRow[] = [];
  const written: string[] = [];
  const reasons = new Map<number, string>();
  for (const [name, answer] of answers) {
    const entries = toEntries(row, answer)?.map((entry) => (entry.value === '' ? undefined : entry));
    if (entries === undefined) continue;
    written.push(name);
    const { record, problem, suggestion } = answer;
    for (const { row: at } of open.get(name) ?? []) {
      writes.push({ row: at, cells: [undefined, ...entries] });
      if (record === undefined && problem !== undefined) reasons.set(at, explainProblem(problem, suggestion));
    }
  }
  await writeReasons(client, row, location, reasons);
  await applyWrites(client, row.spreadsheet.id, location, writes);
  return { rows: writes.length, written };
}
