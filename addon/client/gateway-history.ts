// What only the sidebar asks of the gateway: saved searches, and the history of runs.
import type {
  Run,
  RunsResponse,
  SavedSearch,
  SavedSearchesResponse,
  SavedSearchRequest,
} from '../../shared/api/saved-searches.ts';
import type { Connection } from '../../shared/connection.ts';
import { AddonError } from '../lib/addon-error.ts';
import type { ErrorCode } from '../server/api/index.ts';
import { findConnection } from './connection.ts';
import { type BodyGuard, type GatewayCall, type GatewayResult, sendAll } from './gateway.ts';

const NOT_CONNECTED = 'Not connected. Paste the connection link of your admin under Activity.';

/**
 * The connection that counts here.
 * @throws Refusal `not_connected`
 */
export function requireConnection(): Connection {
  const current = findConnection();
  if (current === undefined) throw new AddonError('not_connected', NOT_CONNECTED);
  return current.connection;
}

/**
 * What a call answered.
 * @throws Refusal in the gateway's words
 */
export function unwrap<T>(answer: GatewayResult<T>): T {
  if (!answer.ok) throw new AddonError(answer.code, answer.message);
  return answer.body;
}

/** Tells whether a call was refused since the gateway no longer knows what it is about. */
export const isUnknownToGateway = (code: ErrorCode): boolean =>
  code === 'not_found' || code === 'unknown_address';

function sendOne<T>(connection: Connection, call: GatewayCall, isAnswer: BodyGuard<T>): T {
  const [answer] = sendAll(connection, [call], isAnswer);
  if (answer === undefined) throw new AddonError('internal', 'Nothing was asked.');
  return unwrap(answer);
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;
const isRuns: BodyGuard<RunsResponse> = (body): body is RunsResponse =>
  isObject(body) && 'runs' in body && Array.isArray(body.runs);
const isSearches: BodyGuard<SavedSearchesResponse> = (body): body is SavedSearchesResponse =>
  isObject(body) && 'searches' in body && Array.isArray(body.searches);
const isSearch: BodyGuard<SavedSearch> = (body): body is SavedSearch => isObject(body) && 'id' in body;
const isAnyBody: BodyGuard<unknown> = (body): body is unknown => body !== null;

/** The team's last runs. */
export function listRuns(connection: Connection): Run[] {
  return sendOne(connection, { method: 'get', path: 'runs' }, isRuns).runs;
}

/** Notes a run down; that this fails is no reason for the run to fail. */
export function recordRun(connection: Connection, run: Run): void {
  sendAll(connection, [{ method: 'post', path: 'runs', body: run }], isAnyBody);
}

/** Searches that people keep. */
export function listSavedSearches(connection: Connection): SavedSearch[] {
  return sendOne(connection, { method: 'get', path: 'searches' }, isSearches).searches;
}

/** Keeps a search. */
export function saveSearch(connection: Connection, search: SavedSearchRequest): void {
  sendOne(connection, { method: 'post', path: 'searches', body: search }, isSearch);
}

/** Forgets a search. */
export function deleteSearch(connection: Connection, id: string): void {
  sendOne(connection, { method: 'delete', path: `searches/${encodeURIComponent(id)}` }, isAnyBody);
}

/** Cancels a lookup or preview: its provider calls that were not sent are withdrawn. */
export function cancelLookup(connection: Connection, cancelId: string): void {
  sendOne(connection, { method: 'post', path: `lookups/${cancelId}/cancel` }, isAnyBody);
}
