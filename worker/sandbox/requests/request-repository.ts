// Data requests as they are kept: in the SQLite of their Durable Object, so that nothing is lost with its memory.
import type { Family } from '../../../shared/families/index.ts';
import type { Selection } from './payload.ts';
import {
  COLUMNS,
  type DataRequest,
  type Failure,
  type PartRow,
  requestRowSchema,
  selectionSchema,
  stringListSchema,
} from './rows.ts';
import { TABLES } from './schema.ts';

/** Keys and ids are kept, and files written, in pieces of so many. Contract: parts of at most 1,000 records. */
export const CHUNK_SIZE = 1_000;

type PartColumns = { number: number; name: string; ids: string; records: number | null };

/** A new request. */
export interface NewRequest {
  id: string;
  family: Family;
  price: number;
  selection: Selection;
  /** What it has in common with requests for the same thing. */
  identity: string | undefined;
  webhook: string | undefined;
  createdAt: number;
  /** When work on it begins, by this machine's clock. */
  nextAt: number;
}

/** What a Durable Object's storage gives. */
export type RequestStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

/** Cuts a list into pieces of {@link CHUNK_SIZE}. */
function toChunks(list: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(list.length / CHUNK_SIZE) }, (_, at) =>
    list.slice(at * CHUNK_SIZE, (at + 1) * CHUNK_SIZE),
  );
}

/** The requests of one sandbox. */
export class RequestRepository {
  readonly #storage: RequestStorage;

  constructor(storage: RequestStorage) {
    this.#storage = storage;
    storage.sql.exec(TABLES);
  }

  /**
   * Puts a request in.
   * @returns false if one with the same identity is running; then nothing is put in
   */
  add(request: NewRequest): boolean {
    const { sql } = this.#storage;
    const { id, family, price, selection, identity, webhook, createdAt, nextAt } = request;
    const keys = 'keys' in selection ? selection.keys.keys : [];
    const kept = 'keys' in selection ? { keys: { kind: selection.keys.kind } } : selection;
    return this.#storage.transactionSync(() => {
      const { rowsWritten } = sql.exec(
        `INSERT INTO requests (id, family, price, selection, identity, state, created_at, next_at, webhook)
         VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?) ON CONFLICT DO NOTHING`,
        id,
        family,
        price,
        JSON.stringify(kept),
        identity ?? null,
        createdAt,
        nextAt,
        webhook ?? null,
      );
      toChunks(keys).forEach((piece, at) => {
        sql.exec('INSERT INTO asked (request, piece, keys) VALUES (?, ?, ?)', id, at, JSON.stringify(piece));
      });
      return rowsWritten > 0;
    });
  }

  get(id: string): DataRequest | undefined {
    const [row] = this.#storage.sql.exec(`SELECT ${COLUMNS} FROM requests WHERE id = ?`, id).toArray();
    return row === undefined ? undefined : requestRowSchema.parse(row);
  }

  /** What a request selects; the keys of a list come in pieces. */
  getSelection(
    id: string,
  ): { pieces: string[][]; kind: 'id' | 'shorthand_name' } | Exclude<Selection, { keys: unknown }> {
    const { sql } = this.#storage;
    const { selection } = sql
      .exec<{ selection: string }>('SELECT selection FROM requests WHERE id = ?', id)
      .one();
    const read = selectionSchema.parse(JSON.parse(selection));
    if ('query' in read) return read;
    const rows = sql
      .exec<{ keys: string }>('SELECT keys FROM asked WHERE request = ? ORDER BY piece', id)
      .toArray();
    return { kind: read.keys.kind, pieces: rows.map(({ keys }) => stringListSchema.parse(JSON.parse(keys))) };
  }

  /** Requests on which work is due, the longest waiting first. */
  listDueWork(now: number): string[] {
    return this.#storage.sql
      .exec<{ id: string }>('SELECT id FROM requests WHERE next_at <= ? ORDER BY next_at', now)
      .toArray()
      .map(({ id }) => id);
  }

  /** Requests whose webhook is due. */
  listDueWebhooks(now: number): DataRequest[] {
    return this.#storage.sql
      .exec(`SELECT ${COLUMNS} FROM requests WHERE webhook_at <= ? ORDER BY webhook_at`, now)
      .toArray()
      .map((row) => requestRowSchema.parse(row));
  }

  /** When something is due next, by this machine's clock. */
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
   * Notes that work on a request begins.
   * @param againAt - when it is begun again if it does not come to an end
   */
  startAttempt(id: string, againAt: number): void {
    this.#storage.sql.exec(
      'UPDATE requests SET attempts = attempts + 1, next_at = ? WHERE id = ?',
      againAt,
      id,
    );
  }

  /**
   * Notes which records a request delivers, and the names of the files.
   */
  savePlan(id: string, ids: readonly string[], nameOf: (number: number) => string): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec("UPDATE requests SET state = 'writing' WHERE id = ?", id);
      sql.exec('DELETE FROM asked WHERE request = ?', id);
      toChunks(ids).forEach((piece, number) => {
        sql.exec(
          'INSERT INTO parts (request, number, name, ids) VALUES (?, ?, ?, ?)',
          id,
          number,
          nameOf(number),
          JSON.stringify(piece),
        );
      });
    });
  }

  listParts(id: string): PartRow[] {
    return this.#storage.sql
      .exec<PartColumns>('SELECT number, name, ids, records FROM parts WHERE request = ? ORDER BY number', id)
      .toArray()
      .map(({ number, name, ids, records }) => ({
        number,
        name,
        ids: stringListSchema.parse(JSON.parse(ids)),
        records: records ?? undefined,
      }));
  }

  /** The names of the files that hold records. */
  listFiles(id: string): string[] {
    return this.#storage.sql
      .exec<{ name: string }>('SELECT name FROM parts WHERE request = ? AND records > 0 ORDER BY number', id)
      .toArray()
      .map(({ name }) => name);
  }

  /** How many records stand in the files that are written. */
  countRecords(id: string): number {
    return this.#storage.sql
      .exec<{ records: number }>(
        'SELECT coalesce(sum(records), 0) AS records FROM parts WHERE request = ?',
        id,
      )
      .one().records;
  }

  /** Notes that a file is written; its ids are needed no more. */
  markWritten(id: string, number: number, records: number): void {
    this.#storage.sql.exec(
      "UPDATE parts SET records = ?, ids = '[]' WHERE request = ? AND number = ?",
      records,
      id,
      number,
    );
  }

  /**
   * Ends the work on a request.
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
    this.#storage.sql.exec('DELETE FROM asked WHERE request = ?', id);
  }

  /**
   * Notes that a webhook is being tried.
   * @param againAt - when it is tried again if this try does not come to an end
   */
  startWebhookAttempt(id: string, againAt: number): void {
    this.#storage.sql.exec(
      'UPDATE requests SET webhook_attempts = webhook_attempts + 1, webhook_at = ? WHERE id = ?',
      againAt,
      id,
    );
  }

  /** Sets when a webhook is tried again; undefined for never. */
  scheduleWebhook(id: string, at: number | undefined): void {
    this.#storage.sql.exec('UPDATE requests SET webhook_at = ? WHERE id = ?', at ?? null, id);
  }

  /** Requests that were made before a time, by the provider's clock. */
  listCreatedBefore(time: number): string[] {
    return this.#storage.sql
      .exec<{ id: string }>('SELECT id FROM requests WHERE created_at < ?', time)
      .toArray()
      .map(({ id }) => id);
  }

  delete(id: string): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec('DELETE FROM asked WHERE request = ?', id);
      sql.exec('DELETE FROM parts WHERE request = ?', id);
      sql.exec('DELETE FROM requests WHERE id = ?', id);
    });
  }
}
