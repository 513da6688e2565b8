// Writes a delivery, one page per step: rows of a data request or of a schedule's run, matched by id.

import type { DataRequestRows } from '../../../shared/api/data-requests.ts';
import type { Connection } from '../../../shared/connection.ts';
import { createIdConverter, toIdText } from '../../../shared/table/cells.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { createError } from '../../lib/addon-error.ts';
import {
  blankEntry,
  createEntryConverter,
  dateTimeEntry,
  type Entry,
  textEntry,
} from '../../sheet/entries.ts';
import { relocateTable, requireTable } from '../located-table.ts';
import type { TableRecord } from '../registry.ts';
import { openTarget, writePage } from '../rows/write-page.ts';
import { findIdColumn, getRowId, type TableRow, toCells, type WriteTarget } from '../rows/write-rows.ts';
import { countWritten, createRun, type DeliveryState, type RunRecord } from '../runs/run-store.ts';
import { ensureUndoLog } from '../runs/undo-log.ts';

/** Limits that keep a step below 25 s: rows per page, rows compared with existing ones, and cells. */
const MAX_ROWS = 2000;
const MAX_COMPARED = 500;
const MAX_CELLS = 40_000;
const MIN_ROWS = 100;

/** @throws AddonError if a table has no id column */
export function requireIds(table: TableRecord): void {
  if (findIdColumn(table) >= 0) return;
  throw createError(
    'bad_call',
    'Rows are matched by id, and this table has no id column. Write to a new sheet.',
  );
}

/**
 * Creates a run that writes a delivery.
 * @param rows.credits - of a delivery, the price of its rows; by default 0: writing rows again is free
 * @param rows.saved - of a delivery, also what rows from records already bought would have cost
 */
export function createDeliveryRun(
  table: TableRecord,
  {
    source,
    mode,
    columns,
    keepsChanges,
  }: Pick<DeliveryState, 'source' | 'mode' | 'columns' | 'keepsChanges'>,
  rows: { total: number; base: number; credits?: number; saved?: number },
): RunRecord {
  const { total, base, credits = 0, saved = 0 } = rows;
  const run = createRun(table, source.kind === 'request' ? 'bulk' : 'refresh', total, credits, {
    kind: 'delivery',
    source,
    mode,
    after: null,
    base: mode === 'replace' ? 0 : base,
    written: 0,
    cleared: mode !== 'replace',
    ...(columns === undefined ? {} : { columns }),
    ...(keepsChanges === true ? { keepsChanges } : {}),
  });
  return { ...run, credits, saved };
}

function fetchRows(run: RunRecord, state: DeliveryState, connection: Connection): DataRequestRows {
  const { table } = requireTable(run.tableId);
  const { source, after, mode, columns } = state;
  const most = mode === 'update' ? MAX_COMPARED : MAX_ROWS;
  const limit = Math.max(MIN_ROWS, Math.min(most, Math.floor(MAX_CELLS / table.columns.length)));
  const page = { after: after ?? undefined, limit };
  return unwrap(
    source.kind === 'request'
      ? call(connection, 'listDataRequestRows', {
          params: { id: source.id },
          query: { ...page, columns: columns?.join(',') },
        })
      : call(connection, 'listRunRows', { params: { id: table.id, run: source.id }, query: page }),
  );
}

/** Converts a page to rows of a table. Rows without an id are left out. */
function toTableRows(
  { table, body }: WriteTarget,
  { mode }: DeliveryState,
  { columns, rows }: DataRequestRows,
): TableRow[] {
  const toEntry = createEntryConverter();
  const id = findIdColumn(table);
  const toId = createIdConverter(body.values.map((line) => line[id]));
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const now = dateTimeEntry(new Date());
  const origin: Readonly<Partial<Record<string, Entry>>> = { retrieved: now, source: textEntry('brought') };
  const absent = mode === 'replace' ? blankEntry : undefined;
  const given = rows.flatMap((row): TableRow[] => {
    const recordId = toIdText(row[places.get('id') ?? -1]);
    const entries = table.columns.map(({ role, path }, column) => {
      if (column === id) return { cell: toId(recordId), format: '' as const };
      const index = places.get(path);
      return origin[role] ?? (role === 'value' && index !== undefined ? toEntry(row[index], path) : absent);
    });
    return recordId === '' ? [] : [{ id: recordId, entries }];
  });
  return [...new Map(given.map((row) => [row.id, row])).values()];
}

/** Leaves out rows that were written before and are no longer in the table: a person has deleted them. */
function leaveDeleted({ table, body, written }: WriteTarget, rows: readonly TableRow[]): TableRow[] {
  const ids = new Set(body.values.map((line) => getRowId(table, line)));
  return rows.filter(({ id, entries }) => ids.has(id) || !written.hasId(toCells(entries)));
}

/**
 * Fetches the next page of a delivery and writes it. Idempotent: a page that was written before changes nothing.
 * Modifies the run; the caller saves it.
 * @returns whether there are more pages
 * @throws AddonError if the gateway or the sheet refuses; the run keeps its position
 */
export function stepDelivery(run: RunRecord, state: DeliveryState, connection: Connection): boolean {
  const answer = fetchRows(run, state, connection);
  // The table may have moved during the fetch.
  const { table, location } = relocateTable(run.tableId);
  if (table.frozen)
    throw createError('bad_call', '“{title}” is frozen, so nothing can be written to it.', {
      title: table.title,
    });
  requireIds(table);
  const target = openTarget(run.id, state, table, location);
  const given = toTableRows(target, state, answer);
  const isKept = table.skipDeleted === true && state.source.kind === 'table';
  const rows = isKept ? leaveDeleted(target, given) : given;
  if (state.source.kind === 'table' && run.done === 0 && rows.length > 0) ensureUndoLog(run.id, table);
  const id = findIdColumn(table);
  const decisive = table.columns.flatMap(({ role }, at) => (role === 'value' && at !== id ? at : []));
  countWritten(run, writePage(target, state, rows, { isLast: answer.after === null, decisive }));
  state.after = answer.after;
  run.done += answer.rows.length;
  run.total = answer.after === null ? run.done : Math.max(run.total, run.done);
  return answer.after !== null;
}
