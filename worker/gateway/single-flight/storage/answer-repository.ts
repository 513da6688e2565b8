// Stores answers for ten minutes and until KV has them, and the index of their copies in KV.
import * as z from 'zod';
import { hashText } from '../../../../shared/lib/hash.ts';
import { toJsonLists } from '../../../db/json-list.ts';
import type { Settlement } from '../../ledger/types.ts';
import type { SingleFlightStorage } from './schema.ts';

export interface StoredAnswer {
  /** An envelope as JSON. */
  text: string;
  fetchedAt: number;
  /** Pseudonyms of the record or of each item of a page, one list for each. */
  pseudonyms: string[][];
  /** References of everybody else in it. */
  references: string[];
}

/** An answer that is not stored yet. */
export type NewAnswer = StoredAnswer & { kvEntries: readonly KvEntry[] };

export interface KvEntry {
  kvKey: string;
  ttl: number;
  /** Absent for the answer itself. */
  text?: string;
}

const kvEntriesSchema = z.array(
  z.object({ kvKey: z.string(), ttl: z.number(), text: z.string().exactOptional() }),
);
const pseudonymsSchema = z.array(z.array(z.string()));

const decodeKvEntries = (text: string): KvEntry[] => kvEntriesSchema.parse(JSON.parse(text));
const decodePseudonyms = (text: string): string[][] => pseudonymsSchema.parse(JSON.parse(text));

/** A complete KV entry and the answer that it belongs to. */
export type KvWrite = Required<KvEntry> & Pick<StoredAnswer, 'fetchedAt'>;

export const toKvWrites = ({
  kvEntries,
  text,
  fetchedAt,
}: Pick<NewAnswer, 'kvEntries' | 'text' | 'fetchedAt'>): KvWrite[] =>
  kvEntries.map((entry) => ({ text, ...entry, fetchedAt }));

/** A value of Durable Object storage holds 2 MB, and a character takes up to three bytes. */
const MAX_VALUE_LENGTH = 600_000;

/** Splits a text into storable values, never inside a surrogate pair. */
function splitText(text: string): [first: string, ...others: string[]] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + MAX_VALUE_LENGTH;
    const last = text.charCodeAt(end - 1);
    const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
    const next = isHighSurrogate ? end - 1 : end;
    parts.push(text.slice(at, next));
    at = next;
  }
  const [first = '', ...others] = parts;
  return [first, ...others];
}

const hasName = 'name IN (SELECT value FROM json_each(?))';
const containsAny = (column: 'pseudonyms' | 'other_references'): string =>
  `EXISTS (SELECT 1 FROM json_each(?) WHERE instr(${column}, value) > 0)`;

/** Condition of rows under some names or with a pseudonym. */
const OF_SUBJECT = `(${hasName} OR ${containsAny('pseudonyms')})`;
const INSERT_COPIES = `INSERT OR REPLACE INTO copies (name, fetched_at, kept_until, pseudonyms, kv_entries, other_references)
  SELECT name, fetched_at, fetched_at + 1000 * (kv_entries ->> '$[0].ttl'), pseudonyms, kv_entries, other_references
    FROM answers`;

/** Records in the table of purchases what their answers tell, before these are deleted or replaced. */
export const END_PURCHASES = `UPDATE purchases SET state = 'ended', name = NULL, charged = answers.charged FROM answers
  WHERE answers.name = purchases.name AND answers.purchase = purchases.id AND state = 'sent'`;

export const encodeCharge = (charged: Settlement['charged']): number | null =>
  charged === 'unclear' ? null : charged;
const encodeReferences = (references: readonly string[]): string => ` ${references.join(' ')} `;
const decodeReferences = (text: string): string[] => text.split(' ').filter((reference) => reference !== '');

export interface AnswerVersion {
  name: string;
  fetchedAt: number;
}

/** The index entry of a copy in KV; of an answer that is still stored, its future one. */
export interface Copy extends AnswerVersion {
  /** The answer first, then aliases. */
  kvEntries: KvEntry[];
  pseudonyms: string[][];
}

/** The answers of a single-flight object. Every method is atomic. */
export class AnswerRepository {
  readonly #storage: SingleFlightStorage;
  /** Few objects ever store an answer in several parts: the others skip the queries for them. */
  #hasLongAnswers: boolean;
  /** Answers that KV may not have. Only free ones are marked as stored: for the others, the end of the purchase tells. */
  readonly #unwritten: Map<string, { fetchedAt: number; isFree: boolean }>;
  /** Hashes of the names of all answers, and of some deleted ones: a miss needs no query to find nothing. */
  #nameHashes: Set<number>;
  #changes = 0;

  constructor(storage: SingleFlightStorage) {
    this.#storage = storage;
    this.#hasLongAnswers = storage.sql.exec('SELECT 1 FROM answer_parts LIMIT 1').toArray().length > 0;
    const unwritten = this.listUnwritten();
    this.#unwritten = new Map(unwritten.map(({ name, fetchedAt }) => [name, { fetchedAt, isFree: true }]));
    this.#nameHashes = this.#readNameHashes();
  }

  #readNameHashes(): Set<number> {
    const names = this.#storage.sql.exec<{ name: string }>('SELECT name FROM answers');
    return new Set(names.toArray().map(({ name }) => hashText(name)));
  }

  /** Counts the answers that were replaced, stripped or deleted: none was as long as the number is the same. */
  get changes(): number {
    return this.#changes;
  }

  find(name: string): StoredAnswer | undefined {
    if (!this.#nameHashes.has(hashText(name))) return undefined;
    type Row = { fetched_at: number; pseudonyms: string; other_references: string; text: string };
    const [row] = this.#storage.sql
      .exec<Row>('SELECT fetched_at, pseudonyms, other_references, text FROM answers WHERE name = ?', name)
      .toArray();
    if (row === undefined) return undefined;
    return {
      text: this.#readText(name, row.text),
      fetchedAt: row.fetched_at,
      pseudonyms: decodePseudonyms(row.pseudonyms),
      references: decodeReferences(row.other_references),
    };
  }

  #readText(name: string, first: string): string {
    if (first.length < MAX_VALUE_LENGTH - 1) return first;
    const others = this.#storage.sql
      .exec<{ text: string }>('SELECT text FROM answer_parts WHERE name = ? ORDER BY part', name)
      .toArray();
    return first + others.map(({ text }) => text).join('');
  }

  /**
   * Stores an answer and replaces an older one. Not a transaction: see `SingleFlightStore.finishCall`.
   * @param settlement - of the purchase that it ends; absent if it was free
   */
  put(
    name: string,
    { text, fetchedAt, pseudonyms, references, kvEntries }: NewAnswer,
    settlement?: Settlement,
  ): void {
    const { sql } = this.#storage;
    const [first, ...others] = splitText(text);
    const encodedEntries = JSON.stringify(kvEntries);
    const nameHash = hashText(name);
    if (this.#nameHashes.has(nameHash)) {
      this.#changes += 1;
      // An earlier answer may have other KV entries, if the id or the names of its record have changed.
      sql.exec(`${INSERT_COPIES} WHERE name = ? AND kv_entries <> ?`, name, encodedEntries);
      sql.exec(`${END_PURCHASES} AND answers.name = ?`, name);
    }
    sql.exec(
      `INSERT OR REPLACE INTO answers
         (name, fetched_at, stored, pseudonyms, kv_entries, other_references, purchase, charged, text)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      name,
      fetchedAt,
      settlement === undefined ? 0 : 1,
      JSON.stringify(pseudonyms),
      encodedEntries,
      encodeReferences(references),
      settlement?.id ?? null,
      settlement === undefined ? null : encodeCharge(settlement.charged),
      first,
    );
    this.#nameHashes.add(nameHash);
    this.#unwritten.set(name, { fetchedAt, isFree: settlement === undefined });
    if (this.#hasLongAnswers) sql.exec('DELETE FROM answer_parts WHERE name = ?', name);
    this.#insertRests(name, others);
  }

  #insertRests(name: string, parts: readonly string[]): void {
    this.#hasLongAnswers ||= parts.length > 0;
    parts.forEach((part, at) => {
      this.#storage.sql.exec('INSERT INTO answer_parts (name, part, text) VALUES (?, ?, ?)', name, at, part);
    });
  }

  /** Lists the answers that KV may not have. */
  listUnwritten(): AnswerVersion[] {
    return this.#storage.sql
      .exec<{ name: string; fetched_at: number }>('SELECT name, fetched_at FROM answers WHERE stored = 0')
      .toArray()
      .map(({ name, fetched_at }) => ({ name, fetchedAt: fetched_at }));
  }

  /** Returns the KV entries of an answer; none if it was deleted or replaced. */
  getKvWrites(name: string, fetchedAt: number): KvWrite[] {
    type Row = { kv_entries: string; text: string };
    const [row] = this.#storage.sql
      .exec<Row>('SELECT kv_entries, text FROM answers WHERE name = ? AND fetched_at = ?', name, fetchedAt)
      .toArray();
    if (row === undefined) return [];
    const kvEntries = decodeKvEntries(row.kv_entries);
    return toKvWrites({ kvEntries, text: this.#readText(name, row.text), fetchedAt });
  }

  has(name: string, fetchedAt: number): boolean {
    const rows = this.#storage.sql.exec(
      'SELECT 1 FROM answers WHERE name = ? AND fetched_at = ?',
      name,
      fetchedAt,
    );
    return rows.toArray().length > 0;
  }

  /** Records that KV has an answer. */
  markWritten(name: string, fetchedAt: number): void {
    const unwritten = this.#unwritten.get(name);
    if (unwritten?.fetchedAt !== fetchedAt) return;
    this.#unwritten.delete(name);
    if (!unwritten.isFree) return;
    this.#storage.sql.exec(
      'UPDATE answers SET stored = 1 WHERE name = ? AND fetched_at = ?',
      name,
      fetchedAt,
    );
  }

  /** Lists the answers or copies under some names, and all that contain a pseudonym. */
  listOfSubject(
    table: 'answers' | 'copies',
    pseudonyms: readonly string[],
    names: readonly string[],
    limit = -1,
  ): Copy[] {
    return this.#list(table, OF_SUBJECT, [names, pseudonyms], limit);
  }

  /**
   * Deletes the answers under some names and all answers that contain a pseudonym. Their copies stay indexed.
   * @returns the number of deleted answers
   */
  erase(pseudonyms: readonly string[], names: readonly string[]): number {
    return this.#storage.transactionSync(() => {
      const erased = this.listOfSubject('answers', pseudonyms, names).map(({ name }) => name);
      this.moveToCopies(erased);
      return erased.length;
    });
  }

  /** Deletes answers; their copies in KV stay indexed. */
  moveToCopies(names: readonly string[]): void {
    const { sql } = this.#storage;
    this.#changes += names.length;
    for (const list of toJsonLists(names)) {
      sql.exec(`${INSERT_COPIES} WHERE ${hasName}`, list);
      sql.exec(`${END_PURCHASES} AND answers.${hasName}`, list);
      sql.exec(`DELETE FROM answers WHERE ${hasName}`, list);
    }
    this.#deleteRests(names);
  }

  #deleteRests(names: readonly string[]): void {
    for (const list of toJsonLists(names)) {
      this.#storage.sql.exec(`DELETE FROM answer_parts WHERE ${hasName}`, list);
    }
  }

  #list(
    table: 'answers' | 'copies',
    where: string,
    lists: readonly (readonly string[])[],
    limit = -1,
  ): Copy[] {
    type Row = { name: string; fetched_at: number; pseudonyms: string; kv_entries: string };
    return this.#storage.sql
      .exec<Row>(
        `SELECT name, fetched_at, pseudonyms, kv_entries FROM ${table} WHERE ${where} LIMIT ?`,
        ...lists.map((list) => JSON.stringify(list)),
        limit,
      )
      .toArray()
      .map(({ name, fetched_at, pseudonyms, kv_entries }) => ({
        name,
        fetchedAt: fetched_at,
        kvEntries: decodeKvEntries(kv_entries),
        pseudonyms: decodePseudonyms(pseudonyms),
      }));
  }

  /** Lists answers or copies that name somebody else by one of these references. */
  listNaming(table: 'answers' | 'copies', references: readonly string[], limit: number): Copy[] {
    const wanted = references.map((reference) => encodeReferences([reference]));
    return this.#list(table, containsAny('other_references'), [wanted], limit);
  }

  /** Replaces the text of an answer from which somebody was erased. Its KV entries and references stay. */
  replaceText(name: string, text: string): void {
    const answer = this.find(name);
    if (answer === undefined) return;
    this.#changes += 1;
    const [first, ...others] = splitText(text);
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec('UPDATE answers SET text = ? WHERE name = ?', first, name);
      this.#deleteRests([name]);
      this.#insertRests(name, others);
    });
  }

  /** Removes references from an answer or copy that no longer names these people. */
  removeReferences(
    table: 'answers' | 'copies',
    { name, fetchedAt }: AnswerVersion,
    references: readonly string[],
  ): void {
    const { sql } = this.#storage;
    for (const reference of references) {
      sql.exec(
        `UPDATE ${table} SET other_references = replace(other_references, ?, ' ') WHERE name = ? AND fetched_at = ?`,
        encodeReferences([reference]),
        name,
        fetchedAt,
      );
    }
  }

  deleteCopy({ name, fetchedAt }: AnswerVersion): void {
    this.#storage.sql.exec('DELETE FROM copies WHERE name = ? AND fetched_at = ?', name, fetchedAt);
  }

  /**
   * Deletes answers from before a time, if KV has them, and keeps an index of their copies until these expire.
   * @param before - milliseconds since 1970
   */
  deleteExpired(before: number, now: number): void {
    const { sql } = this.#storage;
    const hasDeleted = this.#storage.transactionSync(() => {
      const expired = sql
        .exec<{ name: string; fetched_at: number }>(
          'SELECT name, fetched_at FROM answers WHERE stored = 1 AND fetched_at < ?',
          before,
        )
        .toArray()
        .flatMap(({ name, fetched_at }) =>
          this.#unwritten.get(name)?.fetchedAt === fetched_at ? [] : [name],
        );
      if (expired.length > 0) this.moveToCopies(expired);
      sql.exec('DELETE FROM copies WHERE kept_until <= ?', now);
      return expired.length > 0;
    });
    // Only now that the deletion is stored. Names may share a hash, so none is removed alone.
    if (hasDeleted) this.#nameHashes = this.#readNameHashes();
  }
}
