// What the provider's balance says: what was spent that we don't know of, and whether unclear calls were charged.
import type { ThrottleStore } from './store.ts';
import type { BalanceView, Report, Resolution } from './types.ts';

/** A provider that was left without its caller may go on and charge; by then it has. */
const SETTLED_MS = 30_000;

/**
 * The count of credits, as it is stored. It goes in periods from one quiet moment, when nothing is on its way, to the
 * next. Credits, and milliseconds since 1970.
 */
export interface BalancePeriod {
  /** The balance when the period began. */
  start: number;
  /** Is the start known for sure? A balance that was heard while other calls were on their way may hold their charges. */
  sure: boolean;
  /** Credits charged in the period as far as we know. */
  charged: number;
  /** Credits of the period's unclear calls. */
  unclear: number;
  /** The lowest balance heard in the period: calls at the same time are answered in any order. */
  lowest: number | null;
  /** When it was heard. */
  lowestAt: number | null;
  /** When the youngest of the calls was granted that brought a balance in the period. */
  heardFrom: number;
  /** Only the balance of a call that was granted by then or later holds all charges of the period. */
  holdsAllFrom: number;
  /** What others spent in earlier periods, and unclear credits of which it never became known. */
  drift: number;
  unresolved: number;
  /** Did the provider's count match ours to the credit in a period with charges? */
  matched: boolean;
  /** When a balance was last heard. */
  reportedAt: number;
}

function createPeriod(
  start: number,
  more: Pick<BalancePeriod, 'sure' | 'drift' | 'unresolved' | 'matched' | 'reportedAt'>,
): BalancePeriod {
  return {
    start,
    charged: 0,
    unclear: 0,
    lowest: null,
    lowestAt: null,
    heardFrom: 0,
    holdsAllFrom: 0,
    ...more,
  };
}

/**
 * The count of the provider's balance. Where it says that an unclear call was charged or not, it is exact: in doubt it
 * says nothing, and the call stays unclear, which counts as charged.
 */
export class BalanceTracker {
  readonly #store: ThrottleStore;
  #count: BalancePeriod | undefined;

  constructor(store: ThrottleStore) {
    this.#store = store;
    this.#count = store.readBalanceState();
  }

  /** What is shown; undefined until the provider said what is left. */
  getView(): BalanceView | undefined {
    if (this.#count === undefined) return undefined;
    const { start, lowest, reportedAt, charged, drift, unclear, unresolved } = this.#count;
    return {
      reported: lowest ?? start,
      reportedAt,
      expected: start + drift - charged,
      drift,
      unclear: unresolved + unclear,
    };
  }

  /**
   * Hears what a call cost and what is left.
   * @param grantedAt - when the call was granted
   * @param known - was it known to be on its way? What a call of before is told out of its time, so its balance is old
   */
  recordReport(report: Report, grantedAt: number, known: boolean, now: number): void {
    const { charged, unclear } = report;
    const balance = known || this.#count === undefined ? report.balance : undefined;
    const count = this.#count;
    if (count === undefined || (balance !== undefined && this.#isBought(count, balance, grantedAt))) {
      if (balance === undefined) return;
      // What this call cost is already in the balance that it brought.
      this.#beginAnew(balance, grantedAt, now);
    } else {
      count.charged += charged;
      if (!known && charged + unclear > 0) count.sure = false;
      if (charged > 0 && balance === undefined) count.holdsAllFrom = Math.max(count.holdsAllFrom, now);
      if (balance !== undefined) this.#hearBalance(count, balance, grantedAt, now);
    }
    if (this.#count !== undefined && unclear > 0) {
      this.#count.unclear += unclear;
      this.#count.holdsAllFrom = Math.max(this.#count.holdsAllFrom, now + SETTLED_MS);
      this.#store.addUnclear(report.unclearReservations ?? []);
    }
  }

  #hearBalance(count: BalancePeriod, balance: number, grantedAt: number, now: number): void {
    count.reportedAt = now;
    count.heardFrom = Math.max(count.heardFrom, grantedAt);
    if (count.lowest !== null && count.lowest <= balance) return;
    count.lowest = balance;
    count.lowestAt = now;
  }

  /** Spending only lowers a balance: one that is higher than what was heard before its call was sent shows a purchase. */
  #isBought({ start, sure, lowest, lowestAt }: BalancePeriod, balance: number, grantedAt: number): boolean {
    if (sure && balance > start) return true;
    return lowest !== null && lowestAt !== null && balance > lowest && grantedAt > lowestAt;
  }

  #beginAnew(balance: number, grantedAt: number, now: number): void {
    this.#store.deleteUnclear();
    const matched = this.#count?.matched ?? false;
    this.#count = createPeriod(balance, { sure: false, drift: 0, unresolved: 0, matched, reportedAt: now });
    this.#hearBalance(this.#count, balance, grantedAt, now);
  }

  /**
   * Concludes, at a moment when nothing is on its way, what can be concluded, and begins the next period. It does nothing
   * while the last balance may not hold all charges.
   */
  closePeriod(): void {
    const count = this.#count;
    if (count === undefined || count.lowest === null || count.heardFrom < count.holdsAllFrom) return;
    const gap = count.start - count.charged - count.lowest;
    const resolved = this.#resolve(count, gap);
    if (resolved === undefined) this.#store.deleteUnclear();
    else this.#store.resolveUnclear(resolved);
    const { drift, unresolved, reportedAt } = count;
    const explained = resolved !== undefined || !count.sure;
    const bought = count.sure && gap < 0;
    this.#count = createPeriod(count.lowest, {
      sure: true,
      drift: bought ? 0 : explained ? drift : drift + gap,
      unresolved: bought ? 0 : resolved === undefined ? unresolved + count.unclear : unresolved,
      matched:
        !bought && (count.matched || (count.sure && gap === 0 && count.unclear === 0 && count.charged > 0)),
      reportedAt,
    });
  }

  /** What became of all unclear calls of a period; undefined where there were none or nobody knows. */
  #resolve(count: BalancePeriod, gap: number): Resolution['resolved'] | undefined {
    if (!count.sure || count.unclear === 0) return undefined;
    if (gap === count.unclear) return 'charged';
    // A provider that counts late would look the same: it has to have been exact before.
    return gap === 0 && count.matched ? 'not_charged' : undefined;
  }

  /** Writes the count down if it has changed. @returns whether it was written */
  save(): boolean {
    return this.#count !== undefined && this.#store.saveBalanceState(this.#count);
  }
}
