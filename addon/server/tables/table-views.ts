// The tracked tables as the sidebar lists them: contents, place, last run and schedule.

import type { Schedule } from '../../../shared/api/schedules.ts';
import { defined } from '../../../shared/lib/defined.ts';
import type { Loss } from '../../../shared/table/locate.ts';
import { findConnection } from '../../client/connection.ts';
import { call } from '../../client/gateway.ts';
import type { GatewayResult } from '../../client/http.ts';
import { findSheet } from '../../sheet/area.ts';
import { type BodyCells, locateTables, type TableLocation } from '../../tables/locate.ts';
import { formatLoss, getTableRange } from '../../tables/located-table.ts';
import { hasNames, readRowKeys } from '../../tables/lookup/keys.ts';
import { findFillObstacle, listRowsInScope, readLookupBody } from '../../tables/lookup/rows.ts';
import {
  isEnrichmentOn,
  listTables,
  listValuePaths,
  type StoredAccounts,
  type TableRecord,
} from '../../tables/registry.ts';
import { readRowsTogether } from '../../tables/rows/write-page.ts';
import { findIdColumn } from '../../tables/rows/write-rows.ts';
import { listUndoableRuns } from '../../tables/runs/undo.ts';
import { t } from '../../texts/texts.ts';
import type { AccountsSource, LastRun, Table } from '../api/index.ts';
import { getTriggerView } from '../triggers.ts';
import { createMissingSheetCheck, getLastFill, reportMissingSheets } from './fill-rows.ts';

const AT_COMPANIES = 'It reads its companies from the sheet, so it has no schedule: refresh it here.';
const SCHEDULE_STOPPED = 'Its schedule has stopped and buys nothing.';

const hasIds = (table: TableRecord): boolean => findIdColumn(table) >= 0;

/**
 * Tells whether all rows were written by the add-on. Such a table ends at the first empty row, others at the last key.
 */
export const ownsRows = ({ kind }: TableRecord): boolean => kind === 'search' || kind === 'bulk';

/** Counts the different keys of rows. Only the first key of a row counts. */
function countRecords(table: TableRecord, { values }: BodyCells, rows: readonly number[]): number {
  const keys = rows.flatMap((row) => {
    const key = readRowKeys(table, values[row] ?? []).find(({ kind }) => kind === 'key');
    return key === undefined ? [] : JSON.stringify(key);
  });
  return new Set(keys).size;
}

/** Counts the rows of a table, for a looked-up column only rows with values, and formats the range of all. */
function describeRows(
  table: TableRecord,
  location: TableLocation,
): Pick<Table, 'rows' | 'records' | 'range'> {
  const isOwner = ownsRows(table);
  const body = isOwner ? readRowsTogether(location) : readLookupBody(table, location);
  const range = getTableRange(location, body.area.rows);
  if (isOwner) return { rows: body.area.rows, range };
  const { rows } = listRowsInScope(table, location, body, { rows: 'filled' }, listValuePaths(table));
  return { rows: rows.length, records: countRecords(table, body, rows), range };
}

function describeLoss(
  loss: Loss | undefined,
  isMissing: boolean,
  schedule: Schedule['state'] | undefined,
): Partial<Table> {
  if (loss === undefined) return {};
  const gone = formatLoss(loss);
  return isMissing
    ? { gone: schedule === 'stopped' ? `${gone} ${t(SCHEDULE_STOPPED)}` : gone, sheetDeleted: true }
    : { gone };
}

function describeCopies(sheetIds: readonly number[] = []): Pick<Table, 'copies'> {
  const copies = sheetIds.flatMap((sheetId) => {
    const sheet = findSheet(sheetId)?.getName();
    return sheet === undefined ? [] : [{ sheetId, sheet }];
  });
  return copies.length === 0 ? {} : { copies };
}

const toAccountsView = ({ sheetId: _, ...source }: StoredAccounts): AccountsSource => source;

const toAutoRefreshView = (schedule: Schedule): NonNullable<Table['autoRefresh']> => {
  const { every, state, next_at: nextAt, max_credits: maxCredits, month } = schedule;
  return { every, state, nextAt, maxCredits, spent: month.spent };
};

/**
 * Returns the last run of a table: that of its schedule if the gateway wrote the rows, or the credits and the time of
 * the scheduled run whose rows were written here.
 */
function getLastRun({ lastRun, push }: TableRecord, last: Schedule['last'] | undefined): LastRun {
  const { scheduleRun, ...run } = lastRun;
  if (last?.state !== 'done') return run;
  const { id, at, rows, credits } = last;
  if (push === true && at > run.at) return { at, rows, credits, saved: 0, counts: { updated: rows } };
  return id === scheduleRun ? { ...run, at, credits } : run;
}

/** Reads an answer that the list works without. */
const findBody = <T>(answer: GatewayResult<T> | undefined): T | undefined =>
  answer?.ok ? answer.body : undefined;

/** Lists tracked tables: those of the open sheet first, the latest run first. */
export function listTableViews(): Table[] {
  const connection = findConnection()?.connection;
  if (connection !== undefined) reportMissingSheets(connection);
  const all = listTables();
  const { places, losses, copies } = locateTables(all);
  const open = SpreadsheetApp.getActiveSheet().getSheetId();
  const isOpen = ({ id }: TableRecord): boolean => places.get(id)?.sheet.getSheetId() === open;
  const isScheduled = all.some(({ registered, frozen }) => registered === true && !frozen);
  const isPushed = all.some(({ registered, push }) => registered === true && push === true);
  const { schedules: scheduled = [] } =
    findBody(connection && isScheduled ? call(connection, 'listSchedules') : undefined) ?? {};
  const { tables: pushed = [] } =
    findBody(connection && isPushed ? call(connection, 'listTables') : undefined) ?? {};
  const isFilled = connection !== undefined && all.some(isEnrichmentOn);
  const { enrichments = [] } = findBody(isFilled ? call(connection, 'listEnrichments') : undefined) ?? {};
  const schedules = new Map(scheduled.map((schedule) => [schedule.table, schedule]));
  const stopped = pushed.filter((table) => table.push_problem !== undefined);
  const filling = new Map(enrichments.map((enrichment) => [enrichment.id, enrichment]));
  const trigger = filling.size === 0 ? 'off' : getTriggerView().state;
  const isMissing = createMissingSheetCheck();
  const undoable = listUndoableRuns();
  const ordered = [...all].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  return ordered.map((table): Table => {
    const { id, title, kind, family, query, conditions, pages, accounts, mode, credits, frozen, requestId } =
      table;
    const { limit } = table;
    const schedule = schedules.get(id);
    const lastRun = getLastRun(table, schedule?.last);
    const undo = undoable.find(({ tableId }) => tableId === id);
    const fills = filling.get(id);
    const location = places.get(id);
    const limitedBy = all.find(({ id: counts }) => counts === accounts?.atLeast?.tableId);
    const manualReason = accounts === undefined ? findFillObstacle(table) : t(AT_COMPANIES);
    return {
      id,
      title,
      kind,
      sheet: location === undefined ? table.place.sheet : location.sheet.getName(),
      family,
      ...defined({
        query,
        conditions,
        pages,
        limit,
        accounts: accounts && toAccountsView(accounts),
        limitHeading: limitedBy?.title,
      }),
      columns: listValuePaths(table),
      mode,
      ...(location === undefined ? { rows: 0, range: '' } : describeRows(table, location)),
      lastRun,
      credits,
      frozen,
      hasIds: hasIds(table),
      ...(hasNames(table) && { hasNames: true }),
      ...(!frozen && defined({ manualReason })),
      ...describeLoss(losses.get(id), isMissing(table), schedule?.state),
      ...describeCopies(copies.get(id)),
      ...defined({
        undo: undo?.runId,
        request: requestId,
        autoRefresh: schedule && toAutoRefreshView(schedule),
        filling: fills && {
          state: fills.state,
          month_spent: fills.month_spent,
          last: getLastFill(table, fills),
          trigger,
        },
      }),
      ...(table.pendingMode && { isWaiting: true }),
      ...(stopped.some((each) => each.id === id) && { pushStopped: true }),
    };
  });
}
