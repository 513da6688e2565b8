// Results of gateway calls: reads answers, and explains failures in words for people.

import { isObject } from '../../shared/lib/is-object.ts';
import { isProblemCode, type ProblemCode } from '../../shared/problems.ts';
import { AddonError } from '../lib/addon-error.ts';
import { type Guard, parseJson } from '../lib/json.ts';
import { describeDeniedPermission, getReason } from '../lib/permissions.ts';
import type { ErrorCode } from '../server/api/index.ts';
import { translateProblem } from '../texts/problems.ts';
import { t } from '../texts/texts.ts';

/** The outcome of a gateway call. */
export type GatewayResult<T> = { ok: true; body: T } | { ok: false; code: ProblemCode; message: string };

const UNREADABLE = 'The gateway’s answer could not be read. Try again. If it happens again, tell your admin.';

const PAGE_INSTEAD =
  'A web page answered instead of the gateway, usually the bot protection of its domain. Ask your admin to exempt the gateway: the deployment guide says how, under “Custom domain”.';

/** Tells whether an answer is a web page: the gateway answers calls with JSON only. */
const isPage = (text: string): boolean => text.trimStart().startsWith('<');

/** Creates a failure. @param message - default: what the problem's code says */
export function createFailure(
  code: ProblemCode,
  message?: string,
): { ok: false; code: ProblemCode; message: string } {
  return { ok: false, code, message: message ?? translateProblem({ code }) };
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

/** Accepts also that the gateway no longer knows the resource. @throws AddonError */
export function ignoreUnknown(answer: GatewayResult<unknown>): void {
  if (!answer.ok && !isUnknownToGateway(answer.code)) unwrap(answer);
}

/** Replaces problems of rows that a gateway newer than the add-on knows: there are no words for them. */
function replaceUnknownProblems(body: unknown): void {
  const { rows, accounts } = isObject(body) ? body : {};
  for (const row of [rows, accounts].flat()) {
    if (isObject(row) && typeof row.problem === 'string' && !isProblemCode(row.problem))
      row.problem = 'provider_unavailable';
  }
}

export function parseResponse<T>(
  response: GoogleAppsScript.URL_Fetch.HTTPResponse,
  isAnswer: Guard<T>,
): GatewayResult<T> {
  // Without a charset, Apps Script infers one, and takes answers that name none for Latin-1.
  const text = response.getContentText('UTF-8');
  const body = parseJson(text);
  if (body === undefined && isPage(text)) return createFailure('gateway_unavailable', t(PAGE_INSTEAD));
  const status = response.getResponseCode();
  if (status >= 200 && status < 300 && isAnswer(body)) {
    replaceUnknownProblems(body);
    return { ok: true, body };
  }
  // Also a 202 can be a problem: `pending`.
  const problem = isObject(body) ? body : {};
  if (typeof problem.code !== 'string' || !isProblemCode(problem.code)) {
    return createFailure('gateway_unavailable', t(UNREADABLE));
  }
  const { code, detail, fix } = problem;
  const hasText = typeof detail === 'string' && typeof fix === 'string';
  return createFailure(code, translateProblem(hasText ? { code, detail, fix } : { code }));
}

/** Tells whether Google refused a call because there were too many in a short time. It advises to sleep, in every language. */
export const isRateLimit = (error: unknown): boolean => getReason(error).includes('Utilities.sleep');

/** Explains why UrlFetchApp refused a call. Google's messages contain no headers, so no token. */
export function describeFetchError(error: unknown, url: string): string {
  const reason = getReason(error);
  const denied = describeDeniedPermission(error);
  if (denied !== undefined) return denied;
  if (isRateLimit(error)) {
    return t(
      'Google allows fewer calls in a short time. Wait a minute, then choose Extensions → CDAPI → Refresh selection.',
    );
  }
  // The name of the quota is the same in every language.
  if (/\burlfetch\b/.test(reason)) {
    return t('Google’s daily limit of calls is used up. Try again tomorrow. Google says: “{reason}”', {
      reason,
    });
  }
  if (reason.includes(url)) {
    return t(
      "The gateway {url} can't be reached. Check the connection and try again. Google says: “{reason}”",
      { url, reason },
    );
  }
  return reason;
}
