// Deletes old data of a ledger, and decides when the storage of a deleted team is deleted.
import { DAY_MS, HOUR_MS } from '../../../shared/lib/durations.ts';
import { logError } from '../../http/log.ts';
import type { Accounts } from './accounts.ts';
import type { LedgerArchive } from './archive.ts';
import { toDay } from './periods.ts';
import type { Reservations } from './reservations.ts';
import type { UsageCounters } from './usage-counters.ts';

/** Isolates send the usage of calls that ended before the deletion within this time. */
const LATE_USAGE_MS = 120_000;
/** An unclear call that is not resolved after this time stays charged. */
const UNCLEAR_MS = DAY_MS;
/** Pause after R2 has failed. */
const RETRY_MS = HOUR_MS;
/** Ended reservations and daily totals are deleted after this time. */
const RETENTION_DAYS = 35;

interface DeletionStores {
  accounts: Accounts;
  archive: LedgerArchive;
  reservations: Reservations;
  usage: UsageCounters;
}

/** The deletion of one ledger. */
export class Deletion {
  readonly #now: () => number;
  readonly #stores: DeletionStores;
  /** Forgotten with the object, which then looks in R2 again. */
  #isArchiveDeleted = false;
  #retryAt = 0;

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

  /** Deletes data beyond its retention. The caller runs it in a transaction. */
  deleteOldData(): void {
    const { accounts, reservations, usage } = this.#stores;
    const day = toDay(this.#now() - RETENTION_DAYS * DAY_MS);
    if (day === accounts.deletedBefore) return;
    const kept = reservations.deleteBefore(day);
    accounts.deleteBefore(day, kept);
    usage.deleteBefore(day, kept);
  }

  /** Tells whether everything that is kept is stored elsewhere: usage in D1. */
  canDelete(): boolean {
    const dueAt = this.dueAt();
    return this.#isArchiveDeleted && dueAt !== undefined && dueAt <= this.#now();
  }
}
