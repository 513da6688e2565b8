// The automatic refresh of tables, and alerts.
import type { TableReport } from '../../../shared/api/enrichments.ts';
import type { Connection } from '../../../shared/connection.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { call } from '../../client/gateway.ts';
import { ignoreUnknown, unwrap } from '../../client/http.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { requireTable, requireTracked } from '../../tables/located-table.ts';
import { findTable, saveTable, type TableRecord } from '../../tables/registry.ts';
import { findIdColumn } from '../../tables/rows/write-rows.ts';
import { t } from '../../texts/texts.ts';
import type { AutoRefresh, Payload } from '../api/index.ts';
import { pauseRegistration, register } from './registration.ts';

/** Explains why a table can't refresh automatically; undefined if it can. */
function findObstacle(table: TableRecord): string | undefined {
  const { kind, frozen, query, requestId } = table;
  if (frozen) return t('This table is frozen, so it can’t be refreshed. Write its search to a new sheet.');
  if (kind === 'enrich' || kind === 'records' || kind === 'count') {
    return t(
      'Looked-up columns can’t refresh automatically. Refresh them here, or write a search to a new sheet.',
    );
  }
  if (kind === 'bulk' && (query === undefined || requestId === undefined)) {
    return t(
      'This table’s records were ordered one by one, so there is no search to refresh. Order them again under Bulk.',
    );
  }
  if (query === undefined) return t('The search of this table is missing. Write it to a new sheet.');
  if (table.accounts !== undefined)
    return t('People and jobs at companies of a column can’t refresh automatically. Refresh them here.');
  if (findIdColumn(table) < 0) {
    return t('Rows are matched by id. Write the search to a new sheet with the column id.');
  }
  return undefined;
}

/** Returns what a table reports. Only the gateway reports, so other tables report nothing. */
const readReport = (tableId: string, push: boolean, connection: Connection): TableReport =>
  push
    ? unwrap(call(connection, 'getTableReport', { params: { id: tableId } }))
    : { changes: false, snapshots: 0 };

export function getAutoRefresh({ tableId }: Payload<'autoRefresh'>, connection: Connection): AutoRefresh {
  const table = requireTracked(tableId);
  const obstacle = findObstacle(table);
  const { tables, push_account: pushAccount } = unwrap(call(connection, 'listTables'));
  const { schedules } = unwrap(call(connection, 'listSchedules'));
  const view = tables.find(({ id }) => id === tableId);
  return {
    schedule: schedules.find((each) => each.table === tableId) ?? null,
    push: view?.push ?? false,
    skipDeleted: table.skipDeleted === true,
    report: readReport(tableId, view?.push === true, connection),
    lastPush: view?.last_push ?? null,
    pushAccount,
    ...defined({ pushProblem: view?.push_problem, obstacle }),
  };
}

/**
 * Creates, changes or ends the automatic refresh of a table.
 * @throws AddonError if the table can't refresh automatically, or the gateway refuses
 */
export function setAutoRefresh(payload: Payload<'setAutoRefresh'>, connection: Connection): AutoRefresh {
  const { tableId, schedule, push, report, skipDeleted: skips } = payload;
  const stored = requireTracked(tableId);
  const obstacle = findObstacle(stored);
  const ends = schedule === null && !push;
  if (ends) pauseRegistration(stored, connection);
  else {
    if (obstacle !== undefined) throw new AddonError('bad_call', obstacle);
    const before = { ...requireTable(tableId).table, push };
    unwrap(register(before, connection));
    const { skipDeleted, ...table } = findTable(tableId) ?? before;
    // The gateway does not know which rows were deleted.
    const isSkipping = !push && (skips ?? skipDeleted === true);
    saveTable({ ...table, ...(isSkipping && { skipDeleted: true as const }) });
    if (push && report !== undefined)
      unwrap(call(connection, 'putTableReport', { params: { id: tableId }, body: report }));
    if (schedule !== null)
      unwrap(call(connection, 'putSchedule', { params: { table: tableId }, body: schedule }));
    else ignoreUnknown(call(connection, 'deleteSchedule', { params: { table: tableId } }));
  }
  return getAutoRefresh({ tableId }, connection);
}
