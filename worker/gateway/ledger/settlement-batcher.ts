// Batches settlements. A write costs more than everything else, so a ledger stores settlements together with its next write.
// The senders keep them until they are stored, so none is lost if the object is evicted.
import type { Clock } from '../../lib/clock.ts';
import type { Settlement } from './types.ts';

/** Without another write, settlements are stored after this time. */
const MAX_DELAY_MS = 100;

/** The settlements of one ledger that are not stored yet. */
export class SettlementBatcher {
  readonly #store: (settlements: readonly Settlement[]) => void;
  readonly #sleep: Clock['sleep'];
  #settlements: Settlement[] = [];
  /** Resolves the senders of the current batch, and ends its timer. */
  #batch: (PromiseWithResolvers<void> & { stored: AbortController }) | undefined;

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
    const batch = { ...Promise.withResolvers<void>(), stored: new AbortController() };
    this.#batch = batch;
    void this.#sleep(MAX_DELAY_MS, batch.stored.signal).then(() => {
      if (this.#batch === batch) this.flush();
    });
    return batch;
  }

  flush(): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    batch.stored.abort();
    try {
      this.#store(this.#settlements.splice(0));
      batch.resolve();
    } catch (error) {
      batch.reject(error);
    }
  }
}
