// Everything that the sidebar's page asks of the script, through one public function: JSON in, JSON out.
import { findConnection } from '../client/connection.ts';
import { fieldsOf, search } from '../client/gateway.ts';
import { bodyOf, connected, forgetSearch, keepSearch, savedSearchesOf } from '../client/gateway-history.ts';
import { Refusal, told } from '../lib/addon-error.ts';
import { readJson } from '../lib/json.ts';
import { whileLocked } from '../lib/lock.ts';
import { prepareBulk } from '../tables/bulk/plan.ts';
import { findTables } from '../tables/locate.ts';
import { candidateColumns } from '../tables/lookup/candidate-columns.ts';
import { planKeys, startKeys } from '../tables/lookup/plan.ts';
import { orderOf } from '../tables/lookup/prepare.ts';
import { allTables, type TableRecord } from '../tables/registry.ts';
import { progressOf, type RunRecord } from '../tables/runs/run-store.ts';
import { planSearch, startSearch } from '../tables/search/plan.ts';
import type { Empty, Method, Payload, Progress, Reply, Value } from './api/index.ts';
import { arrivals, startArrival } from './bulk/deliveries.ts';
import { bulkEvents, bulkRequests, startBulk, stopBulk, writeBulk } from './bulk/orders.ts';
import { keepError } from './error-log.ts';
import { completePending, formulaFor, pending } from './formulas.ts';
import { requirePayload } from './require-payload.ts';
import { dropRun, openRuns, stepRun, stopRun, takeBack, withdraw } from './runs.ts';
import { activity, connect, disconnect, setSpending, setTab, status } from './status.ts';
import { alerts, dropAlert, newAlert, setUpkeep, tryAlert, upkeep } from './tables/auto-refresh.ts';
import { registerAgain } from './tables/registration.ts';
import {
  forget,
  freezeTable,
  moveTable,
  planRecords,
  planRefresh,
  refreshTable,
  showTable,
  startRecords,
  tables,
} from './tables/tables.ts';

const nothing: Empty = {};

/** A run that was just started, as the page is told. */
const started = ({ run, table }: { run: RunRecord; table: TableRecord }): Progress => progressOf(run, table);

const server: { readonly [M in Method]: (payload: Payload<M>) => Value<M> } = {
  status,
  setTab: (payload) => {
    setTab(payload);
    return nothing;
  },
  connect,
  disconnect,
  setSpending,

  count: ({ family, query }) => {
    const request = { ...query, family, items_per_page: 1, explain_empty: true };
    const { total, without = [] } = bodyOf(search(connected(), request));
    return { total, without };
  },
  fields: ({ family }) => {
    const { columns, preview, defaults } = bodyOf(fieldsOf(connected(), family));
    return { columns, preview, defaults: [...defaults] };
  },
  planSearch: (payload) => planSearch(payload, connected()),
  startSearch: ({ approval, confirmed = false, ...order }) =>
    whileLocked(() => {
      const begun = startSearch(order, { approval, confirmed }, connected());
      // The search of a table that is there may be another one.
      registerAgain(begun.table, connected());
      return started(begun);
    }),

  columns: () => {
    const all = allTables();
    return candidateColumns(all, findTables(all));
  },
  planEnrich: (payload) => planKeys(orderOf(payload), connected()),
  startEnrich: ({ approval, confirmed = false, ...order }) =>
    whileLocked(() => started(startKeys(orderOf(order), { approval, confirmed }, connected()))),

  step: ({ runId }) => whileLocked(() => stepRun(runId, connected())),
  withdraw: ({ runId }) => {
    withdraw(runId, connected());
    return nothing;
  },
  stop: ({ runId }) => whileLocked(() => stopRun(runId, findConnection()?.connection)),
  undo: ({ runId }) => whileLocked(() => ({ cells: takeBack(runId) })),
  unfinished: openRuns,
  dropRun: ({ runId }) => {
    whileLocked(() => dropRun(runId, findConnection()?.connection));
    return nothing;
  },

  tables,
  planRefresh: (payload) => planRefresh(payload, connected()),
  refreshTable: (payload) => whileLocked(() => started(refreshTable(payload, connected()))),
  freezeTable: (payload) => whileLocked(() => freezeTable(payload)),
  forgetTable: (payload) => whileLocked(() => forget(payload)),
  moveTable: (payload) => whileLocked(() => moveTable(payload)),
  showTable: (payload) => {
    showTable(payload);
    return nothing;
  },
  planRecords: (payload) => planRecords(payload, connected()),
  fullRecords: (payload) => whileLocked(() => started(startRecords(payload, connected()))),

  activity,
  savedSearches: () => savedSearchesOf(connected()),
  saveSearch: (payload) => {
    keepSearch(connected(), payload);
    return savedSearchesOf(connected());
  },
  deleteSearch: ({ id }) => {
    forgetSearch(connected(), id);
    return savedSearchesOf(connected());
  },
  formulaFor,

  pending: () => pending(connected()),
  completePending: () => completePending(connected()),

  planBulk: (payload) => prepareBulk(payload, connected()).plan,
  startBulk: (payload) => whileLocked(() => startBulk(payload, connected())),
  bulkRequests: () => bulkRequests(connected()),
  bulkEvents: (payload) => bulkEvents(payload, connected()),
  stopBulk: (payload) => stopBulk(payload, connected()),
  writeBulk: (payload) => whileLocked(() => started(writeBulk(payload, connected()))),

  arrivals: () => arrivals(connected()),
  writeArrival: (payload) => whileLocked(() => started(startArrival(payload, connected()))),

  upkeep: (payload) => upkeep(payload, connected()),
  setUpkeep: (payload) => whileLocked(() => setUpkeep(payload, connected())),

  alerts: () => alerts(connected()),
  addAlert: (payload) => newAlert(payload, connected()),
  testAlert: (payload) => tryAlert(payload, connected()),
  removeAlert: (payload) => dropAlert(payload, connected()),
};

const isMethod = (name: unknown): name is Method =>
  typeof name === 'string' && Object.keys(server).includes(name);

/** @throws Refusal `bad_call` where the payload is not what the method takes */
function answer<M extends Method>(method: M, payload: unknown): Value<M> {
  requirePayload(method, payload);
  const own: (payload: Payload<M>) => Value<M> = server[method];
  return own(payload);
}

/**
 * Answers a call of the page.
 * @param request - JSON of a `Call`
 * @returns JSON of a `Reply`; it never throws
 */
export function handle(request: string): string {
  const call = readJson(request);
  let reply: Reply<unknown>;
  try {
    if (typeof call !== 'object' || call === null || !('method' in call) || !isMethod(call.method)) {
      throw new Refusal('bad_call', 'This sidebar is of another version. Close it and open it again.');
    }
    const payload = 'payload' in call ? call.payload : {};
    reply = { ok: true, value: answer(call.method, payload) };
  } catch (error) {
    const refusal = told(error);
    keepError(refusal);
    reply = { ok: false, ...refusal };
  }
  return JSON.stringify(reply);
}
