// Decides when the storage of a deleted team's ledger is deleted.
import { logError } from '../../http/log.ts';
import type { Accounts } from './accounts.ts';
import type { LedgerArchive } from './archive.ts';
import type { Reservations } from './reservations.ts';
import type { UsageCounters } from './usage-counters.ts';

/** Isolates send the usage of calls that ended before the deletion within this time. */
const LATE_USAGE_MS = 120_000;
/** An unclear call that is not resolved after this time stays charged. */
const UNCLEAR_MS = 86_400_000;
/** Pause after R2 has failed. */
const RETRY_MS = 3_600_000;

/** The stores that a deletion waits for. */
export interface DeletionStores {
  accounts: Pick<Accounts, 'closedAt'>;
  archive: Pick<LedgerArchive, 'deleteObjects'>;
  reservations: Pick<Reservations, 'getPending'>;
  usage: Pick<UsageCounters, 'dueAt'>;
}

/** The deletion of one ledger. Times are milliseconds since 1970. */
export class Deletion {
  readonly #now: () => number;
  readonly #stores: DeletionStores;
  /** Forgotten with the object, which then looks in R2 again. */
  #isArchiveDeleted = false;
  #retryAt = 0;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number, stores: DeletionStores) {
    this.#now = now;
    this.#stores = stores;
  }

  /** Returns when the next step is due; undefined if the team exists, or something is open that wakes the ledger itself. */
  dueAt(): number | undefined {
    const { accounts, reservations, usage } = this.#stores;
    const { closedAt } = accounts;
    if (closedAt === undefined) return undefined;
    if (!this.#isArchiveDeleted) return Math.max(closedAt, this.#retryAt);
    const { hasOpen, hasUnclear } = reservations.getPending();
    if (hasOpen || usage.dueAt() !== undefined) return undefined;
    return closedAt + (hasUnclear ? UNCLEAR_MS : LATE_USAGE_MS);
  }

  /** Deletes the archive. If R2 fails, a later run continues. */
  async run(): Promise<void> {
    if (this.#isArchiveDeleted) return;
    try {
      await this.#stores.archive.deleteObjects();
      this.#isArchiveDeleted = true;
    } catch (error) {
      this.#retryAt = this.#now() + RETRY_MS;
      logError('ledger_archive_failed', error);
    }
  }

  /** Tells whether everything that is kept is stored elsewhere: usage in D1. */
  canDelete(): boolean {
    const dueAt = this.dueAt();
    return this.#isArchiveDeleted && dueAt !== undefined && dueAt <= this.#now();
  }
}
