// The only door to the Worker.
import type { Connection } from '../shared/connection.ts';
import { isProblemCode, type ProblemCode, problems } from '../shared/problems.ts';
import type { LookupRequest, LookupResponse } from '../shared/sheets-api.ts';
import { readJson } from './json.ts';

/** What came of one of several calls. */
export type Answer<T> = { ok: true; body: T } | { ok: false; code: ProblemCode; sentence: string };

const UNREADABLE = 'The gateway’s answer could not be read. Try again; if it stays, tell your admin.';

function refused(code: ProblemCode, sentence?: string): { ok: false; code: ProblemCode; sentence: string } {
  const { title, fix } = problems[code];
  return { ok: false, code, sentence: sentence ?? `${title} ${fix}` };
}

function isLookupResponse(body: unknown): body is LookupResponse {
  return typeof body === 'object' && body !== null && 'rows' in body && Array.isArray(body.rows);
}

function readAnswer(response: GoogleAppsScript.URL_Fetch.HTTPResponse): Answer<LookupResponse> {
  const body = readJson(response.getContentText());
  if (response.getResponseCode() === 200) {
    return isLookupResponse(body) ? { ok: true, body } : refused('provider_unavailable', UNREADABLE);
  }
  const problem: { code?: unknown; detail?: unknown; fix?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  if (typeof problem.code !== 'string' || !isProblemCode(problem.code)) {
    return refused('provider_unavailable', UNREADABLE);
  }
  const told = typeof problem.detail === 'string' && typeof problem.fix === 'string';
  return refused(problem.code, told ? `${problem.detail} ${problem.fix}` : undefined);
}

/**
 * Sends lookups, all at once.
 * @param requests - at least one, each of at most 1,000 keys
 * @returns an answer for each, in their order
 * @throws Error with one sentence where no call was made: the gateway can't be reached, or Google refuses
 */
export function lookupAll(
  connection: Connection,
  requests: readonly LookupRequest[],
): Answer<LookupResponse>[] {
  const calls = requests.map((request) => ({
    url: `${connection.url}/sheets/v1/lookup`,
    method: 'post' as const,
    contentType: 'application/json',
    headers: { Authorization: `Bearer ${connection.token}` },
    payload: JSON.stringify(request),
    muteHttpExceptions: true,
    followRedirects: false,
  }));
  try {
    return UrlFetchApp.fetchAll(calls).map(readAnswer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/too many times/i.test(reason)) {
      throw new Error('Google’s limit of calls for today is reached. Try again tomorrow.');
    }
    if (/Address unavailable|DNS|Timeout/i.test(reason)) {
      throw new Error(`The gateway ${connection.url} can't be reached. Check the connection and try again.`);
    }
    // A missing permission, an address that is not allowed: Google says it best. Its sentences hold no headers, so no token.
    throw new Error(reason);
  }
}
