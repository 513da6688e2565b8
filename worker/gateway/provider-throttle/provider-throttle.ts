// Who may call the provider, and when: what the gate does, apart from where it runs.
import type { Platform } from '../platform.ts';
import { BalanceCount } from './balance-tracker.ts';
import { CallsOnWay } from './calls-in-flight.ts';
import { Breaker } from './circuit-breaker.ts';
import { Pace } from './pace.ts';
import { type Place, TurnQueue } from './permit-queue.ts';
import { Bars } from './provider-blocks.ts';
import type { GateStore } from './store.ts';
import type { Acquire, GateState, Permit, Report, Reported, ReservationName } from './types.ts';

/** The count of credits is written down this often at most. */
const SAVE_MS = 1_000;

/** One who asked and waits for the answer. */
interface Asker extends Place {
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
export class Gatekeeper {
  readonly #platform: Platform;
  readonly #store: GateStore;
  readonly #pace: Pace;
  readonly #breaker: Breaker;
  readonly #queue = new TurnQueue<Asker>();
  readonly #onWay = new CallsOnWay();
  readonly #balance: BalanceCount;
  #timer: { at: number; stop: AbortController } | undefined;
  readonly #bars = new Bars();
  #saving = false;
  #savedAt = Number.NEGATIVE_INFINITY;
  /** Nobody's time is over before. */
  #allUntil = Number.POSITIVE_INFINITY;

  /** @param ratePerS - calls a second that the provider allows until it says so itself */
  constructor(platform: Platform, store: GateStore, ratePerS: number) {
    this.#platform = platform;
    this.#store = store;
    this.#pace = new Pace(platform.random, ratePerS, store.limitPerS());
    this.#breaker = new Breaker(platform.random, platform.now());
    this.#balance = new BalanceCount(store);
  }

  /**
   * Asks to send calls.
   * @returns as soon as any of them may be sent, the time is over, the queue is full or the breaker is open
   */
  acquire({ team, lane, calls, credits, waitMs }: Acquire): Promise<Permit> {
    const now = this.#platform.now();
    const { promise, resolve } = Promise.withResolvers<Permit>();
    const asker: Asker = { team, lane, calls, credits, until: now + waitMs, granted: 0, answer: resolve };
    if (this.#bars.of(credits, now) !== undefined || !this.#queue.add(asker)) {
      return Promise.resolve(this.#refusal(asker, now));
    }
    this.#allUntil = Math.min(this.#allUntil, asker.until);
    this.#giveTurns(now);
    return promise;
  }

  /** Hears how calls went, and what the provider said about itself beside its answers. */
  report(reports: readonly Report[]): Reported {
    const now = this.#platform.now();
    for (const report of reports) this.#hear(report, now);
    if (this.#onWay.count(now) === 0) this.#balance.quiet();
    this.#saveCount(now);
    this.#giveTurns(now);
    return { resolved: this.#store.resolved() };
  }

  #hear(report: Report, now: number): void {
    const { outcome, limitPerS, retryAfterMs, grantedAt = this.#onWay.oldest(now) } = report;
    this.#bars.heard(report, now);
    const known = this.#onWay.ended(grantedAt, now);
    if (limitPerS !== undefined && this.#pace.learn(limitPerS)) this.#store.saveLimit(limitPerS);
    if (outcome === 'rate_limited') this.#pace.refused(grantedAt, retryAfterMs, now);
    this.#breaker.heard(outcome, grantedAt, now);
    this.#balance.heard(report, grantedAt, known, now);
  }

  /** Hears that the ledgers have what has become known of some reservations: it is told no more. */
  acknowledge(names: readonly ReservationName[]): void {
    this.#store.acknowledge(names);
  }

  /** How the provider is seen from here. */
  state(): GateState {
    const now = this.#platform.now();
    const balance = this.#balance.state();
    return {
      pace: { ...this.#pace.limit, grantedPerS: this.#pace.perS(now) },
      breaker: this.#breaker.state(now),
      waiting: this.#queue.waiting,
      open: this.#onWay.count(now),
      ...(balance === undefined ? {} : { balance }),
      resolved: this.#store.resolved(),
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
    const turns = Math.min(this.#pace.room(now), this.#breaker.room(now), this.#queue.waiting);
    const served = new Set<Asker>();
    for (let turn = 0; turn < turns; turn += 1) {
      const asker = this.#queue.next();
      if (asker === undefined) break;
      asker.granted += 1;
      served.add(asker);
    }
    if (turns > 0) {
      this.#pace.granted(turns, now);
      this.#breaker.granted(now);
      this.#onWay.granted(turns, now);
    }
    for (const asker of served) {
      this.#queue.remove(asker);
      asker.answer({ granted: asker.granted, grantedAt: now, retryAt: now, open: false });
    }
    this.#sendAway(now);
    this.#setTimer(now);
  }

  /** Answers those whose time is over, those whose calls the provider would refuse, and everyone while the breaker is open. */
  #sendAway(now: number): void {
    const open = this.#breaker.room(now) === 0;
    if (!open && now < this.#allUntil && !this.#bars.any(now)) return;
    const over = [...this.#queue.places()].filter(
      ({ until, credits }) => open || until <= now || this.#bars.of(credits, now) !== undefined,
    );
    for (const asker of over) this.#queue.remove(asker);
    for (const asker of over) asker.answer(this.#refusal(asker, now));
    this.#allUntil = [...this.#queue.places()].reduce(
      (soonest, { until }) => Math.min(soonest, until),
      Number.POSITIVE_INFINITY,
    );
  }

  #refusal({ team, lane, credits }: Asker, now: number): Permit {
    const barred = this.#bars.of(credits, now);
    if (barred !== undefined)
      return { granted: 0, retryAt: barred.until, open: false, barred: barred.problem };
    const open = this.#breaker.room(now) === 0;
    const turnAt = this.#pace.turnAt(this.#queue.ahead(team, lane), now);
    return { granted: 0, retryAt: open ? Math.max(turnAt, this.#breaker.retryAt(now)) : turnAt, open };
  }

  #setTimer(now: number): void {
    const waits = this.#queue.waiting > 0;
    const at = Math.min(this.#pace.turnAt(0, now), this.#allUntil);
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
