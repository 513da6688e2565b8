// How many calls a second the provider takes, and when the next ones may go.
import type { Env } from '../../env.ts';
import { ConfigurationError } from '../upstream/configured-upstream.ts';

/** The provider counts calls by the second. */
export const WINDOW_MS = 1_000;
/** The slowest plan that is known (contract, "Headers"). */
const STANDARD_PER_S = 5;
/** What is left of the pace after a 429. */
const LOWERED_TO = 0.8;
/** After this time without a 429 a lowered pace takes a step up: so much of the limit, and one call at least. */
const STEP_MS = 2_000;
const STEP = 0.1;
/** So that those who share a key do not all begin with the second. */
const JITTER_MS = 250;
/** A pause that is longer is rather a mistake: after this time one call finds out. */
const MAX_PAUSE_MS = 3_600_000;

/**
 * Reads `PROVIDER_RATE_PER_S`.
 * @returns calls a second that the provider allows until it says so itself
 * @throws ConfigurationError where it is no whole number from 1 to 9999
 */
export function readConfiguredRate({ PROVIDER_RATE_PER_S: text }: Pick<Env, 'PROVIDER_RATE_PER_S'>): number {
  if (!text) return STANDARD_PER_S;
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new ConfigurationError(`PROVIDER_RATE_PER_S: ${text} is no whole number from 1 to 9999.`);
  }
  return Number(text);
}

/**
 * The pace: at most so many grants in any 1,000 ms. It is what the provider says, and less for a while after it refused
 * a call as one too many. Times are milliseconds since 1970.
 */
export class Pace {
  readonly #random: () => number;
  #limit: { perS: number; learnt: boolean };
  /** The pace after the last 429, and when that was. */
  #lowered: { perS: number; at: number } | undefined;
  #pausedUntil = 0;
  /** Grants of the last window, oldest first; those of one millisecond stand together. */
  readonly #log: { at: number; calls: number }[] = [];

  /**
   * @param random - from 0 up to 1
   * @param configured - calls a second
   * @param learnt - what the provider said, if it is known
   */
  constructor(random: () => number, configured: number, learnt: number | undefined) {
    this.#random = random;
    this.#limit = { perS: learnt ?? configured, learnt: learnt !== undefined };
  }

  /** What the provider allows, or is taken to allow. */
  get limit(): { perS: number; learnt: boolean } {
    return this.#limit;
  }

  /** @returns calls a second that are granted */
  getRate(now: number): number {
    const { perS } = this.#limit;
    if (this.#lowered === undefined) return perS;
    const steps = Math.floor((now - this.#lowered.at) / STEP_MS);
    return Math.min(perS, this.#lowered.perS + steps * Math.ceil(perS * STEP));
  }

  /** @returns how many calls may be granted at this moment */
  countAllowed(now: number): number {
    if (now < this.#pausedUntil) return 0;
    return Math.max(0, this.#free(now));
  }

  #free(now: number): number {
    while (this.#log[0] !== undefined && this.#log[0].at <= now - WINDOW_MS) this.#log.shift();
    return this.#log.reduce((free, { calls }) => free - calls, this.getRate(now));
  }

  /** Takes down that calls were granted. */
  recordGrants(calls: number, now: number): void {
    const last = this.#log.at(-1);
    if (last?.at === now) last.calls += calls;
    else this.#log.push({ at: now, calls });
  }

  /**
   * @param ahead - how many calls go before
   * @returns when a call is granted, if the pace stays as it is
   */
  estimateGrantAt(ahead: number, now: number): number {
    const perS = this.getRate(now);
    const start = Math.max(now, this.#pausedUntil);
    let at = start;
    let free = this.#free(now);
    for (const entry of this.#log) {
      if (free > ahead % perS) break;
      free += entry.calls;
      at = Math.max(start, entry.at + WINDOW_MS);
    }
    return at + Math.floor(ahead / perS) * WINDOW_MS;
  }

  /**
   * Hears what the provider allows; it holds at once.
   * @returns whether that is new
   */
  setLimit(perS: number): boolean {
    if (this.#limit.learnt && this.#limit.perS === perS) return false;
    this.#limit = { perS, learnt: true };
    return true;
  }

  /**
   * Hears that the provider refused a call as one too many. Nothing is granted until it said, or else until its next
   * second has begun. The pace falls, once for all calls that were already on their way.
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
