// The API of the add-on, /sheets/v1: requests, responses and problems of its endpoints.
import * as z from 'zod';
import type { ProblemCode } from '../problems.ts';
import { sheetsCalls as calls } from '../sheets-calls.ts';
import * as account from './account.ts';
import * as accounts from './accounts.ts';
import * as common from './common.ts';
import * as dataRequests from './data-requests.ts';
import { endpoint, providerProblems, purchaseProblems, type ResponseOf } from './endpoint.ts';
import * as enrichments from './enrichments.ts';
import * as lookup from './lookup.ts';
import * as match from './match.ts';
import * as savedSearches from './saved-searches.ts';
import * as schedules from './schedules.ts';
import * as search from './search.ts';
import * as tables from './tables.ts';
import * as usage from './usage.ts';

const scoped = ['forbidden_scope'] as const;

/** Problems of calls that take names of fields. Rows carry the problems of their purchases, so a lookup lists none. */
const lookupProblems: readonly ProblemCode[] = ['unknown_field', 'forbidden_scope', 'not_configured'];

/** Problems of free calls that fail as a whole if the provider fails. */
const queryProblems: readonly ProblemCode[] = [...lookupProblems, ...providerProblems, 'pending'];

const buyingProblems: readonly ProblemCode[] = [
  ...queryProblems,
  ...purchaseProblems,
  'max_credits_reached',
  'confirm_price',
];

const orderProblems: readonly ProblemCode[] = [
  ...queryProblems,
  ...purchaseProblems,
  'price_changed',
  'already_ordered',
  'too_many',
];

const ofCompanies = { params: z.object({ list: accounts.accountList }) };
const ofSearch = { params: savedSearches.savedSearchParams };
const ofRequest = { params: dataRequests.dataRequestParams };
const ofTable = { params: tables.tableParams };
const ofSchedule = { params: schedules.scheduleParams };
const ofEnrichment = { params: enrichments.enrichmentParams };
const ofAlert = { params: schedules.alertParams };

export const sheetsEndpoints = {
  lookup: endpoint(calls.lookup, { body: lookup.lookupRequest }, lookup.lookupResponse, lookupProblems),
  estimate: endpoint(calls.estimate, { body: lookup.lookupRequest }, lookup.estimateResponse, lookupProblems),
  search: endpoint(calls.search, { body: search.searchRequest }, search.searchResponse, queryProblems),
  preview: endpoint(calls.preview, { body: search.previewRequest }, search.previewResponse, buyingProblems),
  estimatePreview: endpoint(
    calls.estimatePreview,
    { body: search.previewEstimateRequest },
    search.previewEstimateResponse,
    queryProblems,
  ),
  cancelLookup: endpoint(
    calls.cancelLookup,
    { params: z.object({ id: common.cancelId }) },
    lookup.cancelResponse,
    ['not_configured'],
  ),
  listAtCompanies: endpoint(
    calls.listAtCompanies,
    { ...ofCompanies, body: accounts.accountsRequest },
    accounts.accountsResponse,
    [...buyingProblems, 'price_changed'],
  ),
  estimateAtCompanies: endpoint(
    calls.estimateAtCompanies,
    { ...ofCompanies, body: accounts.accountsRequest },
    accounts.accountsEstimateResponse,
    queryProblems,
  ),
  countAtCompanies: endpoint(
    calls.countAtCompanies,
    { ...ofCompanies, body: accounts.accountCountsRequest },
    accounts.accountCountsResponse,
    queryProblems,
  ),
  matchNames: endpoint(calls.matchNames, { body: match.matchRequest }, match.matchResponse, buyingProblems),
  estimateMatch: endpoint(
    calls.estimateMatch,
    { body: match.matchRequest },
    match.matchEstimateResponse,
    queryProblems,
  ),
  ask: endpoint(calls.ask, { body: search.askRequest }, search.askResponse, [
    'forbidden_scope',
    'not_configured',
    'assistant_not_configured',
    'assistant_unavailable',
    'assistant_answer_invalid',
  ]),
  getAccount: endpoint(calls.getAccount, {}, account.meResponse, ['not_configured']),
  getFields: endpoint(
    calls.getFields,
    { params: z.object({ family: common.family }) },
    account.fieldsResponse,
  ),
  listSearches: endpoint(calls.listSearches, {}, savedSearches.savedSearchesResponse),
  createSearch: endpoint(
    calls.createSearch,
    { body: savedSearches.savedSearchRequest },
    savedSearches.savedSearch,
    ['unknown_field', 'forbidden_scope', 'name_taken', 'too_many'],
    { status: 201 },
  ),
  getSearch: endpoint(calls.getSearch, ofSearch, savedSearches.savedSearch, scoped),
  putSearch: endpoint(
    calls.putSearch,
    { ...ofSearch, body: savedSearches.savedSearchRequest },
    savedSearches.savedSearch,
    ['unknown_field', 'forbidden_scope', 'name_taken'],
  ),
  deleteSearch: endpoint(calls.deleteSearch, ofSearch, undefined, scoped),
  listRuns: endpoint(calls.listRuns, {}, savedSearches.runsResponse),
  createRun: endpoint(calls.createRun, { body: savedSearches.runBody }, savedSearches.runBody, scoped),
  getUsage: endpoint(calls.getUsage, {}, usage.usageResponse),
  createDataRequest: endpoint(
    calls.createDataRequest,
    { headers: dataRequests.idempotencyHeaders, body: dataRequests.newDataRequest },
    dataRequests.dataRequestView,
    orderProblems,
    { status: 201 },
  ),
  estimateDataRequest: endpoint(
    calls.estimateDataRequest,
    { body: dataRequests.newDataRequest },
    dataRequests.dataRequestEstimate,
    queryProblems,
  ),
  listDataRequests: endpoint(
    calls.listDataRequests,
    { query: dataRequests.listQuery },
    dataRequests.dataRequestList,
    ['not_found', 'forbidden_scope'],
  ),
  getDataRequest: endpoint(calls.getDataRequest, ofRequest, dataRequests.dataRequestView, scoped),
  cancelDataRequest: endpoint(calls.cancelDataRequest, ofRequest, dataRequests.cancelledDataRequest, scoped),
  listDataRequestRows: endpoint(
    calls.listDataRequestRows,
    { ...ofRequest, query: dataRequests.rowsQuery },
    dataRequests.dataRequestRows,
    ['forbidden_scope', 'pending'],
  ),
  createTicket: endpoint(calls.createTicket, ofRequest, dataRequests.eventTicket, ['forbidden_scope'], {
    status: 201,
  }),
  listTables: endpoint(calls.listTables, {}, tables.tableList),
  getTable: endpoint(calls.getTable, ofTable, tables.tableView, scoped),
  putTable: endpoint(calls.putTable, { ...ofTable, body: tables.tableBody }, tables.tableView, [
    'unknown_field',
    'forbidden_scope',
    'too_many',
    'push_not_configured',
  ]),
  deleteTable: endpoint(calls.deleteTable, ofTable, undefined, scoped),
  listRunRows: endpoint(
    calls.listRunRows,
    { params: tables.runParams, query: tables.runRowsQuery },
    dataRequests.dataRequestRows,
    ['forbidden_scope', 'pending'],
  ),
  reportMissingTable: endpoint(calls.reportMissingTable, ofTable, undefined, scoped),
  getTableReport: endpoint(calls.getTableReport, ofTable, enrichments.tableReport, scoped),
  putTableReport: endpoint(
    calls.putTableReport,
    { ...ofTable, body: enrichments.tableReport },
    enrichments.tableReport,
    scoped,
  ),
  listChanges: endpoint(calls.listChanges, { query: tables.changesQuery }, tables.changeList, [
    'not_configured',
  ]),
  listSchedules: endpoint(calls.listSchedules, {}, schedules.scheduleList),
  getSchedule: endpoint(calls.getSchedule, ofSchedule, schedules.scheduleView, scoped),
  putSchedule: endpoint(
    calls.putSchedule,
    { ...ofSchedule, body: schedules.scheduleBody },
    schedules.scheduleView,
    scoped,
  ),
  deleteSchedule: endpoint(calls.deleteSchedule, ofSchedule, undefined, scoped),
  listEnrichments: endpoint(calls.listEnrichments, {}, enrichments.enrichmentList),
  putEnrichment: endpoint(
    calls.putEnrichment,
    { ...ofEnrichment, body: enrichments.enrichmentBody },
    enrichments.enrichmentView,
    ['unknown_field', 'forbidden_scope', 'too_many', 'push_not_configured'],
  ),
  deleteEnrichment: endpoint(calls.deleteEnrichment, ofEnrichment, undefined, scoped),
  addKnownKeys: endpoint(
    calls.addKnownKeys,
    { ...ofEnrichment, body: enrichments.enrichmentKeys },
    undefined,
    ['forbidden_scope', 'too_many'],
  ),
  fillKeys: endpoint(
    calls.fillKeys,
    { ...ofEnrichment, body: enrichments.enrichmentFill },
    enrichments.fillResponse,
    [...lookupProblems, 'pending'],
  ),
  reportMissingEnrichment: endpoint(calls.reportMissingEnrichment, ofEnrichment, undefined, scoped),
  listAlerts: endpoint(calls.listAlerts, {}, schedules.alertList, ['forbidden_scope', 'not_configured']),
  createAlert: endpoint(
    calls.createAlert,
    { body: schedules.alertBody },
    schedules.alertView,
    ['forbidden_scope', 'too_many', 'not_configured'],
    { status: 201 },
  ),
  putAlert: endpoint(calls.putAlert, { ...ofAlert, body: schedules.alertBody }, schedules.alertView, [
    'forbidden_scope',
    'not_configured',
  ]),
  deleteAlert: endpoint(calls.deleteAlert, ofAlert, undefined, scoped),
  testAlert: endpoint(calls.testAlert, ofAlert, schedules.alertView, ['forbidden_scope', 'not_configured']),
  createAssistantCode: endpoint(calls.createAssistantCode, {}, account.assistantCode, ['not_configured'], {
    status: 201,
  }),
  signIn: endpoint(calls.signIn, { body: account.signInRequest }, account.signInResponse, [
    'sign_in_refused',
    'domain_not_assigned',
    'person_revoked',
    'too_many',
    'google_unavailable',
    'not_configured',
  ]),
};

export type SheetsResponse<N extends keyof typeof sheetsEndpoints> = ResponseOf<(typeof sheetsEndpoints)[N]>;
