// Renews a person's refused token while calls are sent. Only the second script does: formulas have no such token.
import type { Connection } from '../../shared/connection.ts';
import { fetchAnswers, type Sender } from './gateway.ts';
import { renewConnection } from './identity-connection.ts';

/** Replacements of refused connections in this execution, by the refused token: a caller keeps the one that it found. */
const renewals = new Map<string, Connection>();

/** Sends calls, and once more those whose token was refused, if the person's account gives a new one. Refused calls did nothing. */
export const sendWithRenewal: Sender = (found, calls, isAnswer) => {
  const connection = renewals.get(found.token) ?? found;
  const answers = fetchAnswers(connection, calls, isAnswer);
  const isRefused = (at: number): boolean => {
    const answer = answers[at];
    return answer?.ok === false && answer.code === 'unauthorised';
  };
  const refused = calls.filter((_, at) => isRefused(at));
  const renewed = refused.length === 0 ? undefined : renewConnection(connection);
  if (renewed === undefined) return answers;
  if (renewed.ok) renewals.set(found.token, renewed.body);
  const resent = renewed.ok ? fetchAnswers(renewed.body, refused, isAnswer) : refused.map(() => renewed);
  return answers.map((answer, at) => (isRefused(at) ? (resent.shift() ?? answer) : answer));
};
