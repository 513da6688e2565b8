// Signs a person in with the Google account, in releases that switch it on. Nothing is pasted. Formulas can't: they run
// without consent.

import type { SignInResponse } from '../../shared/api/account.ts';
import type { Connection } from '../../shared/connection.ts';
import { sheetsCalls } from '../../shared/sheets-calls.ts';
import { createGuard } from '../lib/json.ts';
import { withUserLock } from '../lib/lock.ts';
import { describeDeniedPermission, describeMissingPermission } from '../lib/permissions.ts';
import { fetchAnswers, type Sender } from './gateway.ts';
import { createFailure, describeFetchError, type GatewayResult, parseResponse } from './http.ts';
import { isUsable, readIdentity, usesIdentity, writeIdentity } from './identity-store.ts';

/** Google's name of the scope `openid`: https://developers.google.com/identity/protocols/oauth2/scopes. */
const OPENID_LABEL = 'Associate you with your personal info on Google';

const { path, has } = sheetsCalls.signIn;

/**
 * Gets Google's confirmation of the account. It is null without the scope `openid`:
 * https://developers.google.com/apps-script/reference/script/script-app#getidentitytoken.
 */
function getIdentityToken(): GatewayResult<string> {
  let token: string | null;
  try {
    token = ScriptApp.getIdentityToken();
  } catch (error) {
    return createFailure(
      'sign_in_refused',
      describeDeniedPermission(error) ?? describeMissingPermission(OPENID_LABEL),
    );
  }
  return token === null
    ? createFailure('sign_in_refused', describeMissingPermission(OPENID_LABEL))
    : { ok: true, body: token };
}

function requestToken(): GatewayResult<SignInResponse> {
  const identity = getIdentityToken();
  if (!identity.ok) return identity;
  try {
    const response = UrlFetchApp.fetch(`${CDAPI_GATEWAY}/sheets/v1${path}`, {
      method: 'post',
      contentType: 'application/json',
      payload: JSON.stringify({ identity_token: identity.body }),
      muteHttpExceptions: true,
      followRedirects: false,
    });
    return parseResponse(response, createGuard<SignInResponse>(has));
  } catch (error) {
    return createFailure('gateway_unavailable', describeFetchError(error, CDAPI_GATEWAY));
  }
}

const BUSY = 'CDAPI is connecting you in another window. Try again in a moment.';

/** The person's tokens that this execution has used. Apps Script has separate variables for each execution. */
const usedTokens = new Set<string>();

/** Finds the person's connection. @returns undefined without one, or if it must be renewed */
export function findIdentityConnection(): Connection | undefined {
  const stored = usesIdentity() ? readIdentity() : undefined;
  if (stored === undefined || !isUsable(stored)) return undefined;
  usedTokens.add(stored.token);
  return { url: stored.url, token: stored.token };
}

/**
 * Connects the person through the Google account. One execution at a time: a sign-in invalidates the token of the
 * former one.
 * @param refused - a token that the gateway no longer accepts
 */
export function connectIdentity(refused?: string): GatewayResult<Connection> {
  const connected = withUserLock((): GatewayResult<Connection> => {
    const found = findIdentityConnection();
    if (found !== undefined && found.token !== refused) return { ok: true, body: found };
    const former = readIdentity();
    // Also if the sign-in fails: the gateway may accept a refused token for reading some seconds longer.
    if (former !== undefined && former.token === refused) writeIdentity({ ...former, expiresAt: '' });
    const answer = requestToken();
    if (!answer.ok) return answer;
    const { token, team, expires_at: expiresAt } = answer.body;
    const confirmed = former?.confirmed === true && former.team === team;
    writeIdentity({ url: CDAPI_GATEWAY, token, expiresAt, team, confirmed });
    usedTokens.add(token);
    return { ok: true, body: { url: CDAPI_GATEWAY, token } };
  });
  return connected ?? createFailure('gateway_unavailable', BUSY);
}

/** Replacements of refused connections in this execution, by the refused token: a caller keeps the one that it found. */
const renewals = new Map<string, Connection>();

/**
 * Sends calls, and once more those whose token was refused, if the person's account gives a new one. Refused calls did nothing.
 * Only the second script uses it: formulas have no such token.
 */
export const sendWithRenewal: Sender = (found, name, requests) => {
  const connection = renewals.get(found.token) ?? found;
  const answers = fetchAnswers(connection, name, requests);
  const isRefused = (at: number): boolean => {
    const answer = answers[at];
    return answer?.ok === false && answer.code === 'unauthorised';
  };
  const refused = requests.filter((_, at) => isRefused(at));
  if (refused.length === 0 || !usedTokens.has(connection.token)) return answers;
  const renewed = connectIdentity(connection.token);
  if (renewed.ok) renewals.set(found.token, renewed.body);
  const resent = renewed.ok ? fetchAnswers(renewed.body, name, refused) : refused.map(() => renewed);
  return answers.map((answer, at) => (isRefused(at) ? (resent.shift() ?? answer) : answer));
};
