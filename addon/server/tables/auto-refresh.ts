// How tables refresh by themselves, and whom the team has told of it.
import type { Schedule } from '../../../shared/api/schedules.ts';
import type { Connection } from '../../../shared/connection.ts';
import {
  createAlert,
  deleteAlert,
  deleteSchedule,
  listAlerts,
  listRegisteredTables,
  listSchedules,
  putSchedule,
  sendTestAlert,
} from '../../client/gateway-data-requests.ts';
import { unwrap } from '../../client/gateway-history.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { requireTable, withPlace } from '../../tables/located-table.ts';
import { findTable, type TableRecord } from '../../tables/registry.ts';
import { findIdColumn } from '../../tables/rows/update-rows.ts';
import type { AutoRefresh, MethodResult, Payload } from '../api/index.ts';
import { pauseRegistration, register, updateRegistration } from './registration.ts';

/** Why a table can't refresh by itself: cause and next step; undefined where it can. */
function findObstacle(table: TableRecord): string | undefined {
  const { kind, frozen, query, requestId } = table;
  if (frozen) return 'This table is frozen: nothing refreshes it. Write its search to a new sheet.';
  if (kind === 'enrich' || kind === 'records') {
    return 'Values that were looked up for a column don’t refresh by themselves. Refresh them here, or write a search to a new sheet.';
  }
  if (kind === 'bulk' && (query === undefined || requestId === undefined)) {
    return 'The records of this table were named by keys, so nothing new can be found. Ask for them again under Bulk.';
  }
  if (query === undefined) return 'The search of this table is not remembered. Write it to a new sheet.';
  if (findIdColumn(table) < 0) {
    return 'Rows are known by their ids. Write the search to a new sheet with the column id.';
  }
  return undefined;
}

function requireStoredTable(id: string): TableRecord {
  const table = findTable(id);
  if (table === undefined) throw new AddonError('gone', 'This table is not remembered here any more.');
  return table;
}

/** How a table refreshes by itself. */
export function getAutoRefresh({ tableId }: Payload<'upkeep'>, connection: Connection): AutoRefresh {
  const table = requireStoredTable(tableId);
  const obstacle = findObstacle(table);
  const { tables, push_account: pushAccount = null } = unwrap(listRegisteredTables(connection));
  const { schedules } = unwrap(listSchedules(connection));
  const view = tables.find(({ id }) => id === tableId);
  // People moved it to another sheet: the Worker looks for it where it was.
  if (view !== undefined && view.spreadsheet.sheet_id !== table.place.sheetId)
    updateRegistration(table, connection);
  return {
    schedule: schedules.find((each) => each.table === tableId) ?? null,
    push: view?.push ?? false,
    pushed: view?.pushed ?? null,
    pushAccount,
    ...(obstacle === undefined ? {} : { obstacle: obstacle }),
  };
}

/**
 * Has a table refresh by itself, changes how it does, or ends it.
 * @throws Refusal where the table can't, or the gateway refuses
 */
export function setAutoRefresh(payload: Payload<'setUpkeep'>, connection: Connection): AutoRefresh {
  const { tableId, schedule, push } = payload;
  const stored = requireStoredTable(tableId);
  const obstacle = findObstacle(stored);
  const ends = schedule === null && !push;
  if (ends) pauseRegistration(stored, connection);
  else {
    if (obstacle !== undefined) throw new AddonError('bad_call', obstacle);
    const { table, location } = requireTable(tableId);
    const before = { ...withPlace(table, location), push };
    unwrap(register(before, connection));
    if (schedule !== null) unwrap(putSchedule(connection, tableId, schedule));
    else {
      const answer = deleteSchedule(connection, tableId);
      if (!answer.ok && answer.code !== 'not_found') unwrap(answer);
    }
  }
  return getAutoRefresh({ tableId }, connection);
}

/** The schedules of tables, by the tables' ids; none where they can't be asked for: a list of tables is told all the same. */
export function mapSchedules(tables: readonly TableRecord[], connection: Connection | undefined) {
  const some = tables.some(({ registered, frozen }) => registered === true && !frozen);
  const answer = some && connection !== undefined ? listSchedules(connection) : undefined;
  const list: readonly Schedule[] = answer?.ok === true ? answer.body.schedules : [];
  return new Map(list.map(({ table, every, state, month: { spent } }) => [table, { every, state, spent }]));
}

/** Whom the team has told. */
export function listTeamAlerts(connection: Connection): MethodResult<'alerts'> {
  return { alerts: unwrap(listAlerts(connection)).alerts };
}

/** Has one more told. */
export function addAlert(payload: Payload<'addAlert'>, connection: Connection): MethodResult<'alerts'> {
  unwrap(createAlert(connection, payload));
  return listTeamAlerts(connection);
}

/** Has one told that this is a test. */
export function testAlert({ id }: Payload<'testAlert'>, connection: Connection): MethodResult<'alerts'> {
  unwrap(sendTestAlert(connection, id));
  return listTeamAlerts(connection);
}

/** Has one told no more. */
export function removeAlert({ id }: Payload<'removeAlert'>, connection: Connection): MethodResult<'alerts'> {
  const answer = deleteAlert(connection, id);
  if (!answer.ok && answer.code !== 'not_found') unwrap(answer);
  return listTeamAlerts(connection);
}
