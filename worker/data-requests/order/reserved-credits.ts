// Credits that can't be had now, and could be if what is held for other work came back.
import type { Env } from '../../env.ts';
import { remainingUnder } from '../../gateway/ledger/caps.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import type { Payer } from '../../gateway/provider-call.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { formatCount } from '../../lib/format.ts';

/** What is said of credits that are held for other work. @param credits - that are needed */
export const describeReservedCredits = (credits: number): string =>
  `This needs ${formatCount(credits)} credits, and what is left of the budget is held for work under way.`;

/** Credits are refused, and may be had when work that is under way has ended. */
export class CreditsReservedError extends ProblemError {
  /** That are needed. */
  readonly credits: number;

  constructor(credits: number) {
    super(
      'over_budget',
      describeReservedCredits(credits),
      'Try again when that has ended, or ask your admin to raise the budget.',
    );
    this.credits = credits;
  }
}

/**
 * Tells a budget that is used up from one that is only held for other work, data requests included, which may hold it for
 * hours.
 * @returns whether so many credits fit into the caps of the team and of the token beside what is settled
 */
export async function fitsWithoutReservations(
  env: Env,
  { team, token }: Payer,
  credits: number,
): Promise<boolean> {
  const ledger = getLedger(env, team);
  const [{ spending, remaining, held }, own] = await Promise.all([
    ledger.getBudget(),
    ledger.getTokenBudget(token),
  ]);
  if (!spending) return false;
  return (
    credits <= (remaining ?? Number.POSITIVE_INFINITY) + held &&
    credits <= remainingUnder(own.caps, own.spent)
  );
}
