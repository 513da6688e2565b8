// Distinguishes a budget that is used up from one that is only reserved for other work.
import { formatNumber } from '../../../shared/lib/format-count.ts';
import type { Env } from '../../env.ts';
import { remainingUnder } from '../../gateway/ledger/accounts.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import type { Payer } from '../../gateway/provider-call.ts';
import { ProblemError } from '../../http/problem-error.ts';

/** Returns the detail of a purchase that fails only because of reservations. @param credits - required credits */
export const describeReservedCredits = (credits: number): string =>
  `This needs ${formatNumber(credits)} credits, and what is left of the budget is reserved for work under way.`;

/** The credits are refused now, and may be available when work in progress has ended. */
export class CreditsReservedError extends ProblemError {
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
 * Returns whether credits would fit into the caps of the team, the token and the enrichment or schedule if all reservations were released. Data requests
 * may hold reservations for hours.
 */
export async function fitsWithoutReservations(
  env: Env,
  { team, token, budget }: Payer,
  credits: number,
): Promise<boolean> {
  const ledger = getLedger(env, team);
  const [{ spending, remaining, reserved }, tokenBudget, order] = await Promise.all([
    ledger.getBudget(),
    ledger.getTokenBudget(token),
    budget && ledger.getTokenBudget(budget.account),
  ]);
  if (!spending) return false;
  return (
    credits <= (remaining ?? Number.POSITIVE_INFINITY) + reserved &&
    credits <= remainingUnder(tokenBudget.caps, tokenBudget.spent) &&
    credits <= (budget?.month ?? Number.POSITIVE_INFINITY) - (order?.spent.month ?? 0)
  );
}
