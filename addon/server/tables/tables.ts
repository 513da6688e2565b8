// The tables of the spreadsheet, for the page: what they are, refreshing, freezing and forgetting them.
import type { Schedule } from '../../../shared/api/schedules.ts';
import type { Connection } from '../../../shared/connection.ts';
import { previewFreshForS, subjectOf } from '../../../shared/families/index.ts';
import { findConnection } from '../../client/connection.ts';
import { Refusal } from '../../lib/addon-error.ts';
import { freezeFormulas } from '../../sheet/freeze-formulas.ts';
import { type Found, findTables } from '../../tables/locate.ts';
import { headingRange, here } from '../../tables/located-table.ts';
import { planKeys, startKeys } from '../../tables/lookup/plan.ts';
import type { KeysOrder } from '../../tables/lookup/prepare.ts';
import { keysBody, rowsInScope } from '../../tables/lookup/rows.ts';
import { allTables, forgetTable, keepPrints, keepTable, type TableRecord } from '../../tables/registry.ts';
import { idColumn } from '../../tables/rows/update-rows.ts';
import type { RunRecord } from '../../tables/runs/run-store.ts';
import { beginUndo } from '../../tables/runs/undo.ts';
import { planSearch, startSearch } from '../../tables/search/plan.ts';
import { searchBody } from '../../tables/search/step.ts';
import { makeTable, type Wanted } from '../../tables/target.ts';
import type { EnrichPlan, RecordsOrder, RefreshPlan, SearchOrder, Start, Table } from '../api/index.ts';
import { scheduled } from './auto-refresh.ts';
import { missingSheets, reportMissingSheets } from './missing-sheets.ts';
import { registerAgain, unregister } from './registration.ts';

const DAY_MS = 86_400_000;
const GONE = 'Its headings can’t be found: they were deleted or renamed. Put them back to refresh the table.';
const SHEET_DELETED = 'Its sheet was deleted.';
const SCHEDULE_STOPPED = ' Its schedule has stopped and buys nothing.';

const hasIds = (table: TableRecord): boolean => idColumn(table) >= 0;

/** Paths of values, in their order. */
const pathsOf = ({ columns }: TableRecord): string[] =>
  columns.flatMap(({ role, path }) => (role === 'value' ? [path] : []));

/** Tables whose rows were put there by us: they end where nothing stands. The others end with their keys. */
const isOurs = ({ kind }: TableRecord): boolean => kind === 'search' || kind === 'bulk';

/** How many rows a table has; of a list of people's own those that were looked up. */
function rowCount(table: TableRecord, found: Found, others: readonly Found[]): number {
  if (isOurs(table)) return searchBody(found, others).area.rows;
  return rowsInScope(table, found, keysBody(found, others), { rows: 'filled' }, pathsOf(table)).length;
}

/** Why a table can't be found. */
function lost(isMissing: boolean, schedule: Schedule['state'] | undefined): Partial<Table> {
  if (!isMissing) return { gone: GONE };
  return {
    gone: schedule === 'stopped' ? SHEET_DELETED + SCHEDULE_STOPPED : SHEET_DELETED,
    sheetDeleted: true,
  };
}

/** Every table that was written here, the latest first. */
export function tables(): Table[] {
  const connection = findConnection()?.connection;
  if (connection !== undefined) reportMissingSheets(connection);
  const all = allTables();
  const places = findTables(all);
  const schedules = scheduled(all, connection);
  const isMissing = missingSheets();
  return all.map((table): Table => {
    const { id, title, kind, family, query, mode, lastRun, credits, frozen, requestId: request } = table;
    const upkeep = schedules.get(id);
    const found = places.get(id);
    const others = [...places].flatMap(([other, place]) => (other === id ? [] : place));
    return {
      id,
      title,
      kind,
      sheet: found === undefined ? table.place.sheet : found.sheet.getName(),
      range: found === undefined ? '' : headingRange(found),
      family,
      ...(query === undefined ? {} : { query }),
      columns: pathsOf(table),
      mode,
      rows: found === undefined ? 0 : rowCount(table, found, others),
      lastRun,
      credits,
      ageDays: Math.max(0, (Date.now() - Date.parse(lastRun.at)) / DAY_MS),
      frozen,
      hasIds: hasIds(table),
      ...(found === undefined ? lost(isMissing(table), upkeep?.state) : {}),
      ...(request === undefined ? {} : { request }),
      ...(upkeep === undefined ? {} : { upkeep }),
    };
  });
}

/** A search's table as it was ordered. */
function searchOrder(table: TableRecord): SearchOrder {
  const { id, title, family, query, pages = 1, mode, provenance } = table;
  if (query === undefined) throw new Refusal('gone', 'The search of this table is not remembered.');
  return {
    family,
    query,
    columns: pathsOf(table),
    pages,
    where: { kind: 'table', tableId: id },
    mode,
    provenance,
    title,
  };
}

/** So old may be what a refresh writes, in seconds. */
const ageOf = ({ kind, family }: TableRecord, only: 'all' | 'stale'): number => {
  if (only === 'all') return 0;
  return kind === 'search' ? previewFreshForS : subjectOf(family).freshForS;
};

const FROM_MEMORY = 'Pages that your team bought less than a day ago are free.';

/** A table of looked-up keys as it was ordered. */
function keysOrder({ id }: TableRecord, only: 'all' | 'stale'): KeysOrder {
  const { table, found } = here(id);
  const [column] = found.columns;
  if (column === undefined) throw new Refusal('gone', GONE);
  return {
    kind: 'refresh',
    sheet: found.sheet.getName(),
    column,
    by: table.by ?? 'id',
    family: table.family,
    scope: 'filled',
    fields: pathsOf(table),
    maxAgeS: ageOf(table, only),
  };
}

function refreshable(id: string): TableRecord {
  const { table } = here(id);
  if (table.frozen) throw new Refusal('bad_call', 'This table is frozen: nothing refreshes it.');
  if (table.kind === 'bulk') {
    throw new Refusal(
      'bad_call',
      'A bulk request is refreshed by a new one: ask for it under Bulk, into this table, or have the table refresh by itself.',
    );
  }
  return table;
}

/** What a refresh would do and cost. */
export function planRefresh(
  { id, only }: { id: string; only: 'all' | 'stale' },
  connection: Connection,
): RefreshPlan {
  const table = refreshable(id);
  const plan =
    table.kind === 'search'
      ? planSearch({ ...searchOrder(table), maxAgeS: ageOf(table, only) }, connection)
      : planKeys(keysOrder(table, only), connection);
  const { rows, credits, approval, willOverwrite } = plan;
  const remembered = table.kind === 'search' && only === 'stale' ? [FROM_MEMORY] : [];
  const warnings = [...plan.warnings, ...remembered];
  return { rows, credits, approval, warnings, ...(willOverwrite === undefined ? {} : { willOverwrite }) };
}

/** Starts to fill a table anew. */
export function refreshTable(
  { id, only, ...start }: { id: string; only: 'all' | 'stale' } & Start,
  connection: Connection,
): { run: RunRecord; table: TableRecord } {
  const table = refreshable(id);
  return table.kind === 'search'
    ? startSearch({ ...searchOrder(table), maxAgeS: ageOf(table, only) }, start, connection)
    : startKeys(keysOrder(table, only), start, connection);
}

/**
 * Ends the refreshing of a table: its cells are values already, and formulas that someone put among them become values.
 * @throws Refusal where its refreshing by itself can't be ended
 */
export function freezeTable({ id }: { id: string }): Table[] {
  here(id);
  unregister(id);
  const { table, found, others } = here(id);
  const { area } = isOurs(table) ? searchBody(found, others) : keysBody(found, others);
  if (area.rows > 0) freezeFormulas(found.sheet, [area]);
  const { awaits: _, ...rest } = table;
  keepTable({ ...rest, frozen: true });
  return tables();
}

/**
 * Forgets a table, not what stands in the sheet.
 * @throws Refusal where its refreshing by itself can't be ended
 */
export function forget({ id }: { id: string }): Table[] {
  unregister(id);
  forgetTable(id);
  return tables();
}

/**
 * Moves a table whose sheet was deleted to a new sheet: its headings, and no rows yet. Its schedule stays stopped until
 * somebody starts it.
 * @throws Refusal where its sheet is still there, or its rows were looked up for a column of that sheet
 */
export function moveTable({ id }: { id: string }): Table[] {
  const all = allTables();
  const table = all.find((each) => each.id === id);
  if (table === undefined) throw new Refusal('gone', 'This table is not tracked here any more.');
  if (findTables(all).has(id)) throw new Refusal('bad_call', `“${table.title}” is still in the spreadsheet.`);
  if (!isOurs(table)) {
    throw new Refusal('bad_call', 'The column that it was looked up for is gone. Enrich another column.');
  }
  const { title, mode, columns } = table;
  const runId = Utilities.getUuid();
  beginUndo(runId, id, table);
  const wanted: Wanted = { where: { kind: 'newSheet' }, mode, title, columns, rows: 0, check: () => {} };
  const moved = { ...table, place: makeTable(wanted, runId) };
  SpreadsheetApp.flush();
  keepPrints(id, new Set());
  keepTable(moved);
  const connection = findConnection()?.connection;
  if (connection !== undefined) registerAgain(moved, connection);
  return tables();
}

/** Goes to a table. */
export function showTable({ id }: { id: string }): void {
  const { found } = here(id);
  found.sheet.getRange(headingRange(found)).activate();
}

function recordsOrder({ tableId, fields, rows }: RecordsOrder): KeysOrder {
  const { table, found } = here(tableId);
  const column = found.columns[idColumn(table)];
  if (column === undefined) {
    throw new Refusal('bad_call', 'This table has no column id. Write the search again with the column id.');
  }
  return {
    kind: 'records',
    sheet: found.sheet.getName(),
    column,
    by: 'id',
    family: table.family,
    scope: rows,
    fields,
    provenance: table.provenance,
  };
}

/** What adding whole records would do and cost. */
export function planRecords(order: RecordsOrder, connection: Connection): EnrichPlan {
  return planKeys(recordsOrder(order), connection);
}

/** Starts to add whole records to the rows of a table. */
export function startRecords(
  { approval, confirmed = false, ...order }: RecordsOrder & Start,
  connection: Connection,
): { run: RunRecord; table: TableRecord } {
  return startKeys(recordsOrder(order), { approval, confirmed }, connection);
}
