// Those whose reservations can't be decided as long as holds are open: each is asked again when a hold was resolved.
import type { Platform } from '../platform.ts';
import type { Reservation, ReserveOutcome } from './types.ts';

interface Waiter {
  reservations: readonly Reservation[];
  /** Ends the waiting. */
  answer: (outcomes: ReserveOutcome[]) => void;
}

/** Tries to hold reservations. */
export type Reserve = (reservations: readonly Reservation[]) => ReserveOutcome[];

/** Can the asker do something with it, or does all depend on open holds? */
export function isDecided(outcomes: readonly ReserveOutcome[]): boolean {
  return outcomes.includes('held') || !outcomes.includes('wait');
}

/** What a reservation is judged by. */
const toPriceKey = ({ credits, token }: Reservation): string => `${credits} ${token}`;

/** The waiters of one ledger, first come, first asked. They are forgotten with the object, and ask again. */
export class WaitingReservations {
  readonly #reserve: Reserve;
  readonly #after: Platform['after'];
  readonly #waiters = new Set<Waiter>();

  constructor(reserve: Reserve, after: Platform['after']) {
    this.#reserve = reserve;
    this.#after = after;
  }

  /** Does anybody wait? */
  get hasWaiters(): boolean {
    return this.#waiters.size > 0;
  }

  /**
   * Waits until something is decided, or so many milliseconds have passed.
   * @returns how it stands then
   */
  async wait(reservations: readonly Reservation[], ms: number): Promise<ReserveOutcome[]> {
    const { promise, resolve } = Promise.withResolvers<ReserveOutcome[]>();
    const answered = new AbortController();
    const waiter: Waiter = {
      reservations,
      answer: (outcomes) => {
        this.#waiters.delete(waiter);
        answered.abort();
        resolve(outcomes);
      },
    };
    this.#waiters.add(waiter);
    void this.#after(ms, answered.signal).then(() => {
      if (this.#waiters.has(waiter)) waiter.answer(this.#reserve(reservations));
    });
    return promise;
  }

  /**
   * Asks every waiter again. What is refused to one is refused to all who want the same, since holding spends nothing: so
   * a thousand who want one credit are one question.
   */
  retry(): void {
    const refused = new Map<string, ReserveOutcome>();
    for (const { reservations, answer } of this.#waiters) {
      const known = reservations.flatMap((reservation) => refused.get(toPriceKey(reservation)) ?? []);
      const outcomes = known.length === reservations.length ? known : this.#reserve(reservations);
      reservations.forEach((reservation, at) => {
        const outcome = outcomes[at];
        if (outcome !== undefined && outcome !== 'held') refused.set(toPriceKey(reservation), outcome);
      });
      if (isDecided(outcomes)) answer(outcomes);
    }
  }

  /** Has nothing held any more for reservations that their asker gave up. */
  cancel(ids: ReadonlySet<string>): void {
    for (const { reservations, answer } of this.#waiters) {
      if (reservations.some(({ id }) => ids.has(id))) answer(reservations.map(() => 'wait'));
    }
  }
}
