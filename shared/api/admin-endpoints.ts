// The API of the admin, /admin/v1: its endpoints with their requests, responses and problems.
import * as z from 'zod';
import * as teams from './admin.ts';
import * as dataRequests from './admin-data-requests.ts';
import * as erasures from './admin-erasures.ts';
import * as people from './admin-people.ts';
import * as records from './admin-records.ts';
import * as reports from './admin-reports.ts';
import * as roles from './admin-roles.ts';
import * as schedules from './admin-schedules.ts';
import * as settings from './admin-settings.ts';
import * as orders from './data-requests.ts';
import { type AnyEndpoint, get, patch, post, put, type ResponseOf, remove } from './endpoint.ts';
import * as alerts from './schedules.ts';

const keyProblems = ['invalid_key', 'not_configured'] as const;

/** Problems of a purchase for a team. */
const refreshProblems = [
  ...keyProblems,
  'not_found',
  'over_budget',
  'spending_off',
  'provider_out_of_credits',
  'provider_unavailable',
  'provider_unclear',
  'provider_refused',
  'erased',
] as const;

const alertProblems = ['too_many', 'not_configured'] as const;

const ofTeam = { params: teams.teamParams };
const ofToken = { params: teams.tokenParams };
const ofAlert = { params: teams.teamParams.extend({ alert_id: alerts.alertParams.shape.id }) };
const ofRecord = { params: records.recordParams };
const ofRequest = { params: orders.dataRequestParams };
const ofSchedule = { params: schedules.adminScheduleParams };
const ofPerson = { params: people.personParams };
const ofDomain = { params: people.domainParams };

export const adminEndpoints = {
  createAdmin: post('/admins', { body: roles.newAdminToken }, roles.issuedAdminToken, ['too_many'], {
    status: 201,
  }),
  listAdmins: get('/admins', {}, roles.adminTokenList),
  revokeAdmin: remove('/admins/{id}', { params: roles.adminTokenParams }),
  getSelf: get('/me', {}, roles.adminSelf),
  createTeam: post(
    '/teams',
    { headers: teams.newTeamHeaders, body: teams.newTeam },
    teams.createdTeam,
    ['name_taken'],
    { status: 201 },
  ),
  listTeams: get('/teams', { query: teams.page }, teams.teamList),
  getTeam: get('/teams/{id}', ofTeam, teams.teamView),
  updateTeam: patch('/teams/{id}', { ...ofTeam, body: teams.teamChange }, teams.teamView),
  deleteTeam: remove('/teams/{id}', ofTeam),
  listTeamAlerts: get('/teams/{id}/alerts', ofTeam, alerts.alertList, ['not_configured']),
  createTeamAlert: post(
    '/teams/{id}/alerts',
    { ...ofTeam, body: alerts.alertBody },
    alerts.alertView,
    alertProblems,
    { status: 201 },
  ),
  updateTeamAlert: patch(
    '/teams/{id}/alerts/{alert_id}',
    { ...ofAlert, body: alerts.alertBody.partial() },
    alerts.alertView,
    alertProblems,
  ),
  deleteTeamAlert: remove('/teams/{id}/alerts/{alert_id}', ofAlert),
  testTeamAlert: post('/teams/{id}/alerts/{alert_id}/test', ofAlert, alerts.alertView, ['not_configured']),
  createToken: post(
    '/teams/{id}/tokens',
    { ...ofTeam, body: teams.newToken },
    teams.issuedToken,
    ['not_configured'],
    { status: 201 },
  ),
  listTokens: get('/teams/{id}/tokens', { ...ofTeam, query: teams.page }, teams.tokenList),
  getToken: get('/teams/{id}/tokens/{token_id}', ofToken, teams.tokenView),
  updateToken: patch(
    '/teams/{id}/tokens/{token_id}',
    { ...ofToken, body: teams.tokenChange },
    teams.tokenView,
  ),
  revokeToken: remove('/teams/{id}/tokens/{token_id}', ofToken),
  putDomain: put('/domains/{domain}', { ...ofDomain, body: people.newDomain }, people.domainView),
  listDomains: get('/domains', { query: people.domainPage }, people.domainList),
  deleteDomain: remove('/domains/{domain}', ofDomain),
  listTeamRules: get('/team-rules', { query: people.teamRulesQuery }, people.teamRuleList, [], {
    types: ['application/json', 'text/csv'],
  }),
  importTeamRules: put('/team-rules', { body: people.newTeamRules }, people.teamRulesImport, [
    'not_configured',
  ]),
  listPeople: get('/people', { query: people.peoplePage }, people.personList),
  getPerson: get('/people/{id}', ofPerson, people.personView),
  updatePerson: patch('/people/{id}', { ...ofPerson, body: people.personChange }, people.personView, [
    'not_configured',
  ]),
  deletePerson: remove('/people/{id}', ofPerson),
  getBudget: get('/teams/{id}/budget', ofTeam, teams.budgetView),
  setBudget: put('/teams/{id}/budget', { ...ofTeam, body: teams.newBudget }, teams.budgetView),
  createTopUp: post(
    '/teams/{id}/top-ups',
    { ...ofTeam, headers: teams.topUpHeaders, body: teams.newTopUp },
    teams.topUpView,
    [],
    { status: 201 },
  ),
  listTopUps: get('/teams/{id}/top-ups', ofTeam, teams.topUpList),
  getUsage: get('/usage', { query: reports.usageQuery }, reports.usageReport, ['not_found']),
  getCosts: get('/costs', { query: reports.costsQuery }, reports.costsReport, [], {
    types: ['application/json', 'text/csv'],
  }),
  getLatency: get('/latency', { query: reports.latencyQuery }, reports.latencyReport),
  exportLedger: get('/ledger', { query: reports.ledgerQuery }, reports.ledgerAnswer, ['not_found'], {
    types: ['application/json', 'text/csv'],
  }),
  listLedger: get('/teams/{id}/ledger', { ...ofTeam, query: reports.teamLedgerQuery }, reports.teamLedger),
  listLedgerSums: get('/teams/{id}/ledger/sums', ofTeam, reports.ledgerSums),
  listBudgets: get('/budgets', { query: reports.budgetsQuery }, reports.budgetList),
  getSpending: get('/spending', {}, reports.spending),
  getProvider: get('/provider', {}, records.providerView),
  listUnclearCalls: get(
    '/teams/{id}/unclear-calls',
    { ...ofTeam, query: records.unclearQuery },
    records.unclearCalls,
  ),
  reconcile: post('/provider/reconcile', { body: records.reconciliation }, records.reconciled, ['not_found']),
  listDisputedCharges: get('/teams/{id}/disputed-charges', ofTeam, records.disputedCharges),
  resolveDispute: post(
    '/provider/resolve-dispute',
    { body: records.disputeResolution },
    records.resolvedDispute,
    ['not_found'],
  ),
  getRecordByPath: get(
    '/records/{family}/{key}',
    { ...ofRecord, query: records.recordQuery },
    records.recordView,
    keyProblems,
  ),
  getRecord: post('/record-lookup', { body: records.recordViewRequest }, records.recordView, keyProblems),
  refreshRecordByPath: post(
    '/records/{family}/{key}/refresh',
    { ...ofRecord, body: records.refreshRecord },
    records.recordView,
    refreshProblems,
  ),
  refreshRecord: post(
    '/record-refresh',
    { body: records.recordRefresh },
    records.recordView,
    refreshProblems,
  ),
  eraseByPath: remove('/records/{family}/{key}', ofRecord, erasures.erasureView, keyProblems),
  erase: post('/erasures', { body: erasures.erasureRequest }, erasures.erasureView, keyProblems),
  previewErasure: post(
    '/erasure-preview',
    { body: records.namedRecord },
    erasures.erasurePreview,
    keyProblems,
  ),
  reportSubject: post(
    '/subject-report',
    { body: erasures.subjectReportRequest },
    erasures.subjectReport,
    keyProblems,
  ),
  listErasures: get('/erasures', { query: teams.page }, erasures.erasureList),
  getErasure: get('/erasures/{id}', { params: erasures.erasureParams }, erasures.erasureView),
  allowErased: post('/erasures/{id}/allow', { params: erasures.erasureParams }, erasures.erasureView, [
    'invalid_request',
    'not_configured',
  ]),
  listRefusedKeys: get('/refused-keys', { query: erasures.refusedKeyQuery }, erasures.refusedKeyList),
  listDataRequests: get(
    '/requests',
    { query: dataRequests.adminDataRequestQuery },
    dataRequests.adminDataRequestList,
  ),
  getDataRequest: get('/requests/{id}', ofRequest, dataRequests.adminDataRequestView),
  getTimeline: get('/requests/{id}/timeline', ofRequest, dataRequests.timeline),
  stopDataRequest: post('/requests/{id}/stop', ofRequest, dataRequests.stoppedDataRequest),
  listDeadLetters: get('/dead-letters', { query: dataRequests.deadLetterQuery }, dataRequests.deadLetterList),
  replayDeadLetters: post(
    '/dead-letter-replays',
    { body: dataRequests.deadLetterIds },
    dataRequests.deadLettersChanged,
  ),
  dismissDeadLetters: post(
    '/dead-letter-dismissals',
    { body: dataRequests.deadLetterIds },
    dataRequests.deadLettersChanged,
  ),
  replayDeadLetter: post(
    '/dead-letters/{id}/replay',
    { params: z.object({ id: z.string().min(1).max(100) }) },
    dataRequests.deadLetterView,
  ),
  createWebhookSecret: post('/teams/{id}/webhook-secret', ofTeam, dataRequests.webhookSecret, [], {
    status: 201,
  }),
  listSchedules: get('/schedules', { query: schedules.adminScheduleQuery }, schedules.adminScheduleList),
  stopSchedule: post('/schedules/{id}/stop', ofSchedule, schedules.adminScheduleView),
  resumeSchedule: post('/schedules/{id}/resume', ofSchedule, schedules.adminScheduleView, [
    'invalid_request',
  ]),
  listEnrichments: get(
    '/enrichments',
    { query: schedules.adminEnrichmentQuery },
    schedules.adminEnrichmentList,
  ),
  stopEnrichment: post(
    '/enrichments/{id}/stop',
    { params: schedules.adminEnrichmentParams },
    schedules.adminEnrichmentView,
  ),
  listPushes: get('/pushes', { query: schedules.pushQuery }, schedules.adminPushList),
  retryPush: post('/pushes/{id}/retry', { params: schedules.pushParams }, schedules.adminPushView),
  listAuditEntries: get('/audit', { query: reports.auditQuery }, reports.auditList),
  listAlerts: get('/alerts', {}, settings.operatorAlertList),
  testAlert: post('/alerts/test', {}, settings.testAlertResult),
  getSettings: get('/settings', {}, settings.settingsView),
  getSetup: get('/setup', {}, settings.setupView),
  continueRestore: post('/restores', { body: settings.restoreCommand }, settings.restoreView, [
    'not_configured',
  ]),
};

export type AdminName = keyof typeof adminEndpoints;

export type AdminResponse<N extends AdminName> = ResponseOf<(typeof adminEndpoints)[N]>;

const namesByCall = new Map(
  Object.entries(adminEndpoints).map(([name, { method, path }]) => [`${method} ${path}`, name]),
);

const isAdminName = (name: string | undefined): name is AdminName =>
  name !== undefined && name in adminEndpoints;

export function findAdminName({ method, path }: Pick<AnyEndpoint, 'method' | 'path'>): AdminName {
  const name = namesByCall.get(`${method} ${path}`);
  if (!isAdminName(name)) throw new Error(`no admin endpoint is declared for ${method} ${path}`);
  return name;
}
