// The tables of the spreadsheet, for the page: what they are, refreshing, freezing and forgetting them.
import type { Connection } from '../../shared/connection.ts';
import { subjectOf } from '../../shared/families.ts';
import { freezeFormulas } from '../freeze.ts';
import { findTables } from '../tables/find.ts';
import { headingRange, here } from '../tables/here.ts';
import { keysBody } from '../tables/keys.ts';
import { planKeys, startKeys } from '../tables/keys-plan.ts';
import type { KeysOrder } from '../tables/keys-prepare.ts';
import { Refusal } from '../tables/refusal.ts';
import { allTables, forgetTable, keepTable, type TableRecord } from '../tables/registry.ts';
import type { RunRecord } from '../tables/runs.ts';
import { planSearch, startSearch } from '../tables/search-plan.ts';
import { idColumn, searchBody } from '../tables/search-run.ts';
import type { EnrichPlan, RecordsOrder, RefreshPlan, SearchOrder, Table } from './api.ts';

const DAY_MS = 86_400_000;
const GONE = 'Its headings can’t be found any more: it was deleted, or its headings were renamed.';

const hasIds = (table: TableRecord): boolean => idColumn(table) >= 0;

/** Paths of values, in their order. */
const pathsOf = ({ columns }: TableRecord): string[] =>
  columns.flatMap(({ role, path }) => (role === 'value' ? [path] : []));

/** Every table that was written here, the latest first. */
export function tables(): Table[] {
  const all = allTables();
  const places = findTables(all);
  return all.map((table): Table => {
    const { id, title, kind, family, query, mode, lastRun, credits, frozen } = table;
    const found = places.get(id);
    const others = [...places].flatMap(([other, place]) => (other === id ? [] : place));
    const body = found && (kind === 'search' ? searchBody(found, others) : keysBody(found, others));
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
      rows: body === undefined ? 0 : body.area.rows,
      lastRun,
      credits,
      ageDays: Math.max(0, (Date.now() - Date.parse(lastRun.at)) / DAY_MS),
      frozen,
      hasIds: hasIds(table),
      ...(found === undefined ? { gone: GONE } : {}),
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
    scope: 'all',
    fields: pathsOf(table),
    maxAgeS: only === 'all' ? 0 : subjectOf(table.family).freshForS,
  };
}

function refreshable(id: string): TableRecord {
  const { table } = here(id);
  if (table.frozen) throw new Refusal('bad_call', 'This table is frozen: nothing refreshes it.');
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
      ? planSearch(searchOrder(table), connection)
      : planKeys(keysOrder(table, only), connection);
  const { rows, credits, willOverwrite, warnings } = plan;
  return { rows, credits, warnings, ...(willOverwrite === undefined ? {} : { willOverwrite }) };
}

/** Starts to fill a table anew. */
export function refreshTable(
  { id, only, confirmed = false }: { id: string; only: 'all' | 'stale'; confirmed?: boolean },
  connection: Connection,
): { run: RunRecord; table: TableRecord } {
  const table = refreshable(id);
  return table.kind === 'search'
    ? startSearch({ ...searchOrder(table), confirmed }, connection)
    : startKeys({ ...keysOrder(table, only), confirmed });
}

/** Ends the refreshing of a table: its cells are values already, and formulas that someone put among them become values. */
export function freezeTable({ id }: { id: string }): Table[] {
  const { table, found, others } = here(id);
  const { area } = table.kind === 'search' ? searchBody(found, others) : keysBody(found, others);
  if (area.rows > 0) freezeFormulas(found.sheet, [area]);
  keepTable({ ...table, frozen: true });
  return tables();
}

/** Forgets a table, not what stands in the sheet. */
export function forget({ id }: { id: string }): Table[] {
  forgetTable(id);
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
export function startRecords(order: RecordsOrder & { confirmed?: boolean }): {
  run: RunRecord;
  table: TableRecord;
} {
  return startKeys({ ...recordsOrder(order), confirmed: order.confirmed === true });
}
