// Moves old entries of a ledger to R2, and sums them up by month.

import type { Family } from '../../../shared/families/index.ts';
import { HOUR_MS } from '../../../shared/lib/durations.ts';
import { logError } from '../../http/log.ts';
import type { OperationName } from '../provider-call.ts';
import type { Entries } from './entries.ts';
import { startOfMonth } from './periods.ts';
import type { LedgerStorage } from './schema.ts';
import { type ArchivedSum, type Entry, entrySchema } from './types.ts';

/** Entries are kept in the object for this many whole months. */
const MONTHS_KEPT = 13;
/** Entries of one object in R2: below a megabyte. */
const ENTRIES_PER_OBJECT = 2_000;
/** Objects that one alarm writes; the next alarm continues at once. */
const OBJECTS_PER_RUN = 20;
/** Pause after R2 or the storage has failed. */
const RETRY_MS = HOUR_MS;
/** Keys are in the order of their entries. */
const KEY_DIGITS = 12;

/** The subset of R2Bucket that the archive uses. */
export interface ArchiveBucket {
  get(key: string): Promise<{ text(): Promise<string> } | null>;
  put(key: string, value: string): Promise<unknown>;
  list(options: { prefix: string }): Promise<{ objects: readonly { key: string }[] }>;
  delete(keys: string[]): Promise<void>;
}

type State = { id: string; archived_through: number; closed_at: number };
type SumRow = Omit<ArchivedSum, 'token' | 'operation' | 'family'> & {
  token: string;
  operation: OperationName | '';
  family: Family | '';
};

const getPrefix = (team: string): string => `ledger/${team}/`;
const getKey = (team: string, first: number): string =>
  `${getPrefix(team)}${String(first).padStart(KEY_DIGITS, '0')}.jsonl`;

export class LedgerArchive {
  readonly #storage: LedgerStorage;
  readonly #entries: Entries;
  readonly #bucket: ArchiveBucket;
  readonly #now: () => number;
  /** The next run starts no earlier, milliseconds since 1970. */
  #retryAt = 0;

  constructor(storage: LedgerStorage, entries: Entries, bucket: ArchiveBucket, now: () => number) {
    this.#storage = storage;
    this.#entries = entries;
    this.#bucket = bucket;
    this.#now = now;
  }

  #getState(): State {
    return this.#storage.sql.exec<State>('SELECT id, archived_through, closed_at FROM team').one();
  }

  /** Returns when the oldest entry is due, milliseconds since 1970; undefined without entries. */
  dueAt(): number | undefined {
    const [oldest] = this.#entries.list(this.#getState().archived_through, 1);
    if (oldest === undefined) return undefined;
    return Math.max(startOfMonth(oldest.at, MONTHS_KEPT + 1), this.#retryAt);
  }

  /** Archives entries that are due. It is idempotent; after a failure, a later run continues. */
  async run(): Promise<void> {
    try {
      for (let left = OBJECTS_PER_RUN; left > 0 && (await this.#archiveNext()); left -= 1);
    } catch (error) {
      this.#retryAt = this.#now() + RETRY_MS;
      logError('ledger_archive_failed', error, { team: this.#getState().id });
    }
  }

  /** @returns whether there may be more */
  async #archiveNext(): Promise<boolean> {
    const { id, archived_through: through, closed_at: closedAt } = this.#getState();
    const before = startOfMonth(this.#now(), -MONTHS_KEPT);
    const page = this.#entries.list(through, ENTRIES_PER_OBJECT);
    const end = page.findIndex(({ at }) => at >= before);
    const old = end === -1 ? page : page.slice(0, end);
    const [first, last] = [old[0], old.at(-1)];
    if (first === undefined || last === undefined) return false;
    const key = getKey(id, first.number);
    // The object comes first, so an interruption loses nothing: the next run overwrites it.
    if (closedAt === 0)
      await this.#bucket.put(key, old.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    const wasClosed = this.#storage.transactionSync(() => this.#forget(old, first.number, last.number));
    if (wasClosed && closedAt === 0) await this.#bucket.delete([key]);
    return old.length === ENTRIES_PER_OBJECT;
  }

  /** Sums up and deletes entries. @returns whether the team has been closed */
  #forget(old: readonly Entry[], first: number, last: number): boolean {
    const { sql } = this.#storage;
    const isClosed = this.#getState().closed_at !== 0;
    if (!isClosed) sql.exec('INSERT OR REPLACE INTO archives (first, last) VALUES (?, ?)', first, last);
    for (const { day, kind, token, operation, family, credits, saved, calls } of old) {
      sql.exec(
        `INSERT INTO archived_sums (month, kind, token, operation, family, credits, saved, calls, lines)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
         ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, saved = saved + excluded.saved,
           calls = calls + excluded.calls, lines = lines + 1`,
        day.slice(0, 7),
        kind,
        token ?? '',
        operation ?? '',
        family ?? '',
        credits,
        saved,
        calls,
      );
    }
    // A top-up stays too: a second one with its id must have no effect.
    sql.exec("DELETE FROM entries WHERE number BETWEEN ? AND ? AND kind <> 'top_up'", first, last);
    sql.exec('UPDATE team SET archived_through = ?', last);
    return isClosed;
  }

  /**
   * Lists entries, oldest first, archived ones included.
   * @param after - number of the last known entry, or 0
   */
  async list(after: number, limit: number): Promise<Entry[]> {
    const all: Entry[] = [];
    for (;;) {
      const last = all.at(-1)?.number ?? after;
      const [next] = this.#storage.sql
        .exec<{ first: number; last: number }>(
          'SELECT first, last FROM archives WHERE last > ? ORDER BY first LIMIT 1',
          last,
        )
        .toArray();
      if (next === undefined || all.length >= limit) break;
      const archived = await this.#read(next.first);
      all.push(...archived.filter(({ number }) => number > last && number <= next.last));
    }
    const start = Math.max(all.at(-1)?.number ?? after, this.#getState().archived_through);
    return [...all, ...this.#entries.list(start, Math.max(0, limit - all.length))].slice(0, limit);
  }

  async #read(first: number): Promise<Entry[]> {
    const object = await this.#bucket.get(getKey(this.#getState().id, first));
    if (object === null) throw new Error('A part of the ledger’s archive is missing.');
    const lines = (await object.text()).split('\n');
    return lines.flatMap((line) => (line === '' ? [] : entrySchema.parse(JSON.parse(line))));
  }

  listSums(): ArchivedSum[] {
    return this.#storage.sql
      .exec<SumRow>('SELECT * FROM archived_sums ORDER BY month, kind, token, operation, family')
      .toArray()
      .map(({ token, operation, family: name, ...sum }) => ({
        ...sum,
        token: token || null,
        operation: operation || null,
        family: name || null,
      }));
  }

  /** Deletes the archived entries of a deleted team; entries that become old later are only summed up. It is idempotent. */
  async deleteObjects(): Promise<void> {
    const { sql } = this.#storage;
    const prefix = getPrefix(this.#getState().id);
    for (;;) {
      const { objects } = await this.#bucket.list({ prefix });
      if (objects.length === 0) break;
      await this.#bucket.delete(objects.map(({ key }) => key));
    }
    sql.exec('DELETE FROM archives');
  }
}
