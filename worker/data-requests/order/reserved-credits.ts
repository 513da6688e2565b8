// Refusals because other work has reserved the rest of the budget. They are temporary.
import type { Env } from '../../env.ts';
import { remainingUnder } from '../../gateway/ledger/caps.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import type { Payer } from '../../gateway/provider-call.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { formatCount } from '../../lib/format.ts';

/** Explains the refusal. @param credits - credits that are needed */
export const describeReservedCredits = (credits: number): string =>
  `This needs ${formatCount(credits)} credits, and the rest of the budget is reserved for work in progress.`;

/** Credits are refused until work in progress ends. */
export class CreditsReservedError extends ProblemError {
  /** Credits that are needed. */
  readonly credits: number;

  constructor(credits: number) {
    super(
      'over_budget',
      describeReservedCredits(credits),
      'Try again when that work has ended, or ask your admin to raise the budget.',
    );
    this.credits = credits;
  }
}

/**
 * Distinguishes a budget that is spent from one that is reserved. Data requests may reserve credits for hours.
 * @returns whether the credits would fit into the caps of team and token without the reservations
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
