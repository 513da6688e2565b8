// The team behind a connection: whether the gateway accepts it, and what may be spent.
import type { MeResponse } from '../../shared/api/account.ts';
import type { Connection } from '../../shared/connection.ts';
import { getAccount } from './gateway.ts';

/**
 * Asks the gateway who is behind a connection; free.
 * @returns the team, its budget, and what the token may use
 * @throws Error with one sentence, where the gateway does not accept it or can't be reached
 */
export function verifyConnection(connection: Connection): MeResponse {
  const answer = getAccount(connection);
  if (!answer.ok) throw new Error(answer.message);
  return answer.body;
}

const formatCredits = (credits: number): string => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

/** A team's budget in a sentence or two. */
export function describeBudget({ team, budget, remaining, spending, mode }: MeResponse): string {
  const caps = [
    ...(budget.day === null ? [] : [`${formatCredits(budget.day)} a day`]),
    ...(budget.month === null ? [] : [`${formatCredits(budget.month)} a month`]),
  ];
  const budgetIs = caps.length === 0 ? 'has no limit of credits' : `may spend ${caps.join(' and ')}`;
  return [
    `${team} ${budgetIs}${remaining === null ? '' : `; ${formatCredits(remaining)} ${remaining === 1 ? 'is' : 'are'} left`}.`,
    ...(spending ? [] : ['Spending is switched off by its admin: only what is remembered is answered.']),
    ...(mode === 'embedded' ? ['Its records are samples, and fictional.'] : []),
  ].join(' ');
}
