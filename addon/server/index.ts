// Dispatches calls of the sidebar: JSON in, JSON out.
import { maxCountQueries } from '../../shared/limits.ts';
import { findConnection } from '../client/connection.ts';
import { getFields, search, setSource } from '../client/gateway.ts';
import { askForForm } from '../client/gateway-assistant.ts';
import { countAll } from '../client/gateway-counts.ts';
import { createAssistantCode } from '../client/gateway-data-requests.ts';
import {
  deleteSearch,
  listSavedSearches,
  requireConnection,
  saveSearch,
  unwrap,
} from '../client/gateway-history.ts';
import { AddonError, toFailure } from '../lib/addon-error.ts';
import { parseJson } from '../lib/document-store.ts';
import { withDocumentLock } from '../lib/lock.ts';
import { prepareBulk } from '../tables/bulk/plan.ts';
import { locateTables } from '../tables/locate.ts';
import { listCandidateColumns } from '../tables/lookup/candidate-columns.ts';
import { findDigest, planLookup, startLookup } from '../tables/lookup/plan.ts';
import { toLookupOrder } from '../tables/lookup/prepare.ts';
import { listTables, type TableRecord } from '../tables/registry.ts';
import { type RunRecord, toProgress } from '../tables/runs/run-store.ts';
import { listSampleRows } from '../tables/search/full-records.ts';
import { planSearch, startSearch } from '../tables/search/plan.ts';
import { buildTemplate, listTemplates } from '../tables/templates/build.ts';
import type { Empty, Method, MethodResult, Payload, Progress, Reply } from './api/index.ts';
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
import { forgetChoice, listUncertainNames, planChoices, startChoices } from './names.ts';
import { requirePayload } from './require-payload.ts';
import { cancelStep, discardRun, listOpenRuns, stepRun, stopRun, undo } from './runs.ts';
import {
  activity,
  confirmAccount,
  connect,
  connectAccount,
  connectCompany,
  disconnect,
  saveDraft,
  setSpending,
  setTab,
  status,
} from './status.ts';
import { getAutoEnrich, setAutoEnrich } from './tables/auto-enrich.ts';
import {
  addAlert,
  getAutoRefresh,
  listTeamAlerts,
  removeAlert,
  setAutoRefresh,
  testAlert,
} from './tables/auto-refresh.ts';
import { updateRegistration } from './tables/registration.ts';
import { listTableViews } from './tables/table-views.ts';
import {
  freezeTable,
  moveTable,
  planRecords,
  planRefresh,
  refreshTable,
  renameTable,
  showTable,
  startRecords,
  trackCopy,
  untrackTable,
} from './tables/tables.ts';
import { repairTriggers } from './triggers.ts';

const EMPTY: Empty = {};

/** Converts a started run to its progress. */
const toStartedProgress = ({ run, table }: { run: RunRecord; table: TableRecord }): Progress =>
  toProgress(run, table);

const handlers: { readonly [M in Method]: (payload: Payload<M>) => MethodResult<M> } = {
  status,
  laterTabs: () => HtmlService.createTemplateFromFile('SidebarTabs').getRawContent(),
  setTab: (payload) => {
    setTab(payload);
    return EMPTY;
  },
  saveDraft: (payload) => {
    saveDraft(payload);
    return EMPTY;
  },
  connect,
  connectCompany,
  connectAccount,
  confirmAccount,
  disconnect,
  setSpending,

  ask: (payload) => unwrap(askForForm(requireConnection(), payload)),
  count: ({ family, query }) => {
    const request = { ...query, family, items_per_page: 1, explain_empty: true };
    const { total, without = [] } = unwrap(search(requireConnection(), request));
    return { total, without };
  },
  counts: ({ family, queries }) => ({
    totals: countAll(requireConnection(), family, queries.slice(0, maxCountQueries)),
  }),
  sampleRows: (payload) => ({ rows: listSampleRows(payload, requireConnection()) }),
  fields: ({ family }) => {
    const { columns, preview, defaults } = unwrap(getFields(requireConnection(), family));
    return { columns, preview, defaults: [...defaults] };
  },
  planSearch: (payload) => planSearch(payload, requireConnection()),
  startSearch: (payload) =>
    withDocumentLock(() => {
      const started = startSearch(payload, payload, requireConnection());
      // The search of an existing table may have changed.
      updateRegistration(started.table, requireConnection());
      return toStartedProgress(started);
    }),

  columns: () => {
    const all = listTables();
    return listCandidateColumns(all, locateTables(all).places);
  },
  planEnrich: (payload) => planLookup(toLookupOrder(payload), requireConnection()),
  startEnrich: (payload) =>
    withDocumentLock(() =>
      toStartedProgress(startLookup(toLookupOrder(payload), payload, requireConnection())),
    ),

  uncertainNames: listUncertainNames,
  planChoices: (payload) => planChoices(payload, requireConnection()),
  startChoices: (payload) =>
    withDocumentLock(() => toStartedProgress(startChoices(payload, requireConnection()))),
  forgetChoice: (payload) => withDocumentLock(() => forgetChoice(payload)),

  step: ({ runId }) => withDocumentLock(() => stepRun(runId, requireConnection())),
  cancelStep: ({ runId }) => {
    cancelStep(runId, requireConnection());
    return EMPTY;
  },
  stop: ({ runId }) => withDocumentLock(() => stopRun(runId, findConnection()?.connection)),
  undo: ({ runId }) => withDocumentLock(() => undo(runId)),
  unfinished: listOpenRuns,
  discardRun: ({ runId }) => {
    withDocumentLock(() => discardRun(runId, findConnection()?.connection));
    return EMPTY;
  },

  tables: listTableViews,
  planRefresh: (payload) => planRefresh(payload, requireConnection()),
  refreshTable: (payload) =>
    withDocumentLock(() => toStartedProgress(refreshTable(payload, requireConnection()))),
  freezeTable: (payload) => withDocumentLock(() => freezeTable(payload)),
  forgetTable: (payload) => withDocumentLock(() => untrackTable(payload)),
  renameTable: (payload) => withDocumentLock(() => renameTable(payload)),
  moveTable: (payload) => withDocumentLock(() => moveTable(payload)),
  trackCopy: (payload) => withDocumentLock(() => trackCopy(payload)),
  showTable: (payload) => {
    showTable(payload);
    return EMPTY;
  },
  planRecords: (payload) => planRecords(payload, requireConnection()),
  startRecords: (payload) =>
    withDocumentLock(() => toStartedProgress(startRecords(payload, requireConnection()))),

  templates: () => listTemplates(findPayer()),
  buildTemplate: (payload) => withDocumentLock(() => buildTemplate(payload)),

  activity,
  savedSearches: () => listSavedSearches(requireConnection()),
  saveSearch: ({ id, ...search }) => {
    saveSearch(requireConnection(), search, id);
    return listSavedSearches(requireConnection());
  },
  deleteSearch: ({ id }) => {
    deleteSearch(requireConnection(), id);
    return listSavedSearches(requireConnection());
  },
  insertFormula,

  pending: () => countPending(requireConnection()),
  completePending: () => completePending(requireConnection()),
  formulas: listFormulas,
  planRerun,
  rerunFormulas: (payload) => withDocumentLock(() => rerunFormulas(payload)),
  freezeFormulas: (payload) => withDocumentLock(() => freezeGroup(payload)),
  showFormulas: (payload) => {
    showGroup(payload);
    return EMPTY;
  },
  setFormulaSpending: (payload) => withDocumentLock(() => setSpendingOfFormulas(payload)),
  planMerge,
  mergeFormulas: (payload) => withDocumentLock(() => mergeFormulas(payload)),
  dismissMerge: (payload) => {
    dismissMerge(payload);
    return EMPTY;
  },

  planBulk: (payload) => prepareBulk(payload, requireConnection()).plan,
  startBulk: (payload) => withDocumentLock(() => startBulk(payload, requireConnection())),
  bulkRequests: () => listBulkOrders(requireConnection()),
  bulkEvents: (payload) => openBulkEvents(payload, requireConnection()),
  stopBulk: (payload) => stopBulk(payload, requireConnection()),
  writeBulk: (payload) => withDocumentLock(() => toStartedProgress(writeBulk(payload, requireConnection()))),

  deliveries: ({ watched }) => {
    const digest = watched && findDigest(toLookupOrder(watched));
    return { ...listDeliveries(requireConnection()), ...(digest === undefined ? {} : { digest }) };
  },
  writeDelivery: (payload) =>
    withDocumentLock(() => toStartedProgress(startDelivery(payload, requireConnection()))),

  autoRefresh: (payload) => getAutoRefresh(payload, requireConnection()),
  setAutoRefresh: (payload) => withDocumentLock(() => setAutoRefresh(payload, requireConnection())),

  repairTriggers: (payload) => {
    repairTriggers();
    return getAutoEnrich(payload, requireConnection());
  },
  autoEnrich: (payload) => getAutoEnrich(payload, requireConnection()),
  setAutoEnrich: (payload) => withDocumentLock(() => setAutoEnrich(payload, requireConnection())),

  assistantCode: () => unwrap(createAssistantCode(requireConnection())),

  alerts: () => listTeamAlerts(requireConnection()),
  addAlert: (payload) => addAlert(payload, requireConnection()),
  testAlert: (payload) => testAlert(payload, requireConnection()),
  removeAlert: (payload) => removeAlert(payload, requireConnection()),
};

const isMethod = (name: unknown): name is Method =>
  typeof name === 'string' && Object.keys(handlers).includes(name);

/** @throws AddonError `bad_call` if the payload is invalid */
function dispatch<M extends Method>(method: M, payload: unknown): MethodResult<M> {
  requirePayload(method, payload);
  const handler: (payload: Payload<M>) => MethodResult<M> = handlers[method];
  return handler(payload);
}

/**
 * Handles a call of the sidebar. It never throws.
 * @param request - JSON of a `MethodCall`
 * @returns JSON of a `Reply`
 */
export function handleCall(request: string): string {
  setSource('table');
  const call = parseJson(request);
  let reply: Reply<unknown>;
  try {
    if (typeof call !== 'object' || call === null || !('method' in call) || !isMethod(call.method)) {
      throw new AddonError('bad_call', 'This sidebar is outdated. Close it and open it again.');
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
