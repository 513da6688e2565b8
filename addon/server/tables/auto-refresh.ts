// How tables refresh by themselves, and whom the team has told of it.
import type { Schedule } from '../../../shared/api/schedules.ts';
import type { Connection } from '../../../shared/connection.ts';
import {
  addAlert,
  alertsOf,
  deleteSchedule,
  putSchedule,
  removeAlert,
  schedulesOf,
  tablesOf,
  testAlert,
} from '../../client/gateway-data-requests.ts';
import { bodyOf } from '../../client/gateway-history.ts';
import { Refusal } from '../../lib/addon-error.ts';
import { here, placed } from '../../tables/located-table.ts';
import { type TableRecord, tableOf } from '../../tables/registry.ts';
import { idColumn } from '../../tables/rows/update-rows.ts';
import type { Payload, Upkeep, Value } from '../api/index.ts';
import { register, registerAgain, rest } from './registration.ts';

/** Why a table can't refresh by itself: cause and next step; undefined where it can. */
function hindrance(table: TableRecord): string | undefined {
  const { kind, frozen, query, requestId } = table;
  if (frozen) return 'This table is frozen: nothing refreshes it. Write its search to a new sheet.';
  if (kind === 'enrich' || kind === 'records') {
    return 'Values that were looked up for a column don’t refresh by themselves. Refresh them here, or write a search to a new sheet.';
  }
  if (kind === 'bulk' && (query === undefined || requestId === undefined)) {
    return 'The records of this table were named by keys, so nothing new can be found. Ask for them again under Bulk.';
  }
  if (query === undefined) return 'The search of this table is not remembered. Write it to a new sheet.';
  if (idColumn(table) < 0) {
    return 'Rows are known by their ids. Write the search to a new sheet with the column id.';
  }
  return undefined;
}

function known(id: string): TableRecord {
  const table = tableOf(id);
  if (table === undefined) throw new Refusal('gone', 'This table is not remembered here any more.');
  return table;
}

/** How a table refreshes by itself. */
export function upkeep({ tableId }: Payload<'upkeep'>, connection: Connection): Upkeep {
  const table = known(tableId);
  const cannot = hindrance(table);
  const { tables, push_account: pushAccount = null } = bodyOf(tablesOf(connection));
  const { schedules } = bodyOf(schedulesOf(connection));
  const view = tables.find(({ id }) => id === tableId);
  // People moved it to another sheet: the Worker looks for it where it was.
  if (view !== undefined && view.spreadsheet.sheet_id !== table.place.sheetId)
    registerAgain(table, connection);
  return {
    schedule: schedules.find((each) => each.table === tableId) ?? null,
    push: view?.push ?? false,
    pushed: view?.pushed ?? null,
    pushAccount,
    ...(cannot === undefined ? {} : { cannot }),
  };
}

/**
 * Has a table refresh by itself, changes how it does, or ends it.
 * @throws Refusal where the table can't, or the gateway refuses
 */
export function setUpkeep(payload: Payload<'setUpkeep'>, connection: Connection): Upkeep {
  const { tableId, schedule, push } = payload;
  const own = known(tableId);
  const cannot = hindrance(own);
  const ends = schedule === null && !push;
  if (ends) rest(own, connection);
  else {
    if (cannot !== undefined) throw new Refusal('bad_call', cannot);
    const { table, found } = here(tableId);
    const before = { ...placed(table, found), push };
    bodyOf(register(before, connection));
    if (schedule !== null) bodyOf(putSchedule(connection, tableId, schedule));
    else {
      const answer = deleteSchedule(connection, tableId);
      if (!answer.ok && answer.code !== 'not_found') bodyOf(answer);
    }
  }
  return upkeep({ tableId }, connection);
}

/** The schedules of tables, by the tables' ids; none where they can't be asked for: a list of tables is told all the same. */
export function scheduled(tables: readonly TableRecord[], connection: Connection | undefined) {
  const some = tables.some(({ registered, frozen }) => registered === true && !frozen);
  const answer = some && connection !== undefined ? schedulesOf(connection) : undefined;
  const list: readonly Schedule[] = answer?.ok === true ? answer.body.schedules : [];
  return new Map(list.map(({ table, every, state, month: { spent } }) => [table, { every, state, spent }]));
}

/** Whom the team has told. */
export function alerts(connection: Connection): Value<'alerts'> {
  return { alerts: bodyOf(alertsOf(connection)).alerts };
}

/** Has one more told. */
export function newAlert(payload: Payload<'addAlert'>, connection: Connection): Value<'alerts'> {
  bodyOf(addAlert(connection, payload));
  return alerts(connection);
}

/** Has one told that this is a test. */
export function tryAlert({ id }: Payload<'testAlert'>, connection: Connection): Value<'alerts'> {
  bodyOf(testAlert(connection, id));
  return alerts(connection);
}

/** Has one told no more. */
export function dropAlert({ id }: Payload<'removeAlert'>, connection: Connection): Value<'alerts'> {
  const answer = removeAlert(connection, id);
  if (!answer.ok && answer.code !== 'not_found') bodyOf(answer);
  return alerts(connection);
}
