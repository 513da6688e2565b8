// Methods and paths of the add-on's API, below /sheets/v1, for the Worker and for the add-on, whose bundle has no schemas.
import type { EndpointAddress } from './api/endpoint.ts';

/** Members by which a client tells a response from the page of a proxy. */
export type Members = Readonly<Record<string, 'list' | 'number' | 'string'>>;

/** A call of the add-on's API. Without `has`, the client accepts any response. */
interface SheetsCall extends EndpointAddress {
  readonly has?: Members;
}

export const sheetsCalls = {
  lookup: { method: 'POST', path: '/lookup', has: { rows: 'list' } },
  estimate: {
    method: 'POST',
    path: '/estimate',
    has: { distinct: 'number', to_fetch: 'number', credits: 'number' },
  },
  search: { method: 'POST', path: '/search', has: { ids: 'list', total: 'number' } },
  preview: {
    method: 'POST',
    path: '/preview',
    has: { columns: 'list', rows: 'list', page: 'number', total_pages: 'number' },
  },
  estimatePreview: {
    method: 'POST',
    path: '/preview/estimate',
    has: { total: 'number', pages: 'number', credits: 'number' },
  },
  cancelLookup: { method: 'POST', path: '/lookups/{id}/cancel' },
  listAtCompanies: { method: 'POST', path: '/accounts/{list}', has: { columns: 'list', accounts: 'list' } },
  estimateAtCompanies: {
    method: 'POST',
    path: '/accounts/{list}/estimate',
    has: { accounts: 'list', credits: 'number' },
  },
  countAtCompanies: { method: 'POST', path: '/accounts/{list}/counts', has: { accounts: 'list' } },
  matchNames: { method: 'POST', path: '/match', has: { matches: 'list' } },
  estimateMatch: { method: 'POST', path: '/match/estimate', has: { records: 'number', found: 'number' } },
  ask: { method: 'POST', path: '/ask', has: { family: 'string', conditions: 'list', left_out: 'list' } },
  getAccount: { method: 'GET', path: '/me', has: { team: 'string', mode: 'string' } },
  getFields: { method: 'GET', path: '/fields/{family}', has: { columns: 'list', preview: 'list' } },
  listSearches: { method: 'GET', path: '/searches', has: { searches: 'list' } },
  createSearch: { method: 'POST', path: '/searches', has: { id: 'string' } },
  getSearch: { method: 'GET', path: '/searches/{id}', has: { id: 'string' } },
  putSearch: { method: 'PUT', path: '/searches/{id}', has: { id: 'string' } },
  deleteSearch: { method: 'DELETE', path: '/searches/{id}' },
  listRuns: { method: 'GET', path: '/runs', has: { runs: 'list' } },
  createRun: { method: 'POST', path: '/runs' },
  getUsage: { method: 'GET', path: '/usage', has: { days: 'list' } },
  createDataRequest: {
    method: 'POST',
    path: '/requests',
    has: { id: 'string', state: 'string', rows: 'number' },
  },
  estimateDataRequest: {
    method: 'POST',
    path: '/estimate/data-request',
    has: { records: 'number', cached: 'number', credits: 'number' },
  },
  listDataRequests: { method: 'GET', path: '/requests', has: { requests: 'list' } },
  getDataRequest: {
    method: 'GET',
    path: '/requests/{id}',
    has: { id: 'string', state: 'string', rows: 'number' },
  },
  cancelDataRequest: { method: 'DELETE', path: '/requests/{id}', has: { message: 'string' } },
  listDataRequestRows: { method: 'GET', path: '/requests/{id}/rows', has: { columns: 'list', rows: 'list' } },
  createTicket: { method: 'POST', path: '/requests/{id}/ticket', has: { ticket: 'string' } },
  listTables: { method: 'GET', path: '/tables', has: { tables: 'list' } },
  getTable: { method: 'GET', path: '/tables/{id}', has: { id: 'string', as_of: 'string' } },
  putTable: { method: 'PUT', path: '/tables/{id}', has: { id: 'string', as_of: 'string' } },
  deleteTable: { method: 'DELETE', path: '/tables/{id}' },
  listRunRows: {
    method: 'GET',
    path: '/tables/{id}/runs/{run}/rows',
    has: { columns: 'list', rows: 'list' },
  },
  reportMissingTable: { method: 'POST', path: '/tables/{id}/missing' },
  getTableReport: { method: 'GET', path: '/tables/{id}/report', has: { snapshots: 'number' } },
  putTableReport: { method: 'PUT', path: '/tables/{id}/report', has: { snapshots: 'number' } },
  listChanges: { method: 'GET', path: '/changes', has: { changes: 'list', cursor: 'string' } },
  listSchedules: { method: 'GET', path: '/schedules', has: { schedules: 'list' } },
  getSchedule: { method: 'GET', path: '/schedules/{table}', has: { table: 'string', every: 'string' } },
  putSchedule: { method: 'PUT', path: '/schedules/{table}', has: { table: 'string', every: 'string' } },
  deleteSchedule: { method: 'DELETE', path: '/schedules/{table}' },
  listEnrichments: { method: 'GET', path: '/enrichments', has: { enrichments: 'list' } },
  putEnrichment: { method: 'PUT', path: '/enrichments/{id}', has: { id: 'string', state: 'string' } },
  deleteEnrichment: { method: 'DELETE', path: '/enrichments/{id}' },
  addKnownKeys: { method: 'POST', path: '/enrichments/{id}/known' },
  fillKeys: { method: 'POST', path: '/enrichments/{id}/fill', has: { rows: 'list' } },
  reportMissingEnrichment: { method: 'POST', path: '/enrichments/{id}/missing' },
  listAlerts: { method: 'GET', path: '/alerts', has: { alerts: 'list' } },
  createAlert: { method: 'POST', path: '/alerts', has: { id: 'string', host: 'string' } },
  putAlert: { method: 'PUT', path: '/alerts/{id}', has: { id: 'string', host: 'string' } },
  deleteAlert: { method: 'DELETE', path: '/alerts/{id}' },
  testAlert: { method: 'POST', path: '/alerts/{id}/test', has: { id: 'string', host: 'string' } },
  createAssistantCode: { method: 'POST', path: '/assistant-codes', has: { code: 'string', url: 'string' } },
  signIn: {
    method: 'POST',
    path: '/sign-in',
    has: { token: 'string', team: 'string', expires_at: 'string' },
  },
} as const satisfies Readonly<Record<string, SheetsCall>>;
