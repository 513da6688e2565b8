// The tracked tables: refreshes, freezes, moves and untracks them.

import { accountColumn } from '../../../shared/accounts.ts';
import type { Connection } from '../../../shared/connection.ts';
import { getSubject, previewFreshForS } from '../../../shared/families/index.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { maxTableTitleLength } from '../../../shared/limits.ts';
import { findConnection } from '../../client/connection.ts';
import { AddonError, createError } from '../../lib/addon-error.ts';
import { findSheet } from '../../sheet/area.ts';
import { freezeFormulas } from '../../sheet/freeze-formulas.ts';
import { withSheetErrors } from '../../sheet/guard.ts';
import { requireAccounts } from '../../tables/accounts/companies.ts';
import { locateTables, markTable, removeMarks } from '../../tables/locate.ts';
import {
  createPlace,
  formatLoss,
  getTableRange,
  type LocatedTable,
  requireTable,
  requireTracked,
  withPlace,
} from '../../tables/located-table.ts';
import { planLookup, startLookup } from '../../tables/lookup/plan.ts';
import { type LookupOrder, toMoreKeys } from '../../tables/lookup/prepare.ts';
import { readLookupBody } from '../../tables/lookup/rows.ts';
import {
  deleteTable,
  findTable,
  listValuePaths,
  readFingerprints,
  saveFingerprints,
  saveTable,
  type TableRecord,
} from '../../tables/registry.ts';
import { findAdjacentLookups } from '../../tables/rows/adjacent-lookups.ts';
import { warnAboutNeighbours } from '../../tables/rows/overwrite.ts';
import { readRowsTogether } from '../../tables/rows/write-page.ts';
import { findIdColumn } from '../../tables/rows/write-rows.ts';
import type { StartedRun } from '../../tables/runs/run-store.ts';
import { createFreezeRecorder, recordTitle, startUndoLog } from '../../tables/runs/undo-log.ts';
import { planSearch, startSearch } from '../../tables/search/plan.ts';
import { createTable, distinguishTable } from '../../tables/target.ts';
import { t } from '../../texts/texts.ts';
import type { Payload, RecordsOrder, RefreshPlan, SearchOrder, SearchPlan, Table } from '../api/index.ts';
import { unregister, updateRegistration } from './registration.ts';
import { listTableViews, ownsRows } from './table-views.ts';

/**
 * Chooses the mode of a refresh. Rows with other columns beside them are updated: replacing would clear columns that were
 * looked up for them, and move the rows past a person’s own columns.
 */
function chooseMode({ table, location }: LocatedTable): SearchOrder['mode'] {
  if (table.mode !== 'replace' || findIdColumn(table) < 0) return table.mode;
  const hasNeighbours =
    warnAboutNeighbours(location, []) !== undefined || findAdjacentLookups(table.id, location).length > 0;
  return hasNeighbours ? 'update' : 'replace';
}

function toSearchOrder(refreshable: LocatedTable): SearchOrder {
  const { table } = refreshable;
  const { id, title, family, query, conditions, pages = 1, provenance, accounts } = table;
  if (query === undefined) throw createError('gone', 'The search of this table is missing.');
  return {
    family,
    query,
    ...defined({ conditions, accounts: accounts && requireAccounts(id, accounts) }),
    columns: listValuePaths(table).filter((path) => accounts === undefined || path !== accountColumn),
    pages,
    where: { kind: 'table', tableId: id },
    mode: chooseMode(refreshable),
    provenance,
    title,
  };
}

/** Returns the maximum age of refreshed values, in seconds. */
const getMaxAge = ({ kind, family }: TableRecord, only: 'all' | 'stale'): number => {
  if (only === 'all') return 0;
  return kind === 'search' ? previewFreshForS : getSubject(family).freshForS;
};

const BY_ID =
  'Rows are updated by ID, so that the columns beside them keep their rows. Rows that no longer match stay, too.';
const FROM_MEMORY = 'Pages that your team bought less than a day ago are free.';

function toLookupOrder({ table, location }: LocatedTable, only: 'all' | 'stale'): LookupOrder {
  const [column = 0] = location.columns;
  const isPresent = (_: unknown, at: number): boolean => location.columns[at] !== undefined;
  return {
    kind: 'refresh',
    sheet: location.sheet.getName(),
    column,
    by: table.by ?? 'id',
    ...toMoreKeys(table, location),
    family: table.family,
    // Counts are free, so new rows are counted, too.
    scope: table.kind === 'count' ? 'all' : 'filled',
    fields: listValuePaths({ columns: table.columns.filter(isPresent) }),
    ...(table.kind === 'count' && table.query !== undefined
      ? { count: { query: table.query, heading: table.title } }
      : {}),
    maxAgeS: getMaxAge(table, only),
  };
}

function requireRefreshable(id: string): LocatedTable {
  const located = requireTable(id);
  const { table } = located;
  if (table.frozen) throw createError('bad_call', 'This table is frozen, so it can’t be refreshed.');
  if (table.kind === 'bulk') {
    throw createError(
      'bad_call',
      'To refresh a bulk order, order it again into this table under Bulk, or set up an automatic refresh.',
    );
  }
  return located;
}

function explainSearch(plan: SearchPlan): SearchPlan & { reason?: string } {
  if (plan.isMaximum) return { ...plan, reason: t('not every company could be counted') };
  return plan.recordCredits ? { ...plan, reason: t('full records that your team has are free') } : plan;
}

export function planRefresh({ id, only }: Payload<'planRefresh'>, connection: Connection): RefreshPlan {
  const refreshable = requireRefreshable(id);
  const { table } = refreshable;
  const order = table.kind === 'search' ? toSearchOrder(refreshable) : undefined;
  const { reason, ...plan } =
    order === undefined
      ? planLookup(toLookupOrder(refreshable, only), connection)
      : explainSearch(planSearch({ ...order, maxAgeS: getMaxAge(table, only) }, connection));
  const { rows, credits, approval, willOverwrite } = plan;
  const warnings = [
    ...plan.warnings,
    ...(order !== undefined && order.mode !== table.mode ? [t(BY_ID)] : []),
    ...(order !== undefined && only === 'stale' ? [t(FROM_MEMORY)] : []),
  ];
  return {
    rows,
    credits,
    approval,
    warnings,
    ...defined({ reason, willOverwrite }),
  };
}

export function refreshTable(
  { id, only, ...start }: Payload<'refreshTable'>,
  connection: Connection,
): StartedRun {
  const refreshable = requireRefreshable(id);
  const { table } = refreshable;
  return table.kind === 'search'
    ? startSearch({ ...toSearchOrder(refreshable), maxAgeS: getMaxAge(table, only) }, start, connection)
    : startLookup(toLookupOrder(refreshable, only), start, connection);
}

/**
 * Freezes a table: ends its refreshing and replaces formulas in it by values. `runId` undoes it, without its schedule.
 * @throws AddonError if its schedule can't be ended
 */
export function freezeTable({ id }: { id: string }): { tables: Table[]; runId: string } {
  requireTable(id);
  unregister(id);
  const { table, location } = requireTable(id);
  const runId = Utilities.getUuid();
  startUndoLog(runId, id, table);
  const { area } = ownsRows(table) ? readRowsTogether(location) : readLookupBody(table, location);
  if (area.rows > 0) freezeFormulas(location.sheet, [area], createFreezeRecorder(runId, location.sheet));
  const { pendingMode: _, ...settled } = table;
  saveTable({ ...settled, frozen: true });
  return { tables: listTableViews(), runId };
}

/**
 * Stops tracking a table. Its cells stay. `runId` undoes it, without its schedule.
 * @throws AddonError if its schedule can't be ended
 */
export function untrackTable({ id }: { id: string }): { tables: Table[]; runId: string } {
  unregister(id);
  const runId = Utilities.getUuid();
  startUndoLog(runId, id, findTable(id));
  deleteTable(id);
  return { tables: listTableViews(), runId };
}

/** Renames a table. Its sheet keeps its name. @throws AddonError `gone` */
export function renameTable({ id, title }: { id: string; title: string }): Table[] {
  const table = requireTracked(id);
  const renamed = { ...table, title: title.trim().slice(0, maxTableTitleLength) || table.title };
  saveTable(renamed);
  recordTitle(id, renamed.title);
  const connection = findConnection()?.connection;
  if (connection !== undefined) updateRegistration(renamed, connection);
  return listTableViews();
}

/**
 * Moves a table with a deleted sheet to a new sheet: headings without rows. Its schedule stays stopped.
 * @throws AddonError if its sheet still exists, or it belongs to a column of that sheet
 */
export function moveTable({ id }: { id: string }): Table[] {
  const table = requireTracked(id);
  if (findSheet(table.place.sheetId) !== undefined)
    throw createError('bad_call', '“{title}” is still in the spreadsheet.', { title: table.title });
  if (!ownsRows(table)) {
    throw createError('bad_call', 'The column that it looks up is gone. Enrich another column.');
  }
  const runId = Utilities.getUuid();
  startUndoLog(runId, id, table);
  const placement = { where: { kind: 'newSheet' }, title: table.title, rows: 0 } as const;
  const moved = { ...table, place: createTable(placement, table, runId) };
  SpreadsheetApp.flush();
  saveFingerprints(id, '');
  saveTable(moved);
  const connection = findConnection()?.connection;
  if (connection !== undefined) updateRegistration(moved, connection);
  return listTableViews();
}

/**
 * Tracks a copy of a table in another sheet as a new table, without what the gateway does for the original.
 * @throws AddonError `gone` if there is none
 */
export function trackCopy({ id, sheetId }: Payload<'trackCopy'>): Table[] {
  const original = requireTracked(id);
  const sheet = findSheet(sheetId);
  if (sheet === undefined) throw createError('gone', 'The sheet of this copy was deleted.');
  const place = createPlace(sheet);
  // Its marks are those of the original until it has its own.
  const copy = locateTables([{ ...original, place }], sheetId);
  const location = copy.places.get(id);
  if (location === undefined) throw new AddonError('gone', formatLoss(copy.losses.get(id)));
  const {
    registered: _,
    push: __,
    hasEnrichment: ___,
    lastFill: ____,
    requestId: _____,
    pendingMode: ______,
    placeholder: _______,
    earlierRequests: ________,
    ...table
  } = withPlace({ ...original, place }, location);
  const title = distinguishTable(table.title);
  const tracked = { ...table, id: Utilities.getUuid(), title, credits: 0 };
  removeMarks(id, (mark) => mark.sheetId !== sheetId);
  withSheetErrors(sheet, () => markTable(tracked, location));
  saveFingerprints(tracked.id, readFingerprints(id));
  saveTable(tracked);
  return listTableViews();
}

export function showTable({ id }: { id: string }): void {
  const { location } = requireTable(id);
  location.sheet.getRange(getTableRange(location)).activate();
}

/** Converts an order of full records to the lookup of their ids. */
export function toRecordsLookup({ tableId, fields, rows }: RecordsOrder): LookupOrder {
  const { table, location } = requireTable(tableId);
  const column = location.columns[findIdColumn(table)];
  if (column === undefined) {
    throw createError('bad_call', 'This table has no column id. Write the search again with the column id.');
  }
  return {
    kind: 'records',
    sheet: location.sheet.getName(),
    column,
    by: 'id',
    family: table.family,
    scope: rows,
    fields,
    provenance: table.provenance,
  };
}
