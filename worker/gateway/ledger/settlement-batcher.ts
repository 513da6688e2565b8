// Batches settlements. A write costs more than everything else, so a ledger stores settlements together with its next write.
// The senders keep them until they are stored, so none is lost if the object is evicted.
import type { Platform } from '../platform.ts';
import type { Settlement } from './types.ts';

/** Without another write, settlements are stored after this time. */
const MAX_DELAY_MS = 100;

/** The settlements of one ledger that are not stored yet. */
export class SettlementBatcher {
  readonly #store: (settlements: readonly Settlement[]) => void;
  readonly #sleep: Platform['sleep'];
  #settlements: Settlement[] = [];
  /** Resolves the senders of the current batch. */
  #batch: PromiseWithResolvers<void> | undefined;

  constructor(store: (settlements: readonly Settlement[]) => void, sleep: Platform['sleep']) {
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
    void this.#sleep(MAX_DELAY_MS).then(() => {
      if (this.#batch === batch) this.flush();
    });
    return batch;
  }

  /** Stores the batch. */
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
