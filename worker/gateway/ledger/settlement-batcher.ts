// Settlements that a ledger was told and has not booked yet: they are booked with whatever it does next, in one write, since
// a write costs more than all else. Whoever tells them keeps them until they are booked, so none is lost with the object.
import type { Platform } from '../platform.ts';
import type { Settlement } from './types.ts';

/** Where nothing else is done they are booked after this time. */
const GATHER_MS = 100;

/** The settlements of one ledger that wait to be booked. */
export class SettlementBatcher {
  readonly #book: (settlements: readonly Settlement[]) => void;
  readonly #after: Platform['after'];
  #settlements: Settlement[] = [];
  /** Those who told them. */
  #booked: PromiseWithResolvers<void> | undefined;

  constructor(flush: (settlements: readonly Settlement[]) => void, after: Platform['after']) {
    this.#book = flush;
    this.#after = after;
  }

  /**
   * Takes settlements.
   * @param soon - is somebody waiting for them?
   * @returns when they are booked
   */
  add(settlements: readonly Settlement[], soon: boolean): Promise<void> {
    this.#settlements.push(...settlements);
    const booked = this.#booked ?? this.#begin();
    if (soon) this.book();
    return booked.promise;
  }

  #begin(): PromiseWithResolvers<void> {
    const booked = Promise.withResolvers<void>();
    this.#booked = booked;
    void this.#after(GATHER_MS).then(() => {
      if (this.#booked === booked) this.book();
    });
    return booked;
  }

  /** Books what there is. */
  book(): void {
    const booked = this.#booked;
    if (booked === undefined) return;
    this.#booked = undefined;
    try {
      this.#book(this.#settlements.splice(0));
      booked.resolve();
    } catch (error) {
      booked.reject(error);
    }
  }
}
