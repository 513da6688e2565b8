// Persistent state of a single-flight object, so that a crash never leads to a second charge.
import { toJsonLists } from '../../../db/json-list.ts';
import type { Settlement } from '../../ledger/types.ts';
import { AnswerRepository, END_PURCHASES, encodeCharge, type NewAnswer } from './answer-repository.ts';
import { BackgroundCalls } from './background-calls.ts';
import { openTables, type SingleFlightStorage } from './schema.ts';

export interface ReservedCall {
  team: string;
  id: string;
  credits: number;
  /** When the provider throttle granted its permit. */
  grantedAt?: number;
}

/** A settlement that its ledger has not confirmed. */
interface PendingSettlement {
  team: string;
  settlement: Settlement;
  /** Cache name of the answer that has ended the purchase. */
  name?: string;
}

/** The tables of a single-flight object. Every method is atomic. */
export class SingleFlightStore {
  readonly answers: AnswerRepository;
  readonly backgroundCalls: BackgroundCalls;
  /** Paid calls that were in flight when the object ended. Their answers are lost. */
  readonly lostCalls: readonly ReservedCall[];
  readonly #storage: SingleFlightStorage;
  readonly #properties: Map<string, string>;
  /** Of ended purchases, in memory, because every call reads them. */
  readonly #settlements: Map<string, PendingSettlement>;
  /** Most objects never have an erased key or an unclear call: they skip the queries for them. */
  #hasErasedKeys: boolean;
  #hasUnclearCalls: boolean;

  constructor(storage: SingleFlightStorage) {
    openTables(storage);
    this.#storage = storage;
    // First, because it changes what the others read.
    this.lostCalls = storage.transactionSync(() => this.#endSentCalls());
    this.answers = new AnswerRepository(storage);
    this.backgroundCalls = new BackgroundCalls(storage);
    this.#hasErasedKeys = storage.sql.exec('SELECT 1 FROM erased LIMIT 1').toArray().length > 0;
    this.#hasUnclearCalls = storage.sql.exec('SELECT 1 FROM unclear LIMIT 1').toArray().length > 0;
    this.#settlements = this.#readSettlements();
    const properties = storage.sql.exec<{ name: string; value: string }>(
      'SELECT name, value FROM properties',
    );
    this.#properties = new Map(properties.toArray().map(({ name, value }) => [name, value]));
  }

  /** Ends the purchases that were in flight when the object ended: by their answers, or as unclear. */
  #endSentCalls(): ReservedCall[] {
    const { sql } = this.#storage;
    sql.exec('UPDATE answers SET stored = 0 WHERE purchase IN (SELECT id FROM purchases)');
    sql.exec(END_PURCHASES);
    sql.exec("INSERT OR REPLACE INTO unclear (name, at) SELECT name, at FROM purchases WHERE state = 'sent'");
    sql.exec("DELETE FROM background_calls WHERE name IN (SELECT name FROM purchases WHERE state = 'sent')");
    type Row = { team: string; id: string; credits: number; granted_at: number | null };
    return sql
      .exec<Row>(
        "UPDATE purchases SET state = 'ended', name = NULL WHERE state = 'sent' RETURNING team, id, credits, granted_at",
      )
      .toArray()
      .map(({ granted_at, ...call }) => ({
        ...call,
        ...(granted_at === null ? {} : { grantedAt: granted_at }),
      }));
  }

  /** The provider's identity; undefined before the first request. */
  get identity(): string | undefined {
    return this.#properties.get('identity');
  }

  set identity(identity: string) {
    this.#setProperty('identity', identity);
  }

  #setProperty(name: string, value: string): void {
    if (this.#properties.get(name) === value) return;
    this.#storage.sql.exec('INSERT OR REPLACE INTO properties (name, value) VALUES (?, ?)', name, value);
    this.#properties.set(name, value);
  }

  get hasErasedKeys(): boolean {
    return this.#hasErasedKeys;
  }

  /** Did a call of this name become unclear after a time? */
  isUnclear(name: string, since: number): boolean {
    if (!this.#hasUnclearCalls) return false;
    const rows = this.#storage.sql.exec('SELECT 1 FROM unclear WHERE name = ? AND at >= ?', name, since);
    return rows.toArray().length > 0;
  }

  markSent(name: string, now: number, { team, id, credits, grantedAt }: ReservedCall): void {
    this.#storage.sql.exec(
      `INSERT INTO purchases (id, name, at, team, credits, granted_at, state) VALUES (?, ?, ?, ?, ?, ?, 'sent')`,
      id,
      name,
      now,
      team,
      credits,
      grantedAt ?? null,
    );
  }

  /**
   * Stores the end of a call.
   * @param pending - its settlement; absent for a free call
   */
  finishCall(name: string, now: number, pending: PendingSettlement | undefined, answer?: NewAnswer): void {
    this.#storage.transactionSync(() => {
      if (pending?.settlement.charged === 'unclear') {
        this.#hasUnclearCalls = true;
        this.#storage.sql.exec('INSERT OR REPLACE INTO unclear (name, at) VALUES (?, ?)', name, now);
      }
      if (answer !== undefined) this.answers.put(name, answer, pending?.settlement);
      else if (pending !== undefined) this.#endPurchase(pending);
    });
    if (pending !== undefined)
      this.#cacheSettlement({ ...pending, ...(answer === undefined ? {} : { name }) });
  }

  addSettlement(team: string, settlement: Settlement): void {
    this.#endPurchase({ team, settlement });
    this.#cacheSettlement({ team, settlement });
  }

  #cacheSettlement(pending: PendingSettlement): void {
    const { id } = pending.settlement;
    if (!this.#settlements.has(id)) this.#settlements.set(id, pending);
  }

  #endPurchase({ team, settlement: { id, charged } }: PendingSettlement): void {
    if (this.#settlements.has(id)) return;
    this.#storage.sql.exec(
      `INSERT INTO purchases (id, team, state, charged) VALUES (?, ?, 'ended', ?)
         ON CONFLICT DO UPDATE SET state = 'ended', name = NULL, charged = excluded.charged WHERE state = 'sent'`,
      id,
      team,
      encodeCharge(charged),
    );
  }

  #readSettlements(): Map<string, PendingSettlement> {
    type Row = { id: string; team: string; charged: number | null };
    const rows = this.#storage.sql.exec<Row>('SELECT id, team, charged FROM purchases').toArray();
    return new Map(
      rows.map(({ id, team, charged }) => [id, { team, settlement: { id, charged: charged ?? 'unclear' } }]),
    );
  }

  /** Lists the settlements that their ledgers have not confirmed, by team. */
  listSettlements(): Map<string, Settlement[]> {
    const teams = Map.groupBy(this.#settlements.values(), ({ team }) => team);
    return new Map([...teams].map(([team, pending]) => [team, pending.map(({ settlement }) => settlement)]));
  }

  /** Removes a settlement that its ledger has confirmed. The purchase stays stored, because KV may not have its answer. */
  takeSettlement(id: string): PendingSettlement | undefined {
    const pending = this.#settlements.get(id);
    this.#settlements.delete(id);
    return pending;
  }

  deletePurchase(id: string): void {
    this.#storage.sql.exec('DELETE FROM purchases WHERE id = ?', id);
  }

  /** Refuses keys from now on. */
  addErasedKeys(pseudonyms: readonly string[]): void {
    this.#hasErasedKeys ||= pseudonyms.length > 0;
    for (const list of toJsonLists(pseudonyms)) {
      this.#storage.sql.exec('INSERT OR IGNORE INTO erased SELECT value FROM json_each(?)', list);
    }
  }

  /** Loads, once, the keys that were erased before this object existed. */
  async loadErased(listErasedKeys: () => AsyncIterable<readonly string[]>): Promise<void> {
    if (this.#properties.has('erased')) return;
    // Page by page, because all objects of an isolate may load them at the same time.
    for await (const pseudonyms of listErasedKeys()) this.addErasedKeys(pseudonyms);
    this.#setProperty('erased', 'known');
  }

  /** Ends the refusal of keys. */
  deleteErasedKeys(pseudonyms: readonly string[]): void {
    for (const list of toJsonLists(pseudonyms))
      this.#storage.sql.exec('DELETE FROM erased WHERE pseudonym IN (SELECT value FROM json_each(?))', list);
  }

  /** Refuses keys from now on, and deletes the background calls for them. @param names - cache names of the keys */
  refuse(pseudonyms: readonly string[], names: readonly string[]): void {
    this.#storage.transactionSync(() => {
      if (pseudonyms.length > 0) this.addErasedKeys(pseudonyms);
      // Not by their cache, which a rollback would not restore.
      for (const name of names) this.#storage.sql.exec('DELETE FROM background_calls WHERE name = ?', name);
    });
  }

  /**
   * Finds erased keys.
   * @param keys - pseudonyms, or references of pseudonyms
   */
  findErased(keys: readonly string[]): Set<string> {
    if (!this.#hasErasedKeys) return new Set();
    // A pseudonym is hexadecimal, so the ones that start with a text come before that text with a g.
    const found = toJsonLists(keys).flatMap((list) =>
      this.#storage.sql
        .exec<{ value: string }>(
          `SELECT value FROM json_each(?)
            WHERE EXISTS (SELECT 1 FROM erased WHERE pseudonym >= value AND pseudonym < value || 'g')`,
          list,
        )
        .toArray(),
    );
    return new Set(found.map(({ value }) => value));
  }

  /**
   * Deletes unclear calls from before a time, and answers from before it that KV has.
   * @param before - milliseconds since 1970
   */
  deleteExpired(before: number, now: number): void {
    this.answers.deleteExpired(before, now);
    this.#storage.sql.exec('DELETE FROM unclear WHERE at < ?', before);
  }

  /** Are there background calls, purchases to settle or answers to write to KV? */
  hasPendingWork(): boolean {
    const rows = this.#storage.sql.exec(
      'SELECT 1 FROM background_calls UNION ALL SELECT 1 FROM purchases UNION ALL SELECT 1 FROM answers WHERE stored = 0 LIMIT 1',
    );
    return rows.toArray().length > 0;
  }

  /**
   * Returns when the next answer, unclear call or index entry expires; undefined if there is none.
   * @param keepMs - how long answers and unclear calls are kept, in milliseconds
   */
  getNextExpiry(keepMs: number): number | undefined {
    const { first } = this.#storage.sql
      .exec<{ first: number | null }>(
        `SELECT min(at) AS first FROM (
          SELECT fetched_at + ?1 AS at FROM answers UNION ALL SELECT at + ?1 FROM unclear UNION ALL SELECT kept_until FROM copies
        )`,
        keepMs,
      )
      .one();
    return first ?? undefined;
  }
}
