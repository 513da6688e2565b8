// What a flight writes down, so that nothing is bought twice when it is evicted or its machine fails.
import type { Settlement } from '../../ledger/types.ts';
import {
  AnswerRepository,
  type ErasedAnswers,
  type KvEntry,
  type StoredAnswer,
} from './answer-repository.ts';
import { BackgroundCalls } from './background-calls.ts';
import { openTables, type SingleFlightStorage } from './schema.ts';

/** A price that a ledger holds for a call. */
export interface ReservedCall {
  team: string;
  /** Id of the reservation. */
  id: string;
  credits: number;
  /** When the gate let the call through. */
  grantedAt?: number;
}

/** What a team's ledger has to be told. */
interface PendingSettlement {
  team: string;
  settlement: Settlement;
}

/** The tables of a flight. Every method is one step that can't be half done. Times are milliseconds since 1970. */
export class SingleFlightStore {
  readonly answers: AnswerRepository;
  readonly backgroundCalls: BackgroundCalls;
  /** Paid calls that were on their way when the object ended: nobody will hear of them. */
  readonly lostCalls: readonly ReservedCall[];
  readonly #storage: SingleFlightStorage;
  readonly #facts: Map<string, string>;
  /** What ledgers have still to be told, as it is written down: it is asked at every call. */
  readonly #owed: Map<string, PendingSettlement>;
  /** Most flights never see an erasure, or a call of which nothing is heard: then nothing has to be looked up. */
  #anyErased: boolean;
  #anyUnclear: boolean;

  constructor(storage: SingleFlightStorage) {
    openTables(storage);
    this.#storage = storage;
    this.answers = new AnswerRepository(storage);
    this.backgroundCalls = new BackgroundCalls(storage);
    this.lostCalls = storage.transactionSync(() => this.#lose());
    this.#anyErased = storage.sql.exec('SELECT 1 FROM erased LIMIT 1').toArray().length > 0;
    this.#anyUnclear = storage.sql.exec('SELECT 1 FROM unclear LIMIT 1').toArray().length > 0;
    this.#owed = this.#readOwed();
    const facts = storage.sql.exec<{ name: string; value: string }>('SELECT name, value FROM facts');
    this.#facts = new Map(facts.toArray().map(({ name, value }) => [name, value]));
  }

  #lose(): ReservedCall[] {
    const { sql } = this.#storage;
    sql.exec('INSERT OR REPLACE INTO unclear (name, at) SELECT name, at FROM sent');
    sql.exec(
      'INSERT OR IGNORE INTO settlements (id, team, charged) SELECT reservation, team, NULL FROM sent',
    );
    sql.exec('DELETE FROM standing WHERE name IN (SELECT name FROM sent)');
    type Row = { team: string; reservation: string; credits: number; granted_at: number | null };
    return sql
      .exec<Row>('DELETE FROM sent RETURNING team, reservation, credits, granted_at')
      .toArray()
      .map(({ team, reservation, credits, granted_at }) => ({
        team,
        id: reservation,
        credits,
        ...(granted_at === null ? {} : { grantedAt: granted_at }),
      }));
  }

  /** The provider's identity; undefined until somebody asked. */
  get identity(): string | undefined {
    return this.#facts.get('identity');
  }

  set identity(identity: string) {
    this.#setFact('identity', identity);
  }

  #setFact(name: string, value: string): void {
    if (this.#facts.get(name) === value) return;
    this.#storage.sql.exec('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)', name, value);
    this.#facts.set(name, value);
  }

  /** Is any key refused? */
  get anyErased(): boolean {
    return this.#anyErased;
  }

  /** Did a call of this name end without an answer, since this time? */
  isUnclear(name: string, since: number): boolean {
    if (!this.#anyUnclear) return false;
    const rows = this.#storage.sql.exec('SELECT 1 FROM unclear WHERE name = ? AND at >= ?', name, since);
    return rows.toArray().length > 0;
  }

  /** Notes that a paid call is about to be sent. */
  markSent(name: string, now: number, { team, id, credits, grantedAt }: ReservedCall): void {
    this.#storage.sql.exec(
      'INSERT OR REPLACE INTO sent (name, at, team, reservation, credits, granted_at) VALUES (?, ?, ?, ?, ?, ?)',
      name,
      now,
      team,
      id,
      credits,
      grantedAt ?? null,
    );
  }

  /**
   * Notes how a call ended, and what its ledger has to be told.
   * @param owed - absent where nothing was held
   * @param kept - the answer and where KV is to have it
   */
  finishCall(
    name: string,
    now: number,
    owed: PendingSettlement | undefined,
    kept?: StoredAnswer & { places: readonly KvEntry[] },
  ): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec('DELETE FROM sent WHERE name = ?', name);
      if (owed?.settlement.charged === 'unclear') {
        this.#anyUnclear = true;
        sql.exec('INSERT OR REPLACE INTO unclear (name, at) VALUES (?, ?)', name, now);
      }
      if (owed !== undefined) this.#writeOwed(owed);
      if (kept !== undefined) this.answers.put(name, kept, kept.places);
    });
    if (owed !== undefined) this.#remember(owed);
  }

  /** Notes what a ledger has to be told. */
  addSettlement(team: string, settlement: Settlement): void {
    this.#writeOwed({ team, settlement });
    this.#remember({ team, settlement });
  }

  #remember(owed: PendingSettlement): void {
    const { id } = owed.settlement;
    if (!this.#owed.has(id)) this.#owed.set(id, owed);
  }

  #writeOwed({ team, settlement: { id, charged } }: PendingSettlement): void {
    this.#storage.sql.exec(
      'INSERT OR IGNORE INTO settlements (id, team, charged) VALUES (?, ?, ?)',
      id,
      team,
      charged === 'unclear' ? null : charged,
    );
  }

  #readOwed(): Map<string, PendingSettlement> {
    type Row = { id: string; team: string; charged: number | null };
    const rows = this.#storage.sql.exec<Row>('SELECT id, team, charged FROM settlements').toArray();
    return new Map(
      rows.map(({ id, team, charged }) => [id, { team, settlement: { id, charged: charged ?? 'unclear' } }]),
    );
  }

  /** @returns what ledgers have still to be told, by team */
  listSettlements(): Map<string, Settlement[]> {
    const teams = Map.groupBy(this.#owed.values(), ({ team }) => team);
    return new Map([...teams].map(([team, own]) => [team, own.map(({ settlement }) => settlement)]));
  }

  /** Forgets settlements that their ledger has heard. */
  deleteSettlements(settlements: readonly Settlement[]): void {
    const ids = JSON.stringify(settlements.map(({ id }) => id));
    this.#storage.sql.exec('DELETE FROM settlements WHERE id IN (SELECT value FROM json_each(?))', ids);
    for (const { id } of settlements) this.#owed.delete(id);
  }

  /** Refuses keys for ever. */
  addErasedKeys(pseudonyms: readonly string[]): void {
    this.#anyErased ||= pseudonyms.length > 0;
    this.#storage.sql.exec(
      'INSERT OR IGNORE INTO erased SELECT value FROM json_each(?)',
      JSON.stringify(pseudonyms),
    );
  }

  /**
   * Refuses the keys of all erasures that there were before this object, which are read only once.
   * @param read - reads their pseudonyms
   */
  async loadErased(read: () => Promise<readonly string[]>): Promise<void> {
    if (this.#facts.has('erased')) return;
    const pseudonyms = await read();
    this.#storage.transactionSync(() => {
      this.addErasedKeys(pseudonyms);
      this.#setFact('erased', 'known');
    });
  }

  /** Refuses keys from now on, and forgets every answer about them and what was answered under some names. */
  erase(pseudonyms: readonly string[], names: readonly string[]): ErasedAnswers {
    return this.#storage.transactionSync(() => {
      if (pseudonyms.length > 0) this.addErasedKeys(pseudonyms);
      for (const name of names) this.backgroundCalls.delete(name);
      return this.answers.erase(pseudonyms, names);
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
  deleteExpired(before: number): void {
    this.answers.deleteExpired(before);
    this.#storage.sql.exec('DELETE FROM unclear WHERE at < ?', before);
  }

  /** Is there work that has to go on soon? */
  hasPendingWork(): boolean {
    const rows = this.#storage.sql.exec(
      'SELECT 1 FROM standing UNION ALL SELECT 1 FROM settlements UNION ALL SELECT 1 FROM answers WHERE stored = 0 LIMIT 1',
    );
    return rows.toArray().length > 0;
  }

  /** @returns when the oldest answer or unclear call is from; undefined where there is none */
  getOldestTime(): number | undefined {
    const { first } = this.#storage.sql
      .exec<{ first: number | null }>(
        'SELECT min(at) AS first FROM (SELECT fetched_at AS at FROM answers UNION ALL SELECT at FROM unclear)',
      )
      .one();
    return first ?? undefined;
  }
}
