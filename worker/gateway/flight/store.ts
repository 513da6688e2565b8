// What a flight writes down, so that nothing is bought twice when it is evicted or its machine fails.
import { z } from 'zod';
import type { Payer } from '../call.ts';
import type { Settlement } from '../ledger/types.ts';
import type { WantedCall } from './types.ts';

/** What a Durable Object's storage gives a flight. */
export type FlightStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

/** An answer as it is kept. */
export interface KeptAnswer {
  /** An envelope as JSON. */
  text: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
}

/** A call that goes on when nobody waits for it any more. */
export interface Standing {
  call: WantedCall;
  payer: Payer;
  identity: string;
  /** Milliseconds since 1970. */
  askedAt: number;
}

/** A value of Durable Object storage holds 2 MB, and a character takes up to three bytes. */
const MAX_VALUE_LENGTH = 600_000;

/** Can an answer be kept here? If not it is remembered in KV alone. */
export function fitsStore({ text }: KeptAnswer): boolean {
  return text.length <= MAX_VALUE_LENGTH;
}

const TABLES = `
  -- What the provider answered; stored is 1 when KV has it too.
  CREATE TABLE IF NOT EXISTS answers (
    name TEXT PRIMARY KEY, text TEXT NOT NULL, fetched_at INTEGER NOT NULL, places TEXT, stored INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS answers_by_time ON answers (fetched_at);
  -- Calls that were sent and not heard of yet.
  CREATE TABLE IF NOT EXISTS sent (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Calls that may have been charged although no answer came.
  CREATE TABLE IF NOT EXISTS unclear (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS standing (
    name TEXT PRIMARY KEY, call TEXT NOT NULL, team TEXT NOT NULL, token TEXT NOT NULL, identity TEXT NOT NULL,
    asked_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- What ledgers have still to be told.
  CREATE TABLE IF NOT EXISTS settlements (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, charged INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Pseudonyms of keys that are refused for ever.
  CREATE TABLE IF NOT EXISTS erased (pseudonym TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/** A place in KV and what is to stand there. */
export interface Write {
  place: string;
  text: string;
  /** Seconds. */
  ttl: number;
  /** Pseudonyms of the records whose rows it holds, so that an erasure finds it. */
  rows?: string[];
}

const writes = z.array(
  z.object({
    place: z.string(),
    text: z.string().optional(),
    ttl: z.number(),
    rows: z.array(z.string()).exactOptional(),
  }),
);

/** The tables of a flight. Every method is one step that can't be half done. */
export class FlightStore {
  readonly #storage: FlightStorage;
  /** Most flights never see an erasure: then no key has to be looked up. */
  #anyErased: boolean;

  constructor(storage: FlightStorage) {
    this.#storage = storage;
    storage.sql.exec(TABLES);
    // A call that was on its way when the object ended: nobody will hear of it.
    storage.transactionSync(() => {
      storage.sql.exec('INSERT OR REPLACE INTO unclear (name, at) SELECT name, at FROM sent');
      storage.sql.exec('DELETE FROM standing WHERE name IN (SELECT name FROM sent)');
      storage.sql.exec('DELETE FROM sent');
    });
    this.#anyErased = storage.sql.exec('SELECT 1 FROM erased LIMIT 1').toArray().length > 0;
  }

  /** Is any key refused? */
  get anyErased(): boolean {
    return this.#anyErased;
  }

  /** @returns what was answered under a name */
  answer(name: string): KeptAnswer | undefined {
    const [row] = this.#storage.sql
      .exec<{ text: string; fetched_at: number }>('SELECT text, fetched_at FROM answers WHERE name = ?', name)
      .toArray();
    return row && { text: row.text, fetchedAt: row.fetched_at };
  }

  /** Did a call of this name end without an answer, since this time? */
  isUnclear(name: string, since: number): boolean {
    const rows = this.#storage.sql.exec('SELECT 1 FROM unclear WHERE name = ? AND at >= ?', name, since);
    return rows.toArray().length > 0;
  }

  /** Notes that a call is about to be sent. */
  sending(name: string, now: number): void {
    this.#storage.sql.exec('INSERT OR REPLACE INTO sent (name, at) VALUES (?, ?)', name, now);
  }

  /**
   * Notes how a call ended, and what its ledger has to be told.
   * @param owed - absent where nothing was held
   * @param kept - the answer and where KV is to have it: its own place first, with the answer, then those that lead there
   */
  ended(
    name: string,
    now: number,
    owed: { team: string; settlement: Settlement } | undefined,
    kept?: KeptAnswer & { writes: readonly Write[] },
  ): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec('DELETE FROM sent WHERE name = ?', name);
      if (owed?.settlement.charged === 'unclear') {
        sql.exec('INSERT OR REPLACE INTO unclear (name, at) VALUES (?, ?)', name, now);
      }
      if (owed !== undefined) this.owe(owed.team, owed.settlement);
      if (kept !== undefined) this.#keep(name, kept, kept.writes);
    });
  }

  /** Notes what a ledger has to be told. */
  owe(team: string, { id, charged }: Settlement): void {
    this.#storage.sql.exec(
      'INSERT OR IGNORE INTO settlements (id, team, charged) VALUES (?, ?, ?)',
      id,
      team,
      charged === 'unclear' ? null : charged,
    );
  }

  #keep(name: string, { text, fetchedAt }: KeptAnswer, places: readonly Write[]): void {
    // The answer stands once: a place without a text takes the row's own.
    const short = places.map(({ text: written, ...rest }) =>
      written === text ? rest : { ...rest, text: written },
    );
    this.#storage.sql.exec(
      'INSERT OR REPLACE INTO answers (name, text, fetched_at, places, stored) VALUES (?, ?, ?, ?, ?)',
      name,
      text,
      fetchedAt,
      JSON.stringify(short),
      places.length === 0 ? 1 : 0,
    );
  }

  /** Notes that KV has an answer. */
  stored(name: string, fetchedAt: number): void {
    this.#storage.sql.exec(
      'UPDATE answers SET stored = 1 WHERE name = ? AND fetched_at = ?',
      name,
      fetchedAt,
    );
  }

  /** @returns some answers that KV may not have */
  unstored(limit: number): { name: string; fetchedAt: number; writes: Write[] }[] {
    return this.#storage.sql
      .exec<{ name: string; text: string; fetched_at: number; places: string | null }>(
        'SELECT name, text, fetched_at, places FROM answers WHERE stored = 0 LIMIT ?',
        limit,
      )
      .toArray()
      .map((row) => ({
        name: row.name,
        fetchedAt: row.fetched_at,
        writes: writes
          .parse(JSON.parse(row.places ?? '[]'))
          .map(({ text, ...rest }) => ({ ...rest, text: text ?? row.text })),
      }));
  }

  /** Notes a call that goes on without anybody waiting. */
  stand({ call, payer, identity, askedAt }: Standing): void {
    this.#storage.sql.exec(
      'INSERT OR IGNORE INTO standing (name, call, team, token, identity, asked_at) VALUES (?, ?, ?, ?, ?, ?)',
      call.name,
      JSON.stringify(call),
      payer.team,
      payer.token,
      identity,
      askedAt,
    );
  }

  /** Forgets that a call goes on. */
  fall(name: string): void {
    this.#storage.sql.exec('DELETE FROM standing WHERE name = ?', name);
  }

  /** @returns the calls that go on, those asked before this time left out and forgotten */
  standing(since: number): Standing[] {
    this.#storage.sql.exec('DELETE FROM standing WHERE asked_at < ?', since);
    type Row = { call: string; team: string; token: string; identity: string; asked_at: number };
    return this.#storage.sql
      .exec<Row>('SELECT call, team, token, identity, asked_at FROM standing ORDER BY asked_at')
      .toArray()
      .map(({ call, team, token, identity, asked_at }) => {
        // It was written by this class; nobody else can.
        const written: WantedCall = JSON.parse(call);
        return { call: written, payer: { team, token }, identity, askedAt: asked_at };
      });
  }

  /** @returns what ledgers have still to be told, by team */
  settlements(): Map<string, Settlement[]> {
    type Row = { id: string; team: string; charged: number | null };
    const rows = this.#storage.sql.exec<Row>('SELECT id, team, charged FROM settlements').toArray();
    return new Map(
      Object.entries(Object.groupBy(rows, ({ team }) => team)).map(([team, own = []]) => [
        team,
        own.map(({ id, charged }) => ({ id, charged: charged ?? 'unclear' })),
      ]),
    );
  }

  /** Forgets settlements that their ledger has heard. */
  told(settlements: readonly Settlement[]): void {
    const ids = JSON.stringify(settlements.map(({ id }) => id));
    this.#storage.sql.exec('DELETE FROM settlements WHERE id IN (SELECT value FROM json_each(?))', ids);
  }

  /** Refuses a key that turned out to lead to somebody erased. */
  refuse(pseudonym: string): void {
    this.#storage.sql.exec('INSERT OR IGNORE INTO erased (pseudonym) VALUES (?)', pseudonym);
  }

  /** Refuses keys from now on, and forgets what was answered under these names. */
  erase(pseudonyms: readonly string[], names: readonly string[]): number {
    const { sql } = this.#storage;
    this.#anyErased ||= pseudonyms.length > 0;
    return this.#storage.transactionSync(() => {
      sql.exec('INSERT OR IGNORE INTO erased SELECT value FROM json_each(?)', JSON.stringify(pseudonyms));
      sql.exec('DELETE FROM standing WHERE name IN (SELECT value FROM json_each(?))', JSON.stringify(names));
      const gone = sql.exec(
        'DELETE FROM answers WHERE name IN (SELECT value FROM json_each(?)) RETURNING 1',
        JSON.stringify(names),
      );
      return gone.toArray().length;
    });
  }

  /** Is one of these keys refused? */
  isErased(pseudonyms: readonly string[]): boolean {
    if (!this.#anyErased) return false;
    const rows = this.#storage.sql.exec(
      'SELECT 1 FROM erased WHERE pseudonym IN (SELECT value FROM json_each(?)) LIMIT 1',
      JSON.stringify(pseudonyms),
    );
    return rows.toArray().length > 0;
  }

  /** Forgets answers from before this time that KV has, and unclear calls. */
  forget(before: number): void {
    this.#storage.sql.exec('DELETE FROM answers WHERE stored = 1 AND fetched_at < ?', before);
    this.#storage.sql.exec('DELETE FROM unclear WHERE at < ?', before);
  }

  /** The provider whose calls go on; undefined where none do. */
  standingIdentity(): string | undefined {
    const rows = this.#storage.sql
      .exec<{ identity: string }>('SELECT identity FROM standing LIMIT 1')
      .toArray();
    return rows[0]?.identity;
  }

  /** Is there work that has to go on soon? */
  isBusy(): boolean {
    const rows = this.#storage.sql.exec(
      'SELECT 1 FROM standing UNION ALL SELECT 1 FROM settlements UNION ALL SELECT 1 FROM answers WHERE stored = 0 LIMIT 1',
    );
    return rows.toArray().length > 0;
  }

  /** Is there anything that time will change? */
  isEmpty(): boolean {
    const rows = this.#storage.sql.exec(
      'SELECT 1 FROM answers UNION ALL SELECT 1 FROM unclear UNION ALL SELECT 1 FROM standing UNION ALL SELECT 1 FROM settlements LIMIT 1',
    );
    return rows.toArray().length === 0;
  }
}
