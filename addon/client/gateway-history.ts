// What only the sidebar asks of the gateway: saved searches, and the history of runs.
import type {
  Run,
  RunsResponse,
  SavedSearch,
  SavedSearchesResponse,
  SavedSearchRequest,
} from '../../shared/api/saved-searches.ts';
import type { Connection } from '../../shared/connection.ts';
import { Refusal } from '../lib/addon-error.ts';
import type { RefusalCode } from '../server/api/index.ts';
import { findConnection } from './connection.ts';
import { type Answer, type Call, callAll, type IsAnswer } from './gateway.ts';

const NOT_CONNECTED = 'Not connected. Paste the connection link of your admin under Activity.';

/**
 * The connection that counts here.
 * @throws Refusal `not_connected`
 */
export function connected(): Connection {
  const found = findConnection();
  if (found === undefined) throw new Refusal('not_connected', NOT_CONNECTED);
  return found.connection;
}

/**
 * What a call answered.
 * @throws Refusal in the gateway's words
 */
export function bodyOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Refusal(answer.code, answer.sentence);
  return answer.body;
}

/** Tells whether a call was refused since the gateway no longer knows what it is about. */
export const isGone = (code: RefusalCode): boolean => code === 'not_found' || code === 'unknown_address';

function callOne<T>(connection: Connection, call: Call, isAnswer: IsAnswer<T>): T {
  const [answer] = callAll(connection, [call], isAnswer);
  if (answer === undefined) throw new Refusal('internal', 'Nothing was asked.');
  return bodyOf(answer);
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;
const isRuns: IsAnswer<RunsResponse> = (body): body is RunsResponse =>
  isObject(body) && 'runs' in body && Array.isArray(body.runs);
const isSearches: IsAnswer<SavedSearchesResponse> = (body): body is SavedSearchesResponse =>
  isObject(body) && 'searches' in body && Array.isArray(body.searches);
const isSearch: IsAnswer<SavedSearch> = (body): body is SavedSearch => isObject(body) && 'id' in body;
const isAnything: IsAnswer<unknown> = (body): body is unknown => body !== null;

/** The team's last runs. */
export function runsOf(connection: Connection): Run[] {
  return callOne(connection, { method: 'get', path: 'runs' }, isRuns).runs;
}

/** Notes a run down; that this fails is no reason for the run to fail. */
export function noteRun(connection: Connection, run: Run): void {
  callAll(connection, [{ method: 'post', path: 'runs', body: run }], isAnything);
}

/** Searches that people keep. */
export function savedSearchesOf(connection: Connection): SavedSearch[] {
  return callOne(connection, { method: 'get', path: 'searches' }, isSearches).searches;
}

/** Keeps a search. */
export function keepSearch(connection: Connection, search: SavedSearchRequest): void {
  callOne(connection, { method: 'post', path: 'searches', body: search }, isSearch);
}

/** Forgets a search. */
export function forgetSearch(connection: Connection, id: string): void {
  callOne(connection, { method: 'delete', path: `searches/${encodeURIComponent(id)}` }, isAnything);
}

/** Cancels a lookup or preview: its provider calls that were not sent are withdrawn. */
export function cancelLookup(connection: Connection, cancelId: string): void {
  callOne(connection, { method: 'post', path: `lookups/${cancelId}/cancel` }, isAnything);
}
