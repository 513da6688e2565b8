// Stores data requests in the SQLite database of their Durable Object.
import type { Family } from '../../../shared/families/index.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import { parseExactly, stringifyExactly } from '../../lib/exact-json.ts';
import type { Selection } from './payload.ts';
import {
  COLUMNS,
  type DataRequest,
  type Failure,
  requestRowSchema,
  selectionSchema,
  stringListSchema,
} from './rows.ts';

/** Keys, ids and files are stored in chunks of this size. Contract: parts of at most 1,000 records. */
const CHUNK_SIZE = 1_000;

/** A file of a data request, written or planned. */
interface Part {
  number: number;
  name: string;
  ids: string[];
  /** Number of records in the file; null until it is written. */
  records: number | null;
}

export interface NewRequest {
  id: string;
  family: Family;
  price: number;
  selection: Selection;
  /** Equal for identical requests. */
  identity: string | undefined;
  webhook: string | undefined;
  createdAt: number;
  /** When processing begins, by this machine's clock. */
  nextAt: number;
}

export class RequestRepository {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(TABLES);
  }

  /**
   * Adds a request.
   * @returns false if an identical request is running; then nothing is added
   */
  add(request: NewRequest): boolean {
    const { sql } = this.#storage;
    const { id, family, price, selection, identity, webhook, createdAt, nextAt } = request;
    const keys = 'keys' in selection ? selection.keys.keys : [];
    const storedSelection = 'keys' in selection ? { keys: { kind: selection.keys.kind } } : selection;
    return this.#storage.transactionSync(() => {
      const { rowsWritten } = sql.exec(
        `INSERT INTO requests (id, family, price, selection, identity, state, created_at, next_at, webhook)
         VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?) ON CONFLICT DO NOTHING`,
        id,
        family,
        price,
        stringifyExactly(storedSelection),
        identity ?? null,
        createdAt,
        nextAt,
        webhook ?? null,
      );
      splitIntoBatches(keys, CHUNK_SIZE).forEach((piece, at) => {
        sql.exec(
          'INSERT INTO requested_keys (request, piece, keys) VALUES (?, ?, ?)',
          id,
          at,
          JSON.stringify(piece),
        );
      });
      return rowsWritten > 0;
    });
  }

  get(id: string): DataRequest | undefined {
    const [row] = this.#storage.sql.exec(`SELECT ${COLUMNS} FROM requests WHERE id = ?`, id).toArray();
    return row === undefined ? undefined : requestRowSchema.parse(row);
  }

  /** Returns the selection of a request; the keys of a list come in chunks. */
  getSelection(
    id: string,
  ): { keyChunks: string[][]; kind: 'id' | 'shorthand_name' } | Exclude<Selection, { keys: unknown }> {
    const { sql } = this.#storage;
    const { selection } = sql
      .exec<{ selection: string }>('SELECT selection FROM requests WHERE id = ?', id)
      .one();
    const parsed = selectionSchema.parse(parseExactly(selection, BigInt));
    if ('query' in parsed) return parsed;
    const rows = sql
      .exec<{ keys: string }>('SELECT keys FROM requested_keys WHERE request = ? ORDER BY piece', id)
      .toArray();
    return {
      kind: parsed.keys.kind,
      keyChunks: rows.map(({ keys }) => stringListSchema.parse(JSON.parse(keys))),
    };
  }

  #listIds(condition: string, value: number): string[] {
    return this.#storage.sql
      .exec<{ id: string }>(`SELECT id FROM requests WHERE ${condition}`, value)
      .toArray()
      .map(({ id }) => id);
  }

  /** Lists the requests that are due for processing, the longest waiting first. */
  listDueWork(now: number): string[] {
    return this.#listIds('next_at <= ? ORDER BY next_at', now);
  }

  /** Lists the requests whose webhook is due. */
  listDueWebhooks(now: number): DataRequest[] {
    return this.#storage.sql
      .exec(`SELECT ${COLUMNS} FROM requests WHERE webhook_at <= ? ORDER BY webhook_at`, now)
      .toArray()
      .map((row) => requestRowSchema.parse(row));
  }

  /** Returns the time of the next due work, by this machine's clock. */
  getNextTime(): number | undefined {
    const { at } = this.#storage.sql
      .exec<{ at: number | null }>(
        `SELECT min(at) AS at FROM (SELECT min(next_at) AS at FROM requests
           UNION ALL SELECT min(webhook_at) FROM requests)`,
      )
      .one();
    return at ?? undefined;
  }

  /**
   * Records an attempt to process a request.
   * @param retryAt - time of the next attempt if this one doesn't finish
   */
  startAttempt(id: string, retryAt: number): void {
    this.#storage.sql.exec(
      'UPDATE requests SET attempts = attempts + 1, next_at = ? WHERE id = ?',
      retryAt,
      id,
    );
  }

  /** Saves which records a request delivers, and the names of its files. */
  savePlan(id: string, ids: readonly string[], buildName: (number: number) => string): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec("UPDATE requests SET state = 'writing' WHERE id = ?", id);
      sql.exec('DELETE FROM requested_keys WHERE request = ?', id);
      splitIntoBatches(ids, CHUNK_SIZE).forEach((piece, number) => {
        sql.exec(
          'INSERT INTO parts (request, number, name, ids) VALUES (?, ?, ?, ?)',
          id,
          number,
          buildName(number),
          JSON.stringify(piece),
        );
      });
    });
  }

  listParts(id: string): Part[] {
    return this.#storage.sql
      .exec<Omit<Part, 'ids'> & { ids: string }>(
        'SELECT number, name, ids, records FROM parts WHERE request = ? ORDER BY number',
        id,
      )
      .toArray()
      .map((part) => ({ ...part, ids: stringListSchema.parse(JSON.parse(part.ids)) }));
  }

  listFiles(id: string): string[] {
    return this.listParts(id).flatMap(({ name, records }) => (records === null || records === 0 ? [] : name));
  }

  countRecords(id: string): number {
    return this.listParts(id).reduce((sum, { records }) => sum + (records ?? 0), 0);
  }

  /** Marks a file as written and drops its ids. */
  markWritten(id: string, number: number, records: number): void {
    this.#storage.sql.exec(
      "UPDATE parts SET records = ?, ids = '[]' WHERE request = ? AND number = ?",
      records,
      id,
      number,
    );
  }

  /**
   * Ends the processing of a request.
   * @param webhookAt - when its webhook is due, if it has one; undefined sends none
   */
  end(
    id: string,
    state: 'ready' | 'unpaid' | 'failed',
    webhookAt: number | undefined,
    failure?: Failure,
  ): void {
    this.#storage.sql.exec(
      `UPDATE requests SET state = ?, next_at = NULL, failure = ?,
         webhook_at = CASE WHEN webhook IS NULL THEN NULL ELSE ? END WHERE id = ?`,
      state,
      failure === undefined ? null : JSON.stringify(failure),
      webhookAt ?? null,
      id,
    );
    this.#storage.sql.exec('DELETE FROM requested_keys WHERE request = ?', id);
  }

  /**
   * Records an attempt to send a webhook.
   * @param retryAt - time of the next attempt if this one doesn't finish
   */
  startWebhookAttempt(id: string, retryAt: number): void {
    this.#storage.sql.exec(
      'UPDATE requests SET webhook_attempts = webhook_attempts + 1, webhook_at = ? WHERE id = ?',
      retryAt,
      id,
    );
  }

  /** Schedules the next attempt to send a webhook; undefined for none. */
  scheduleWebhook(id: string, at: number | undefined): void {
    this.#storage.sql.exec('UPDATE requests SET webhook_at = ? WHERE id = ?', at ?? null, id);
  }

  /** Lists the requests created before a time of the provider's clock. */
  listCreatedBefore(time: number): string[] {
    return this.#listIds('created_at < ?', time);
  }

  delete(id: string): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec('DELETE FROM requested_keys WHERE request = ?', id);
      sql.exec('DELETE FROM parts WHERE request = ?', id);
      sql.exec('DELETE FROM requests WHERE id = ?', id);
    });
  }
}

/** Creates the tables if they don't exist. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS requests (
    id TEXT PRIMARY KEY,
    family TEXT NOT NULL,
    price INTEGER NOT NULL,
    -- The selection as JSON; the keys of a list are in requested_keys.
    selection TEXT NOT NULL,
    -- Only one of several requests with the same identity can run.
    identity TEXT,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- When processing continues, by this machine's clock; null if nothing is left to do.
    next_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    webhook TEXT,
    webhook_at INTEGER,
    webhook_attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS one_runs ON requests (identity) WHERE state IN ('waiting', 'writing');
  CREATE INDEX IF NOT EXISTS by_work ON requests (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_webhook ON requests (webhook_at) WHERE webhook_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_age ON requests (created_at);
  CREATE TABLE IF NOT EXISTS requested_keys (
    request TEXT NOT NULL, piece INTEGER NOT NULL, keys TEXT NOT NULL, PRIMARY KEY (request, piece)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parts (
    request TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, ids TEXT NOT NULL, records INTEGER,
    PRIMARY KEY (request, number)
  ) STRICT, WITHOUT ROWID;
`;
