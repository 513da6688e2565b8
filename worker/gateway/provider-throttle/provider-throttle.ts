// The provider throttle: decides which calls may be sent to the provider, and when.
import type { Platform } from '../platform.ts';
import { BalanceTracker } from './balance-tracker.ts';
import { CallsInFlight } from './calls-in-flight.ts';
import { CircuitBreakers } from './circuit-breakers.ts';
import { Pace } from './pace.ts';
import { PermitQueue, type QueueEntry } from './permit-queue.ts';
import { ProviderBlocks } from './provider-blocks.ts';
import type { ThrottleStore } from './store.ts';
import type {
  CallerKey,
  Permit,
  PermitRequest,
  Report,
  ReportResult,
  ReservationRef,
  ThrottleState,
} from './types.ts';

/** The balance is stored at most this often. */
const SAVE_MS = 1_000;

interface PermitWaiter extends QueueEntry, CallerKey {
  /** The API key that would send the calls. */
  readonly key?: string;
  /** Price of each call in credits. */
  readonly credits: number;
  /** Deadline: milliseconds since 1970. */
  readonly until: number;
  granted: number;
  resolve: (permit: Permit) => void;
}

/**
 * The throttle of one provider. Every request for a permit enters a queue. Whenever something changes, the throttle grants as
 * many calls as rate and circuit breakers allow, and resolves every request that got a call or has reached its deadline. While
 * requests wait, one timer runs.
 */
export class ProviderThrottle {
  readonly #platform: Platform;
  readonly #store: ThrottleStore;
  readonly #pace: Pace;
  readonly #breakers: CircuitBreakers;
  readonly #queue = new PermitQueue<PermitWaiter>();
  readonly #inFlight = new CallsInFlight();
  readonly #balance: BalanceTracker;
  #timer: { at: number; stop: PromiseWithResolvers<void> } | undefined;
  readonly #blocks = new ProviderBlocks();
  #isSaving = false;
  #savedAt = Number.NEGATIVE_INFINITY;
  /** The earliest deadline of all waiters. */
  #earliestDeadline = Number.POSITIVE_INFINITY;

  /** @param ratePerS - calls a second that are allowed until the provider reports its limit */
  constructor(platform: Platform, store: ThrottleStore, ratePerS: number) {
    this.#platform = platform;
    this.#store = store;
    this.#pace = new Pace(platform.random, ratePerS, store.readLimit());
    this.#breakers = new CircuitBreakers(platform.random, platform.now());
    this.#balance = new BalanceTracker(store);
  }

  /**
   * Requests a permit.
   * @returns as soon as any call may be sent, the deadline is reached, the queue is full, or the team's breaker is open
   */
  acquire({ waitMs, ...request }: PermitRequest): Promise<Permit> {
    const now = this.#platform.now();
    const { promise, resolve } = Promise.withResolvers<Permit>();
    const until = now + waitMs;
    const waiter: PermitWaiter = { ...request, until, granted: 0, resolve };
    if (this.#blocks.find(waiter, waiter.credits, now) !== undefined || !this.#queue.add(waiter)) {
      return Promise.resolve(this.#createRefusal(waiter, now));
    }
    this.#earliestDeadline = Math.min(this.#earliestDeadline, waiter.until);
    this.#grant(now);
    return promise;
  }

  /** Records how calls went, and the rate limit and balance that their responses reported. */
  report(reports: readonly Report[]): ReportResult {
    const now = this.#platform.now();
    for (const report of reports) this.#record(report, now);
    if (this.#inFlight.count(now) === 0) this.#balance.closePeriod();
    this.#saveBalance(now);
    this.#grant(now);
    return { resolved: this.#store.listResolved() };
  }

  #record(report: Report, now: number): void {
    const { outcome, limitPerS, retryAfterMs, grantedAt = this.#inFlight.getOldest(now) } = report;
    this.#blocks.recordReport(report, now);
    const isKnown = this.#inFlight.remove(grantedAt, now);
    if (limitPerS !== undefined && this.#pace.setLimit(limitPerS)) this.#store.saveLimit(limitPerS);
    if (outcome === 'rate_limited') this.#pace.recordRateLimit(grantedAt, retryAfterMs, now);
    this.#breakers.recordOutcome(report, grantedAt, now);
    this.#balance.recordReport(report, grantedAt, isKnown, now);
  }

  /** Drops resolutions that the ledgers have received. */
  acknowledge(references: readonly ReservationRef[]): void {
    this.#store.acknowledge(references);
  }

  getState(): ThrottleState {
    const now = this.#platform.now();
    const balance = this.#balance.getView();
    return {
      pace: { ...this.#pace.limit, grantedPerS: this.#pace.getRate(now) },
      breaker: this.#breakers.getState(now),
      waiting: this.#queue.size,
      open: this.#inFlight.count(now),
      ...(balance === undefined ? {} : { balance }),
      resolved: this.#store.listResolved(),
    };
  }

  /** Stores the balance, at most once a second under load, because every write delays the responses behind it. */
  #saveBalance(now: number): void {
    if (this.#isSaving) return;
    if (now >= this.#savedAt + SAVE_MS) {
      if (this.#balance.save()) this.#savedAt = now;
      return;
    }
    this.#isSaving = true;
    void this.#platform.sleep(this.#savedAt + SAVE_MS - now).then(() => {
      this.#isSaving = false;
      this.#saveBalance(this.#platform.now());
    });
  }

  /** Grants as many calls as possible now. */
  #grant(now: number): void {
    const allowed = this.#pace.countAllowed(now);
    const served = new Set<PermitWaiter>();
    let calls = 0;
    while (calls < allowed) {
      const waiter = this.#queue.takeNext();
      if (waiter === undefined) break;
      served.add(waiter);
      if (!this.#breakers.mayPass(waiter, now)) this.#queue.remove(waiter);
      else {
        this.#breakers.recordGrant(waiter, now);
        waiter.granted += 1;
        calls += 1;
      }
    }
    if (calls > 0) {
      this.#pace.recordGrants(calls, now);
      this.#inFlight.add(calls, now);
    }
    for (const waiter of served) {
      const { granted } = waiter;
      this.#queue.remove(waiter);
      waiter.resolve(
        granted === 0
          ? this.#createRefusal(waiter, now)
          : { granted, grantedAt: now, retryAt: now, isBreakerOpen: false },
      );
    }
    this.#refuseWaiters(now);
    this.#setTimer(now);
  }

  /** Refuses waiters past their deadline, waiters whose calls are blocked, and waiters whose breaker is open. */
  #refuseWaiters(now: number): void {
    const isUnblocked = !this.#blocks.hasAny(now) && !this.#breakers.isAnyOpen(now);
    if (isUnblocked && now < this.#earliestDeadline) return;
    const refused = [...this.#queue.entries()].filter(
      (waiter) =>
        waiter.until <= now ||
        this.#blocks.find(waiter, waiter.credits, now) !== undefined ||
        !this.#breakers.mayPass(waiter, now),
    );
    for (const waiter of refused) this.#queue.remove(waiter);
    for (const waiter of refused) waiter.resolve(this.#createRefusal(waiter, now));
    this.#earliestDeadline = [...this.#queue.entries()].reduce(
      (earliest, { until }) => Math.min(earliest, until),
      Number.POSITIVE_INFINITY,
    );
  }

  #createRefusal(waiter: PermitWaiter, now: number): Permit {
    const { team, lane, credits } = waiter;
    const block = this.#blocks.find(waiter, credits, now);
    if (block !== undefined)
      return { granted: 0, retryAt: block.until, isBreakerOpen: false, blockedBy: block.problem };
    const mayPass = this.#breakers.mayPass(waiter, now);
    const grantAt = this.#pace.estimateGrantAt(this.#queue.countAhead(team, lane), now);
    const retryAt = mayPass ? grantAt : Math.max(grantAt, this.#breakers.getRetryAt(waiter, now));
    // Calls that only wait for a probe because of other teams stay in their queue.
    return { granted: 0, retryAt, isBreakerOpen: !mayPass && this.#breakers.isDown(waiter, now) };
  }

  #setTimer(now: number): void {
    const isWaiting = this.#queue.size > 0;
    const at = Math.min(this.#pace.estimateGrantAt(0, now), this.#earliestDeadline);
    if (isWaiting && at === this.#timer?.at) return;
    this.#timer?.stop.resolve();
    this.#timer = undefined;
    if (!isWaiting) return;
    const timer = { at, stop: Promise.withResolvers<void>() };
    this.#timer = timer;
    void this.#platform.sleep(at - now, timer.stop.promise).then(() => {
      if (this.#timer !== timer) return;
      this.#timer = undefined;
      this.#grant(this.#platform.now());
    });
  }
}
