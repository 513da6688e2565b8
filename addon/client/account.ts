// The team behind a connection: whether the gateway accepts it, and what may be spent.
import type { MeResponse } from '../../shared/api/account.ts';
import type { Connection } from '../../shared/connection.ts';
import { me } from './gateway.ts';

/**
 * Asks the gateway who is behind a connection; free.
 * @returns the team, its budget, and what the token may use
 * @throws Error with one sentence, where the gateway does not accept it or can't be reached
 */
export function tryConnection(connection: Connection): MeResponse {
  const answer = me(connection);
  if (!answer.ok) throw new Error(answer.sentence);
  return answer.body;
}

const amount = (credits: number): string => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

/** A team's budget in a sentence or two. */
export function budgetSentence({ team, budget, remaining, spending, mode }: MeResponse): string {
  const caps = [
    ...(budget.day === null ? [] : [`${amount(budget.day)} a day`]),
    ...(budget.month === null ? [] : [`${amount(budget.month)} a month`]),
  ];
  const budgetIs = caps.length === 0 ? 'has no limit of credits' : `may spend ${caps.join(' and ')}`;
  return [
    `${team} ${budgetIs}${remaining === null ? '' : `; ${amount(remaining)} ${remaining === 1 ? 'is' : 'are'} left`}.`,
    ...(spending ? [] : ['Spending is switched off by its admin: only what is remembered is answered.']),
    ...(mode === 'embedded' ? ['Its records are samples, and fictional.'] : []),
  ].join(' ');
}
