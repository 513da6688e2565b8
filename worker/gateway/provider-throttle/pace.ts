// Limits calls to the provider's rate.
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';

/** The provider counts calls per second. */
const WINDOW_MS = 1_000;
/** Limit of the provider's slowest known plan (provider API, "Headers"). */
const STANDARD_PER_S = 5;
/** A 429 lowers the rate to this share. */
const LOWERED_TO = 0.8;
/** Without another 429, a lowered rate rises after each of these intervals by this share of the limit, at least by one call. */
const STEP_MS = 2_000;
const STEP = 0.1;
/** Keeps deployments that share an API key from all starting at the beginning of the second. */
const JITTER_MS = 250;
/** A longer `Retry-After` is probably a mistake: after this time one call finds out. */
const MAX_PAUSE_MS = 3_600_000;

/**
 * Reads `PROVIDER_RATE_PER_S`.
 * @returns calls a second that are allowed until the provider reports its limit
 * @throws ProblemError `not_configured` if it is not a whole number from 1 to 9999
 */
export function readConfiguredRate({ PROVIDER_RATE_PER_S: text }: Pick<Env, 'PROVIDER_RATE_PER_S'>): number {
  if (!text) return STANDARD_PER_S;
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new ProblemError(
      'not_configured',
      `PROVIDER_RATE_PER_S: ${text} is no whole number from 1 to 9999.`,
    );
  }
  return Number(text);
}

/**
 * Limits the calls in any 1,000 ms to the provider's rate, and to less for a while after a 429. Times are milliseconds since
 * 1970.
 */
export class Pace {
  readonly #random: () => number;
  #limit: { perS: number; reported: boolean };
  /** The rate after the last 429, and when that was. */
  #lowered: { perS: number; at: number } | undefined;
  #pausedUntil = 0;
  /** Calls granted in the last window by millisecond, oldest first. */
  readonly #grants: { at: number; calls: number }[] = [];

  /**
   * @param random - returns a number from 0 up to 1
   * @param configured - calls a second
   * @param reported - calls a second that the provider has reported, if it has
   */
  constructor(random: () => number, configured: number, reported: number | undefined) {
    this.#random = random;
    this.#limit = { perS: reported ?? configured, reported: reported !== undefined };
  }

  /** Calls a second that the provider allows, and whether it reported them. */
  get limit(): { perS: number; reported: boolean } {
    return this.#limit;
  }

  /** Returns the calls a second that are granted at present. */
  getRate(now: number): number {
    const { perS } = this.#limit;
    if (this.#lowered === undefined) return perS;
    const steps = Math.floor((now - this.#lowered.at) / STEP_MS);
    return Math.min(perS, this.#lowered.perS + steps * Math.ceil(perS * STEP));
  }

  countAllowed(now: number): number {
    if (now < this.#pausedUntil) return 0;
    return Math.max(0, this.#free(now));
  }

  #free(now: number): number {
    while (this.#grants[0] !== undefined && this.#grants[0].at <= now - WINDOW_MS) this.#grants.shift();
    return this.#grants.reduce((free, { calls }) => free - calls, this.getRate(now));
  }

  recordGrants(calls: number, now: number): void {
    const last = this.#grants.at(-1);
    if (last?.at === now) last.calls += calls;
    else this.#grants.push({ at: now, calls });
  }

  /**
   * Estimates when a call is granted if the rate does not change.
   * @param ahead - number of calls before it
   */
  estimateGrantAt(ahead: number, now: number): number {
    const perS = this.getRate(now);
    const start = Math.max(now, this.#pausedUntil);
    let at = start;
    let free = this.#free(now);
    for (const entry of this.#grants) {
      if (free > ahead % perS) break;
      free += entry.calls;
      at = Math.max(start, entry.at + WINDOW_MS);
    }
    return at + Math.floor(ahead / perS) * WINDOW_MS;
  }

  /**
   * Sets the limit that the provider has reported. It applies at once.
   * @returns whether it has changed
   */
  setLimit(perS: number): boolean {
    if (this.#limit.reported && this.#limit.perS === perS) return false;
    this.#limit = { perS, reported: true };
    return true;
  }

  /**
   * Records a 429. Nothing is granted until `Retry-After`, or else until the next second. The rate falls once for all calls
   * that were already in flight.
   * @param grantedAt - when the call was granted
   */
  recordRateLimit(grantedAt: number, retryAfterMs: number | undefined, now: number): void {
    const nextSecond = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS;
    const until =
      retryAfterMs === undefined
        ? nextSecond + Math.floor(this.#random() * JITTER_MS)
        : now + Math.min(retryAfterMs, MAX_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    if (this.#lowered !== undefined && grantedAt <= this.#lowered.at) return;
    this.#lowered = { perS: Math.max(1, Math.floor(this.getRate(now) * LOWERED_TO)), at: now };
  }
}
