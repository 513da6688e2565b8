// Stores answers: for ten minutes, and until KV has them.
import * as z from 'zod';
import type { SingleFlightStorage } from './schema.ts';

/** An answer in its stored form. */
export interface StoredAnswer {
  /** An envelope as JSON. */
  text: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** Pseudonyms of the people and companies in it, one list for each, so that an erasure finds it. */
  pseudonyms: string[][];
}

/** A value to write to KV. */
export interface KvEntry {
  kvKey: string;
  /** Seconds. */
  ttl: number;
  /** Absent for the answer itself. */
  text?: string;
}

/** The stored form names a KV key `place`. */
const kvEntriesSchema = z.array(
  z
    .object({ place: z.string(), ttl: z.number(), text: z.string().exactOptional() })
    .transform(({ place, ...entry }): KvEntry => ({ kvKey: place, ...entry })),
);
const pseudonymsSchema = z.array(z.array(z.string()));

const decodeKvEntries = (text: string): KvEntry[] => kvEntriesSchema.parse(JSON.parse(text));
const decodePseudonyms = (text: string): string[][] => pseudonymsSchema.parse(JSON.parse(text));

function encodeKvEntries(entries: readonly KvEntry[]): string {
  const stored = entries.map(({ kvKey, ...entry }) => ({ place: kvKey, ...entry }));
  return JSON.stringify(stored satisfies z.input<typeof kvEntriesSchema>);
}

/** A complete KV entry and the answer that it belongs to. */
export type KvWrite = Required<KvEntry> & Pick<StoredAnswer, 'fetchedAt' | 'pseudonyms'>;

/** What an erasure deleted. */
export interface ErasedAnswers {
  /** Number of deleted answers. */
  answers: number;
  /** KV keys that may hold them. */
  kvKeys: string[];
  /** All pseudonyms of the erased people and companies that the answers contained. */
  pseudonyms: string[];
}

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
const containsPseudonym =
  "EXISTS (SELECT 1 FROM json_tree(answers.who) WHERE type = 'text' AND atom IN (SELECT value FROM json_each(?)))";

/** The answers of a single-flight object. Every method is atomic. */
export class AnswerRepository {
  readonly #storage: SingleFlightStorage;
  /** Few objects ever store an answer in several parts: the others skip the queries for them. */
  #hasLongAnswers: boolean;

  constructor(storage: SingleFlightStorage) {
    this.#storage = storage;
    this.#hasLongAnswers = storage.sql.exec('SELECT 1 FROM answer_rests LIMIT 1').toArray().length > 0;
  }

  find(name: string): StoredAnswer | undefined {
    type Row = { fetched_at: number; who: string; text: string };
    const [row] = this.#storage.sql
      .exec<Row>('SELECT fetched_at, who, text FROM answers WHERE name = ?', name)
      .toArray();
    if (row === undefined) return undefined;
    return {
      text: this.#readText(name, row.text),
      fetchedAt: row.fetched_at,
      pseudonyms: decodePseudonyms(row.who),
    };
  }

  #readText(name: string, first: string): string {
    if (first.length < MAX_VALUE_LENGTH - 1) return first;
    const others = this.#storage.sql
      .exec<{ text: string }>('SELECT text FROM answer_rests WHERE name = ? ORDER BY part', name)
      .toArray();
    return first + others.map(({ text }) => text).join('');
  }

  /** Stores an answer and replaces an older one. Not a transaction: see `SingleFlightStore.finishCall`. */
  put(name: string, { text, fetchedAt, pseudonyms }: StoredAnswer, kvEntries: readonly KvEntry[]): void {
    const { sql } = this.#storage;
    const [first, ...others] = splitText(text);
    sql.exec(
      'INSERT OR REPLACE INTO answers (name, fetched_at, stored, who, places, text) VALUES (?, ?, 0, ?, ?, ?)',
      name,
      fetchedAt,
      JSON.stringify(pseudonyms),
      encodeKvEntries(kvEntries),
      first,
    );
    if (this.#hasLongAnswers) sql.exec('DELETE FROM answer_rests WHERE name = ?', name);
    this.#hasLongAnswers ||= others.length > 0;
    others.forEach((part, at) => {
      sql.exec('INSERT INTO answer_rests (name, part, text) VALUES (?, ?, ?)', name, at, part);
    });
  }

  /** Lists the answers that KV may not have. */
  listUnwritten(): { name: string; fetchedAt: number }[] {
    return this.#storage.sql
      .exec<{ name: string; fetched_at: number }>('SELECT name, fetched_at FROM answers WHERE stored = 0')
      .toArray()
      .map(({ name, fetched_at }) => ({ name, fetchedAt: fetched_at }));
  }

  /** Returns the KV entries of an answer; none if it was deleted or replaced. */
  getKvWrites(name: string, fetchedAt: number): KvWrite[] {
    type Row = { who: string; places: string; text: string };
    const [row] = this.#storage.sql
      .exec<Row>('SELECT who, places, text FROM answers WHERE name = ? AND fetched_at = ?', name, fetchedAt)
      .toArray();
    if (row === undefined) return [];
    const pseudonyms = decodePseudonyms(row.who);
    const answerText = this.#readText(name, row.text);
    return decodeKvEntries(row.places).map(({ text = answerText, ...entry }) => ({
      ...entry,
      text,
      fetchedAt,
      pseudonyms,
    }));
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
    this.#storage.sql.exec(
      'UPDATE answers SET stored = 1 WHERE name = ? AND fetched_at = ?',
      name,
      fetchedAt,
    );
  }

  /** Deletes the answers under some names and all answers that contain a pseudonym. */
  erase(pseudonyms: readonly string[], names: readonly string[]): ErasedAnswers {
    const { sql } = this.#storage;
    type Row = { name: string; who: string; places: string };
    const erased = new Set(pseudonyms);
    return this.#storage.transactionSync(() => {
      const deleted = sql
        .exec<Row>(
          `DELETE FROM answers WHERE ${hasName} OR ${containsPseudonym} RETURNING name, who, places`,
          JSON.stringify(names),
          JSON.stringify(pseudonyms),
        )
        .toArray();
      const deletedNames = deleted.map(({ name }) => name);
      sql.exec(`DELETE FROM answer_rests WHERE ${hasName}`, JSON.stringify(deletedNames));
      return {
        answers: deleted.length,
        kvKeys: deleted.flatMap(({ places }) => decodeKvEntries(places).map(({ kvKey }) => kvKey)),
        pseudonyms: deleted
          .flatMap(({ who }) => decodePseudonyms(who))
          .filter((keys) => keys.some((key) => erased.has(key)))
          .flat(),
      };
    });
  }

  /** Deletes answers from before a time, if KV has them. */
  deleteExpired(before: number): void {
    const { sql } = this.#storage;
    const expired = 'SELECT name FROM answers WHERE stored = 1 AND fetched_at < ?';
    this.#storage.transactionSync(() => {
      sql.exec(`DELETE FROM answer_rests WHERE name IN (${expired})`, before);
      sql.exec('DELETE FROM answers WHERE stored = 1 AND fetched_at < ?', before);
    });
  }
}
