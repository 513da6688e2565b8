// Who may call the provider, and when: what the gate does, apart from where it runs.
import type { Platform } from '../platform.ts';
import { BalanceTracker } from './balance-tracker.ts';
import { CallsInFlight } from './calls-in-flight.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { Pace } from './pace.ts';
import { PermitQueue, type QueueEntry } from './permit-queue.ts';
import { ProviderBlocks } from './provider-blocks.ts';
import type { ThrottleStore } from './store.ts';
import type { Permit, PermitRequest, Report, ReportResult, ReservationRef, ThrottleState } from './types.ts';

/** The count of credits is written down this often at most. */
const SAVE_MS = 1_000;

/** One who asked and waits for the answer. */
interface PermitWaiter extends QueueEntry {
  /** Credits that each call costs. */
  readonly credits: number;
  /** Milliseconds since 1970. */
  readonly until: number;
  granted: number;
  answer: (permit: Permit) => void;
}

/**
 * The gate. Whoever asks gets a place in the queue; whenever something changes, turns are given for as many calls as pace
 * and breaker have room for, and everyone who got any, or whose time is over, is answered. While somebody waits, one timer
 * runs.
 */
export class ProviderThrottle {
  readonly #platform: Platform;
  readonly #store: ThrottleStore;
  readonly #pace: Pace;
  readonly #breaker: CircuitBreaker;
  readonly #queue = new PermitQueue<PermitWaiter>();
  readonly #onWay = new CallsInFlight();
  readonly #balance: BalanceTracker;
  #timer: { at: number; stop: AbortController } | undefined;
  readonly #bars = new ProviderBlocks();
  #saving = false;
  #savedAt = Number.NEGATIVE_INFINITY;
  /** Nobody's time is over before. */
  #allUntil = Number.POSITIVE_INFINITY;

  /** @param ratePerS - calls a second that the provider allows until it says so itself */
  constructor(platform: Platform, store: ThrottleStore, ratePerS: number) {
    this.#platform = platform;
    this.#store = store;
    this.#pace = new Pace(platform.random, ratePerS, store.readLimit());
    this.#breaker = new CircuitBreaker(platform.random, platform.now());
    this.#balance = new BalanceTracker(store);
  }

  /**
   * Asks to send calls.
   * @returns as soon as any of them may be sent, the time is over, the queue is full or the breaker is open
   */
  acquire({ team, lane, calls, credits, waitMs }: PermitRequest): Promise<Permit> {
    const now = this.#platform.now();
    const { promise, resolve } = Promise.withResolvers<Permit>();
    const asker: PermitWaiter = {
      team,
      lane,
      calls,
      credits,
      until: now + waitMs,
      granted: 0,
      answer: resolve,
    };
    if (this.#bars.find(credits, now) !== undefined || !this.#queue.add(asker)) {
      return Promise.resolve(this.#refusal(asker, now));
    }
    this.#allUntil = Math.min(this.#allUntil, asker.until);
    this.#giveTurns(now);
    return promise;
  }

  /** Hears how calls went, and what the provider said about itself beside its answers. */
  report(reports: readonly Report[]): ReportResult {
    const now = this.#platform.now();
    for (const report of reports) this.#hear(report, now);
    if (this.#onWay.count(now) === 0) this.#balance.closePeriod();
    this.#saveCount(now);
    this.#giveTurns(now);
    return { resolved: this.#store.listResolved() };
  }

  #hear(report: Report, now: number): void {
    const { outcome, limitPerS, retryAfterMs, grantedAt = this.#onWay.getOldest(now) } = report;
    this.#bars.recordReport(report, now);
    const known = this.#onWay.remove(grantedAt, now);
    if (limitPerS !== undefined && this.#pace.setLimit(limitPerS)) this.#store.saveLimit(limitPerS);
    if (outcome === 'rate_limited') this.#pace.recordRateLimit(grantedAt, retryAfterMs, now);
    this.#breaker.recordOutcome(outcome, grantedAt, now);
    this.#balance.recordReport(report, grantedAt, known, now);
  }

  /** Hears that the ledgers have what has become known of some reservations: it is told no more. */
  acknowledge(names: readonly ReservationRef[]): void {
    this.#store.acknowledge(names);
  }

  /** How the provider is seen from here. */
  getState(): ThrottleState {
    const now = this.#platform.now();
    const balance = this.#balance.getView();
    return {
      pace: { ...this.#pace.limit, grantedPerS: this.#pace.getRate(now) },
      breaker: this.#breaker.getState(now),
      waiting: this.#queue.size,
      open: this.#onWay.count(now),
      ...(balance === undefined ? {} : { balance }),
      resolved: this.#store.listResolved(),
    };
  }

  /** Writes the count down, at most once a second while calls come: every write holds up the answers behind it. */
  #saveCount(now: number): void {
    if (this.#saving) return;
    if (now >= this.#savedAt + SAVE_MS) {
      if (this.#balance.save()) this.#savedAt = now;
      return;
    }
    this.#saving = true;
    void this.#platform.after(this.#savedAt + SAVE_MS - now).then(() => {
      this.#saving = false;
      this.#saveCount(this.#platform.now());
    });
  }

  #giveTurns(now: number): void {
    const turns = Math.min(this.#pace.countAllowed(now), this.#breaker.countAllowed(now), this.#queue.size);
    const served = new Set<PermitWaiter>();
    for (let turn = 0; turn < turns; turn += 1) {
      const asker = this.#queue.takeNext();
      if (asker === undefined) break;
      asker.granted += 1;
      served.add(asker);
    }
    if (turns > 0) {
      this.#pace.recordGrants(turns, now);
      this.#breaker.recordGrant(now);
      this.#onWay.add(turns, now);
    }
    for (const asker of served) {
      this.#queue.remove(asker);
      asker.answer({ granted: asker.granted, grantedAt: now, retryAt: now, isBreakerOpen: false });
    }
    this.#sendAway(now);
    this.#setTimer(now);
  }

  /** Answers those whose time is over, those whose calls the provider would refuse, and everyone while the breaker is open. */
  #sendAway(now: number): void {
    const open = this.#breaker.countAllowed(now) === 0;
    if (!open && now < this.#allUntil && !this.#bars.hasAny(now)) return;
    const over = [...this.#queue.entries()].filter(
      ({ until, credits }) => open || until <= now || this.#bars.find(credits, now) !== undefined,
    );
    for (const asker of over) this.#queue.remove(asker);
    for (const asker of over) asker.answer(this.#refusal(asker, now));
    this.#allUntil = [...this.#queue.entries()].reduce(
      (soonest, { until }) => Math.min(soonest, until),
      Number.POSITIVE_INFINITY,
    );
  }

  #refusal({ team, lane, credits }: PermitWaiter, now: number): Permit {
    const barred = this.#bars.find(credits, now);
    if (barred !== undefined)
      return { granted: 0, retryAt: barred.until, isBreakerOpen: false, blockedBy: barred.problem };
    const open = this.#breaker.countAllowed(now) === 0;
    const turnAt = this.#pace.estimateGrantAt(this.#queue.countAhead(team, lane), now);
    return {
      granted: 0,
      retryAt: open ? Math.max(turnAt, this.#breaker.getRetryAt(now)) : turnAt,
      isBreakerOpen: open,
    };
  }

  #setTimer(now: number): void {
    const waits = this.#queue.size > 0;
    const at = Math.min(this.#pace.estimateGrantAt(0, now), this.#allUntil);
    if (waits && at === this.#timer?.at) return;
    this.#timer?.stop.abort();
    this.#timer = undefined;
    if (!waits) return;
    const timer = { at, stop: new AbortController() };
    this.#timer = timer;
    void this.#platform.after(at - now, timer.stop.signal).then(() => {
      if (this.#timer !== timer) return;
      this.#timer = undefined;
      this.#giveTurns(this.#platform.now());
    });
  }
}
