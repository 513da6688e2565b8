// Reservations that wait for open ones, and settlements that wait for the next write.
import type { Clock } from '../../lib/clock.ts';
import type { Reservation, ReserveOutcome, Settlement } from './types.ts';

interface WaitingRequest {
  reservations: readonly Reservation[];
  resolve: (outcomes: ReserveOutcome[]) => void;
}

type Reserve = (reservations: readonly Reservation[]) => ReserveOutcome[];

/** Checks whether the caller can continue, or everything depends on open reservations. */
export function isDecided(outcomes: readonly ReserveOutcome[]): boolean {
  return outcomes.includes('reserved') || !outcomes.includes('wait');
}

/** Reservations with the same key have the same outcome. */
const toPriceKey = ({ credits, token, budget }: Reservation): string =>
  `${credits} ${token} ${budget?.account} ${budget?.month}`;

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
    const waiter: WaitingRequest = {
      reservations,
      resolve: (outcomes) => {
        this.#waiters.delete(waiter);
        resolve(outcomes);
      },
    };
    this.#waiters.add(waiter);
    void this.#sleep(ms, promise).then(() => {
      if (this.#waiters.has(waiter)) waiter.resolve(this.#reserve(reservations));
    });
    return promise;
  }

  /**
   * Retries all waiters. A refusal applies to every reservation with the same token, budget and price, because reserving spends
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

/** Without another write, settlements are stored after this time. */
const MAX_DELAY_MS = 100;

/**
 * The settlements of one ledger that are not stored yet. A write costs more than everything else, so a ledger stores them with
 * its next write. The senders keep them until they are stored, so none is lost if the object is evicted.
 */
export class SettlementBatcher {
  readonly #store: (settlements: readonly Settlement[]) => void;
  readonly #sleep: Clock['sleep'];
  #settlements: Settlement[] = [];
  /** Resolves the senders of the current batch, and ends its timer. */
  #batch: PromiseWithResolvers<void> | undefined;

  constructor(store: (settlements: readonly Settlement[]) => void, sleep: Clock['sleep']) {
    this.#store = store;
    this.#sleep = sleep;
  }

  /**
   * Adds settlements to the batch.
   * @param immediately - stores the batch now, because a caller waits for its credits
   * @returns a promise that resolves when they are stored
   */
  add(settlements: readonly Settlement[], immediately: boolean): Promise<void> {
    this.#settlements.push(...settlements);
    const batch = this.#batch ?? this.#startBatch();
    if (immediately) this.flush();
    return batch.promise;
  }

  #startBatch(): PromiseWithResolvers<void> {
    const batch = Promise.withResolvers<void>();
    this.#batch = batch;
    void this.#sleep(MAX_DELAY_MS, batch.promise).then(() => {
      if (this.#batch === batch) this.flush();
    });
    return batch;
  }

  flush(): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    try {
      this.#store(this.#settlements.splice(0));
      batch.resolve();
    } catch (error) {
      batch.reject(error);
    }
  }
}
