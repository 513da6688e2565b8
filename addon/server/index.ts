// Dispatches calls of the sidebar: JSON in, JSON out.
import type { SavedSearch } from '../../shared/api/saved-searches.ts';
import type { Connection } from '../../shared/connection.ts';
import { defined } from '../../shared/lib/defined.ts';
import { maxCountQueries } from '../../shared/limits.ts';
import { findViolation, type Rule, type Rules } from '../../shared/payload-rules.ts';
import {
  chooseCompanyConnection,
  deleteConnection,
  findConnection,
  requireConnection,
} from '../client/connection.ts';
import { call, countAll, setSource } from '../client/gateway.ts';
import { ignoreUnknown, unwrap } from '../client/http.ts';
import { allowIdentity, confirmIdentity } from '../client/identity-store.ts';
import { setSheetSpending } from '../client/spending.ts';
import { createError, toFailure } from '../lib/addon-error.ts';
import { parseJson } from '../lib/json.ts';
import { withDocumentLock } from '../lib/lock.ts';
import { connectWithLink } from '../menu/connect.ts';
import { prepareBulk } from '../tables/bulk/plan.ts';
import { locateTables } from '../tables/locate.ts';
import { listCandidateColumns } from '../tables/lookup/candidate-columns.ts';
import { findDigest, planLookup, startLookup } from '../tables/lookup/plan.ts';
import { toLookupOrder } from '../tables/lookup/prepare.ts';
import { listTables } from '../tables/registry.ts';
import { type StartedRun, toProgress } from '../tables/runs/run-store.ts';
import { listSampleRows } from '../tables/search/full-records.ts';
import { planSearch, startSearch } from '../tables/search/plan.ts';
import { buildTemplate, listTemplates } from '../tables/templates/build.ts';
import { setPersonsLanguage } from '../texts/person.ts';
import type { Empty, Method, Payload, Progress, Reply, Status } from './api/index.ts';
import { listDeliveries, startDelivery } from './bulk/deliveries.ts';
import { listBulkOrders, openBulkEvents, startBulk, stopBulk, writeBulk } from './bulk/orders.ts';
import { logError } from './error-log.ts';
import {
  freezeGroup,
  listFormulas,
  planRerun,
  rerunFormulas,
  setSpendingOfFormulas,
  showGroup,
} from './formula-monitor.ts';
import { findPayer } from './formula-prices.ts';
import { completePending, countPending, insertFormula } from './formulas.ts';
import { dismissMerge, mergeFormulas, planMerge } from './merge-formulas.ts';
import { listUncertainNames, resetChoice, toChoicesLookup } from './names.ts';
import { cancelStep, discardRun, listOpenRuns, stepRun, stopRun, undo } from './runs.ts';
import { activity, changeConnection, saveDraft, setTab, status } from './status.ts';
import { getAutoRefresh, setAutoRefresh } from './tables/auto-refresh.ts';
import { getEnrichment, setEnrichment } from './tables/enrichment.ts';
import { updateRegistration } from './tables/registration.ts';
import { listTableViews } from './tables/table-views.ts';
import {
  freezeTable,
  moveTable,
  planRefresh,
  refreshTable,
  renameTable,
  showTable,
  toRecordsLookup,
  trackCopy,
  untrackTable,
} from './tables/tables.ts';
import { repairTriggers } from './triggers.ts';

const listSearches = (): SavedSearch[] => unwrap(call(requireConnection(), 'listSearches')).searches;

const listAlerts = () => unwrap(call(requireConnection(), 'listAlerts'));

/** Adds the empty result of a method. */
const quietly =
  <P>(work: (payload: P) => void) =>
  (payload: P): Empty => {
    work(payload);
    return {};
  };

/** Adds the state of the spreadsheet afterwards. */
const thenStatus =
  <P>(change: (payload: P) => void) =>
  (payload: P): Status => {
    change(payload);
    return status();
  };

/** Adds the connection that the method uses. */
const connected =
  <P, R>(work: (payload: P, connection: Connection) => R) =>
  (payload: P): R =>
    work(payload, requireConnection());

/** Runs the method while no other one writes into the spreadsheet. */
const locked =
  <P, R>(work: (payload: P) => R) =>
  (payload: P): R =>
    withDocumentLock(() => work(payload));

const starts = <P>(work: (payload: P, connection: Connection) => StartedRun): ((payload: P) => Progress) =>
  locked((payload) => {
    const { run, table } = work(payload, requireConnection());
    return toProgress(run, table);
  });

type Handlers = { readonly [M in Method]: (payload: Payload<M>) => unknown };

/**
 * Each method is one call of google.script.run and may fail as `Reply` says. Methods that start a run create only the sheet or
 * the headings. The page then calls `step`, 25 s at most each, until the state is `done`. To stop a run, the page waits for the
 * current call, which `cancelStep` shortens, and then calls `stop`. An abandoned run stays in `unfinished`.
 */
const handlers = {
  status,
  laterTabs: () => HtmlService.createTemplateFromFile('SidebarTabs').getRawContent(),
  setTab: quietly(setTab),
  saveDraft: quietly(saveDraft),
  connect: (payload) => changeConnection(() => connectWithLink(payload.link, payload.for)),
  connectCompany: () => changeConnection(chooseCompanyConnection),
  connectAccount: thenStatus(allowIdentity),
  confirmAccount: thenStatus(confirmIdentity),
  disconnect: (payload) => changeConnection(() => deleteConnection(payload.for)),
  setSpending: thenStatus(({ on }) => setSheetSpending(on)),

  ask: (payload) => unwrap(call(requireConnection(), 'ask', { body: payload })),
  count: ({ family, query }) => {
    const request = { ...query, family, items_per_page: 1, explain_empty: true };
    const { total, without = [] } = unwrap(call(requireConnection(), 'search', { body: request }));
    return { total, without };
  },
  counts: ({ family, queries }) => ({
    totals: countAll(requireConnection(), family, queries.slice(0, maxCountQueries)),
  }),
  sampleRows: (payload) => ({ rows: listSampleRows(payload, requireConnection()) }),
  fields: ({ family }) => {
    const { columns, preview, defaults } = unwrap(
      call(requireConnection(), 'getFields', { params: { family } }),
    );
    return { columns, preview, defaults: [...defaults] };
  },
  planSearch: connected(planSearch),
  startSearch: starts((payload, connection) => {
    const started = startSearch(payload, payload, connection);
    // The search of an existing table may have changed.
    updateRegistration(started.table, connection);
    return started;
  }),

  columns: () => {
    const all = listTables();
    return listCandidateColumns(all, locateTables(all).places);
  },
  planEnrich: (payload) => planLookup(toLookupOrder(payload), requireConnection()),
  startEnrich: starts((payload, connection) => startLookup(toLookupOrder(payload), payload, connection)),

  uncertainNames: listUncertainNames,
  planChoices: connected((payload, connection) => planLookup(toChoicesLookup(payload), connection)),
  startChoices: starts((payload, connection) => startLookup(toChoicesLookup(payload), payload, connection)),
  resetChoice: locked(resetChoice),

  step: ({ runId }) => withDocumentLock(() => stepRun(runId, requireConnection())),
  cancelStep: quietly(({ runId }) => cancelStep(runId, requireConnection())),
  stop: ({ runId }) => withDocumentLock(() => stopRun(runId, findConnection()?.connection)),
  undo: ({ runId }) => withDocumentLock(() => undo(runId)),
  unfinished: listOpenRuns,
  discardRun: quietly(locked(({ runId }) => discardRun(runId, findConnection()?.connection))),

  tables: listTableViews,
  planRefresh: connected(planRefresh),
  refreshTable: starts(refreshTable),
  freezeTable: locked(freezeTable),
  untrackTable: locked(untrackTable),
  renameTable: locked(renameTable),
  moveTable: locked(moveTable),
  trackCopy: locked(trackCopy),
  showTable: quietly(showTable),
  planRecords: connected((payload, connection) => planLookup(toRecordsLookup(payload), connection)),
  startRecords: starts((payload, connection) => startLookup(toRecordsLookup(payload), payload, connection)),

  templates: () => listTemplates(findPayer()),
  buildTemplate: locked(buildTemplate),

  activity,
  savedSearches: listSearches,
  saveSearch: ({ id, ...search }) => {
    const connection = requireConnection();
    unwrap(
      id === undefined
        ? call(connection, 'createSearch', { body: search })
        : call(connection, 'putSearch', { params: { id }, body: search }),
    );
    return listSearches();
  },
  deleteSearch: ({ id }) => {
    unwrap(call(requireConnection(), 'deleteSearch', { params: { id } }));
    return listSearches();
  },
  insertFormula,

  pending: () => countPending(requireConnection()),
  completePending,
  formulas: listFormulas,
  planRerun,
  rerunFormulas: locked(rerunFormulas),
  freezeFormulas: locked(freezeGroup),
  showFormulas: quietly(showGroup),
  setFormulaSpending: locked(setSpendingOfFormulas),
  planMerge,
  mergeFormulas: locked(mergeFormulas),
  dismissMerge: quietly(dismissMerge),

  planBulk: (payload) => prepareBulk(payload, requireConnection()).plan,
  startBulk: locked(connected(startBulk)),
  bulkRequests: () => listBulkOrders(requireConnection()),
  bulkEvents: connected(openBulkEvents),
  stopBulk: connected(stopBulk),
  writeBulk: starts(writeBulk),

  deliveries: ({ watched }) => {
    const digest = watched && findDigest(toLookupOrder(watched));
    return { ...listDeliveries(requireConnection()), ...defined({ digest }) };
  },
  writeDelivery: starts(startDelivery),

  autoRefresh: connected(getAutoRefresh),
  setAutoRefresh: locked(connected(setAutoRefresh)),

  repairTriggers: (payload) => {
    repairTriggers();
    return getEnrichment(payload, requireConnection());
  },
  enrichment: connected(getEnrichment),
  setEnrichment: locked(connected(setEnrichment)),

  assistantCode: () => unwrap(call(requireConnection(), 'createAssistantCode')),
  alerts: listAlerts,
  addAlert: (payload) => {
    unwrap(call(requireConnection(), 'createAlert', { body: payload }));
    return listAlerts();
  },
  testAlert: ({ id }) => {
    unwrap(call(requireConnection(), 'testAlert', { params: { id } }));
    return listAlerts();
  },
  removeAlert: ({ id }) => {
    ignoreUnknown(call(requireConnection(), 'deleteAlert', { params: { id } }));
    return listAlerts();
  },
} satisfies Handlers;

export type MethodResult<M extends Method> = ReturnType<(typeof handlers)[M]>;

const handlersByName: Handlers = handlers;

const isMethod = (name: unknown): name is Method =>
  typeof name === 'string' && Object.keys(handlers).includes(name);

/** @throws AddonError `bad_call` if the payload is invalid */
function dispatch<M extends Method>(method: M, payload: unknown): unknown {
  requirePayload(method, payload);
  const handler: (payload: Payload<M>) => unknown = handlersByName[method];
  return handler(payload);
}

/** Handles a call of the sidebar. It never throws. */
export function handleCall(request: string): string {
  setPersonsLanguage();
  setSource('table');
  const call = parseJson(request);
  let reply: Reply<unknown>;
  try {
    if (typeof call !== 'object' || call === null || !('method' in call) || !isMethod(call.method)) {
      throw createError('bad_call', 'This sidebar is outdated. Close it and open it again.');
    }
    const payload = 'payload' in call ? call.payload : {};
    reply = { ok: true, value: dispatch(call.method, payload) };
  } catch (error) {
    const failure = toFailure(error);
    // The sidebar has shown why the sheet is not as expected.
    if (failure.code !== 'gone') logError(failure);
    reply = { ok: false, ...failure };
  }
  return JSON.stringify(reply);
}

/** The build generates these from the schemas in shared/api/sidebar.ts. */
declare const CDAPI_PAYLOADS: { readonly methods: Readonly<Record<Method, Rule>>; readonly rules: Rules };

/**
 * Requires that a payload has the shape of its method. The gateway validates lengths and field names.
 * @throws AddonError `bad_call` that names the invalid part
 */
function requirePayload<M extends Method>(method: M, payload: unknown): asserts payload is Payload<M> {
  const { methods, rules } = CDAPI_PAYLOADS;
  const fault = findViolation(rules, methods[method], payload, method);
  if (fault === undefined) return;
  throw createError(
    'bad_call',
    'This sidebar is outdated: {fault} is not as expected. Close it and open it again.',
    { fault },
  );
}
