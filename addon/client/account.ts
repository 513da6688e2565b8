// Verifies a connection with the gateway and describes the team's budget.
import type { MeResponse } from '../../shared/api/account.ts';
import type { Connection } from '../../shared/connection.ts';
import { getAccount } from './gateway.ts';

/**
 * Requests the account behind a connection. Free.
 * @returns the team, its budget, and the token's scopes
 * @throws Error if the gateway rejects the token or can't be reached; the message is for people
 */
export function verifyConnection(connection: Connection): MeResponse {
  const answer = getAccount(connection);
  if (!answer.ok) throw new Error(answer.message);
  return answer.body;
}

const formatCredits = (credits: number): string => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

/** Describes a team's budget in one or two sentences. */
export function describeBudget({ team, budget, remaining, spending, mode }: MeResponse): string {
  const caps = [
    ...(budget.day === null ? [] : [`${formatCredits(budget.day)} a day`]),
    ...(budget.month === null ? [] : [`${formatCredits(budget.month)} a month`]),
  ];
  const budgetIs = caps.length === 0 ? 'has no limit of credits' : `may spend ${caps.join(' and ')}`;
  return [
    `${team} ${budgetIs}${remaining === null ? '' : `; ${formatCredits(remaining)} ${remaining === 1 ? 'is' : 'are'} left`}.`,
    ...(spending
      ? []
      : ['Your admin has switched spending off. Records your team already bought still work.']),
    ...(mode === 'embedded' ? ['Its sample records are fictional.'] : []),
  ].join(' ');
}
