// Gateway calls that only the sidebar needs: saved searches, the run history and cancelling.
import type {
  Run,
  RunsResponse,
  SavedSearch,
  SavedSearchesResponse,
  SavedSearchRequest,
} from '../../shared/api/saved-searches.ts';
import type { UsageResponse } from '../../shared/api/usage.ts';
import type { Connection } from '../../shared/connection.ts';
import { AddonError } from '../lib/addon-error.ts';
import type { ErrorCode } from '../server/api/index.ts';
import { COMPANY_LINK_INVALID, findCompanyConnection } from './company-connection.ts';
import { findConnection } from './connection.ts';
import { type GatewayCall, sendAll } from './gateway.ts';
import type { BodyGuard, GatewayResult } from './http.ts';
import { connectIdentity } from './identity-connection.ts';
import { mayConnectIdentity } from './identity-store.ts';

const NOT_CONNECTED = 'Not connected. Paste the connection link of your admin under Activity.';

/**
 * Returns the current connection.
 * @throws AddonError `not_connected`
 */
export function requireConnection(): Connection {
  const current = findConnection();
  if (current !== undefined) return current.connection;
  if (mayConnectIdentity()) return unwrap(connectIdentity());
  const isInvalid = findCompanyConnection() === 'invalid';
  throw new AddonError('not_connected', isInvalid ? COMPANY_LINK_INVALID : NOT_CONNECTED);
}

/**
 * Returns the body of a successful result.
 * @throws AddonError with the gateway's code and message
 */
export function unwrap<T>(answer: GatewayResult<T>): T {
  if (!answer.ok) throw new AddonError(answer.code, answer.message);
  return answer.body;
}

/** Tells whether an error means that the gateway no longer knows the resource. */
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
const isUsage: BodyGuard<UsageResponse> = (body): body is UsageResponse =>
  isObject(body) && 'days' in body && Array.isArray(body.days);
const isSearches: BodyGuard<SavedSearchesResponse> = (body): body is SavedSearchesResponse =>
  isObject(body) && 'searches' in body && Array.isArray(body.searches);
const isSearch: BodyGuard<SavedSearch> = (body): body is SavedSearch => isObject(body) && 'id' in body;
const isAnyBody: BodyGuard<unknown> = (body): body is unknown => body !== null;

/** Lists the team's latest runs. */
export function listRuns(connection: Connection): Run[] {
  return sendOne(connection, { method: 'get', path: 'runs' }, isRuns).runs;
}

/** Returns the credits of the last 30 days; undefined if the gateway can't report them now. */
export function findUsage(connection: Connection): UsageResponse | undefined {
  const [answer] = sendAll(connection, [{ method: 'get', path: 'usage' }], isUsage);
  return answer?.ok === true ? answer.body : undefined;
}

/** Records a run in the team's history. Failures are ignored: the history must never fail a run. */
export function recordRun(connection: Connection, run: Run): void {
  sendAll(connection, [{ method: 'post', path: 'runs', body: run }], isAnyBody);
}

const getSearchPath = (id: string): string => `searches/${encodeURIComponent(id)}`;

/** Lists saved searches. */
export function listSavedSearches(connection: Connection): SavedSearch[] {
  return sendOne(connection, { method: 'get', path: 'searches' }, isSearches).searches;
}

/**
 * Saves a search.
 * @param id - of the saved search to replace; undefined: a new one
 */
export function saveSearch(connection: Connection, search: SavedSearchRequest, id?: string): void {
  const target =
    id === undefined
      ? ({ method: 'post', path: 'searches' } as const)
      : ({ method: 'put', path: getSearchPath(id) } as const);
  sendOne(connection, { ...target, body: search }, isSearch);
}

/** Deletes a saved search. */
export function deleteSearch(connection: Connection, id: string): void {
  sendOne(connection, { method: 'delete', path: getSearchPath(id) }, isAnyBody);
}

/** Cancels a lookup or preview: its unsent provider calls are dropped. */
export function cancelLookup(connection: Connection, cancelId: string): void {
  sendOne(connection, { method: 'post', path: `lookups/${cancelId}/cancel` }, isAnyBody);
}
