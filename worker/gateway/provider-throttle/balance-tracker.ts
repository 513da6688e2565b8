// Compares the provider's balance with our own count: how much others spent, and whether unclear calls were charged.
import type { BalancePeriod, ThrottleStore } from './store.ts';
import type { BalanceView, Report, Resolution } from './types.ts';

/** The provider may go on with a call that we gave up, and charge it. After this time it has. */
const SETTLED_MS = 30_000;

function createPeriod(
  start: number,
  rest: Pick<BalancePeriod, 'isStartExact' | 'drift' | 'unresolved' | 'hasMatched' | 'reportedAt'>,
): BalancePeriod {
  return {
    start,
    charged: 0,
    unclear: 0,
    lowestBalance: null,
    lowestAt: null,
    latestGrantAt: 0,
    completeFromGrantAt: 0,
    ...rest,
  };
}

/**
 * Tracks the provider's balance. A resolution of unclear calls is exact. In doubt there is none, and the calls stay unclear,
 * which counts as charged.
 */
export class BalanceTracker {
  readonly #store: ThrottleStore;
  #period: BalancePeriod | undefined;

  constructor(store: ThrottleStore) {
    this.#store = store;
    this.#period = store.getBalance();
  }

  /** Returns the balance for display; undefined until the provider has reported one. */
  getView(): BalanceView | undefined {
    if (this.#period === undefined) return undefined;
    const { start, lowestBalance, reportedAt, charged, drift, unclear, unresolved } = this.#period;
    return {
      reported: lowestBalance ?? start,
      reportedAt,
      expected: start + drift - charged,
      drift,
      unclear: unresolved + unclear,
    };
  }

  /**
   * Records the price of a call and the balance that its response reported.
   * @param grantedAt - when the call was granted
   * @param known - whether the call was known to be in flight. A late report brings an old balance, which is ignored
   */
  recordReport(report: Report, grantedAt: number, known: boolean, now: number): void {
    const { charged, unclear } = report;
    const hadUnclear = (this.#period?.unclear ?? 0) > 0;
    const balance = known || this.#period === undefined ? report.balance : undefined;
    const period = this.#period;
    if (period === undefined || (balance !== undefined && this.#isPurchase(period, balance, grantedAt))) {
      if (balance === undefined) return;
      // The balance already includes the price of this call.
      this.#restart(balance, grantedAt, now);
    } else {
      period.charged += charged;
      if (!known && charged + unclear > 0) period.isStartExact = false;
      if (charged > 0 && balance === undefined)
        period.completeFromGrantAt = Math.max(period.completeFromGrantAt, now);
      if (balance !== undefined) this.#recordBalance(period, balance, grantedAt, now);
    }
    if (this.#period !== undefined && unclear > 0) {
      this.#period.unclear += unclear;
      this.#period.completeFromGrantAt = Math.max(this.#period.completeFromGrantAt, now + SETTLED_MS);
      this.#store.addUnclear(report.unclearReservations ?? []);
    }
    if (unclear > 0 || hadUnclear) this.save();
  }

  #recordBalance(period: BalancePeriod, balance: number, grantedAt: number, now: number): void {
    period.reportedAt = now;
    period.latestGrantAt = Math.max(period.latestGrantAt, grantedAt);
    if (period.lowestBalance !== null && period.lowestBalance <= balance) return;
    period.lowestBalance = balance;
    period.lowestAt = now;
  }

  /** Spending only lowers a balance. One above an earlier balance shows that credits were bought. */
  #isPurchase(
    { start, isStartExact, lowestBalance, lowestAt }: BalancePeriod,
    balance: number,
    grantedAt: number,
  ): boolean {
    if (isStartExact && balance > start) return true;
    return lowestBalance !== null && lowestAt !== null && balance > lowestBalance && grantedAt > lowestAt;
  }

  #restart(balance: number, grantedAt: number, now: number): void {
    this.#store.deleteUnclear();
    const hasMatched = this.#period?.hasMatched ?? false;
    this.#period = createPeriod(balance, {
      isStartExact: false,
      drift: 0,
      unresolved: 0,
      hasMatched,
      reportedAt: now,
    });
    this.#recordBalance(this.#period, balance, grantedAt, now);
  }

  /**
   * Ends the period at a moment without calls in flight: resolves unclear calls if possible and starts the next period. Does
   * nothing while the last balance may not include all charges.
   */
  closePeriod(): void {
    const period = this.#period;
    if (
      period === undefined ||
      period.lowestBalance === null ||
      period.latestGrantAt < period.completeFromGrantAt
    )
      return;
    const gap = period.start - period.charged - period.lowestBalance;
    const resolved = this.#resolve(period, gap);
    if (resolved === undefined) this.#store.deleteUnclear();
    else this.#store.resolveUnclear(resolved);
    const { drift, unresolved, reportedAt } = period;
    const isExplained = resolved !== undefined || !period.isStartExact;
    const isPurchase = period.isStartExact && gap < 0;
    this.#period = createPeriod(period.lowestBalance, {
      isStartExact: true,
      drift: isPurchase ? 0 : isExplained ? drift : drift + gap,
      unresolved: isPurchase ? 0 : resolved === undefined ? unresolved + period.unclear : unresolved,
      hasMatched:
        !isPurchase &&
        (period.hasMatched ||
          (period.isStartExact && gap === 0 && period.unclear === 0 && period.charged > 0)),
      reportedAt,
    });
    // With the resolution: after a crash, the former period would resolve calls that became unclear since.
    if (period.unclear > 0) this.save();
  }

  /** Decides whether all unclear calls of a period were charged; undefined if there are none or it can't be decided. */
  #resolve(period: BalancePeriod, gap: number): Resolution['resolved'] | undefined {
    if (!period.isStartExact || period.unclear === 0) return undefined;
    if (gap === period.unclear) return 'charged';
    // A provider that counts late would look the same, so it must have been exact before.
    return gap === 0 && period.hasMatched ? 'not_charged' : undefined;
  }

  /** Stores the period if it has changed. @returns whether it was written */
  save(): boolean {
    return this.#period !== undefined && this.#store.saveBalance(this.#period);
  }
}
