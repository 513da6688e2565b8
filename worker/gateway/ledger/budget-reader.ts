// Reads budgets: caps, spending and remaining credits.
import type { Accounts } from './accounts.ts';
import type { LeaseStore } from './lease-store.ts';
import type { Reservations } from './reservations.ts';
import type { Budget, TokenBudget } from './types.ts';

/** Reads the budgets of one team. Times are milliseconds since 1970. */
export class BudgetReader {
  readonly #accounts: Accounts;
  readonly #reservations: Reservations;
  readonly #leases: LeaseStore;

  constructor(accounts: Accounts, reservations: Reservations, leases: LeaseStore) {
    this.#accounts = accounts;
    this.#reservations = reservations;
    this.#leases = leases;
  }

  /** Computes the credits that each of the tokens may still spend, or the team without any token; null without a cap. */
  getRemaining(tokens: readonly string[], now: number): number | null {
    const accounts = tokens.length === 0 ? [undefined] : new Set(tokens);
    const statuses = Array.from(accounts, (token) => this.#accounts.getSpendingStatus(token, now));
    if (statuses.some(({ spending }) => !spending)) return 0;
    const least = Math.min(...statuses.map(({ remaining }) => remaining));
    return Number.isFinite(least) ? least : null;
  }

  /** Returns the budget of the team. @param token - `remaining` then respects the caps of this token, too */
  getBudget(token: string | undefined, now: number): Budget {
    const { caps, spending, topUp } = this.#accounts.getTeam();
    const { day, month } = this.#accounts.getTotals(undefined, now);
    return {
      caps,
      spending,
      spent: { day: day.spent, month: month.spent },
      ...this.#reservations.getOpenCredits(),
      topUp,
      saved: { day: day.saved, month: month.saved },
      remaining: this.getRemaining(token === undefined ? [] : [token], now),
    };
  }

  getTokenBudget(token: string, now: number): TokenBudget {
    const { day, month } = this.#accounts.getTotals(token, now);
    const lastUsedAt = this.#leases.getLastUsedAt(token);
    return {
      caps: this.#accounts.getToken(token).caps,
      spent: { day: day.spent, month: month.spent },
      ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    };
  }
}
