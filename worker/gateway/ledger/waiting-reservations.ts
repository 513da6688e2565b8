// Reservations that depend on open ones: each is retried when an open reservation ends.
import type { Clock } from '../../lib/clock.ts';
import type { Reservation, ReserveOutcome } from './types.ts';

interface WaitingRequest {
  reservations: readonly Reservation[];
  resolve: (outcomes: ReserveOutcome[]) => void;
}

export type Reserve = (reservations: readonly Reservation[]) => ReserveOutcome[];

/** Checks whether the caller can continue, or everything depends on open reservations. */
export function isDecided(outcomes: readonly ReserveOutcome[]): boolean {
  return outcomes.includes('reserved') || !outcomes.includes('wait');
}

/** Reservations with the same key have the same outcome. */
const toPriceKey = ({ credits, token }: Reservation): string => `${credits} ${token}`;

/** The waiters of one ledger, first in, first out. If the object is evicted, the callers retry. */
export class WaitingReservations {
  readonly #reserve: Reserve;
  readonly #sleep: Clock['sleep'];
  readonly #waiters = new Set<WaitingRequest>();

  constructor(reserve: Reserve, sleep: Clock['sleep']) {
    this.#reserve = reserve;
    this.#sleep = sleep;
  }

  get hasWaiters(): boolean {
    return this.#waiters.size > 0;
  }

  /**
   * Waits until an outcome is decided or the time is over.
   * @returns the current outcomes
   */
  async wait(reservations: readonly Reservation[], ms: number): Promise<ReserveOutcome[]> {
    const { promise, resolve } = Promise.withResolvers<ReserveOutcome[]>();
    const resolved = new AbortController();
    const waiter: WaitingRequest = {
      reservations,
      resolve: (outcomes) => {
        this.#waiters.delete(waiter);
        resolved.abort();
        resolve(outcomes);
      },
    };
    this.#waiters.add(waiter);
    void this.#sleep(ms, resolved.signal).then(() => {
      if (this.#waiters.has(waiter)) waiter.resolve(this.#reserve(reservations));
    });
    return promise;
  }

  /**
   * Retries all waiters. A refusal applies to every reservation with the same token and price, because reserving spends
   * nothing. So a thousand equal reservations cost one attempt.
   */
  retry(): void {
    const refused = new Map<string, ReserveOutcome>();
    for (const { reservations, resolve } of this.#waiters) {
      const known = reservations.flatMap((reservation) => refused.get(toPriceKey(reservation)) ?? []);
      const outcomes = known.length === reservations.length ? known : this.#reserve(reservations);
      reservations.forEach((reservation, index) => {
        const outcome = outcomes[index];
        if (outcome !== undefined && outcome !== 'reserved') refused.set(toPriceKey(reservation), outcome);
      });
      if (isDecided(outcomes)) resolve(outcomes);
    }
  }

  /** Resolves waiters whose callers have cancelled a reservation. Reserves nothing for them. */
  cancel(ids: ReadonlySet<string>): void {
    for (const { reservations, resolve } of this.#waiters) {
      if (reservations.some(({ id }) => ids.has(id))) resolve(reservations.map(() => 'wait'));
    }
  }
}
