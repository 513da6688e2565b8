// What a flight was answered: it stands here for ten minutes, and until KV has it.
import * as z from 'zod';
import type { SingleFlightStorage } from './schema.ts';

/** An answer as it is kept. */
export interface StoredAnswer {
  /** An envelope as JSON. */
  text: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** Pseudonyms of whoever is in it, the keys of each together, so that an erasure finds it. */
  pseudonyms: string[][];
}

const kvEntrySchema = z.object({
  place: z.string(),
  /** Seconds. */
  ttl: z.number(),
  /** What is to stand there; absent is the answer itself. */
  text: z.string().exactOptional(),
});

/** Where in KV an answer, or what leads to it, is to stand. */
export type KvEntry = z.output<typeof kvEntrySchema>;

const kvEntriesSchema = z.array(kvEntrySchema);
const pseudonymsSchema = z.array(z.array(z.string()));

/** A place in KV and what is to stand there. */
export type KvWrite = Required<KvEntry> & Pick<StoredAnswer, 'fetchedAt' | 'pseudonyms'>;

/** What an erasure found. */
export interface ErasedAnswers {
  /** How many answers were forgotten. */
  answers: number;
  /** Where in KV they may stand. */
  kvKeys: string[];
  /** Every pseudonym of those who were in them and are erased. */
  pseudonyms: string[];
}

/** A value of Durable Object storage holds 2 MB, and a character takes up to three bytes. */
const MAX_VALUE_LENGTH = 600_000;

/** Cuts a text into values, never between the halves of a character. */
function splitText(text: string): [first: string, ...rest: string[]] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + MAX_VALUE_LENGTH;
    const last = text.charCodeAt(end - 1);
    const whole = last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
    parts.push(text.slice(at, whole));
    at = whole;
  }
  const [first = '', ...rest] = parts;
  return [first, ...rest];
}

const isNamed = 'name IN (SELECT value FROM json_each(?))';
const isAbout =
  "EXISTS (SELECT 1 FROM json_tree(answers.who) WHERE type = 'text' AND atom IN (SELECT value FROM json_each(?)))";

/** The answers of a flight. Every method is one step that can't be half done. */
export class AnswerRepository {
  readonly #storage: SingleFlightStorage;
  /** Hardly any flight ever has an answer that is too long for one value: then nothing of one has to go. */
  #anyRests: boolean;

  constructor(storage: SingleFlightStorage) {
    this.#storage = storage;
    this.#anyRests = storage.sql.exec('SELECT 1 FROM answer_rests LIMIT 1').toArray().length > 0;
  }

  /** @returns what was answered under a name */
  find(name: string): StoredAnswer | undefined {
    type Row = { fetched_at: number; who: string; text: string };
    const [row] = this.#storage.sql
      .exec<Row>('SELECT fetched_at, who, text FROM answers WHERE name = ?', name)
      .toArray();
    if (row === undefined) return undefined;
    return {
      text: this.#whole(name, row.text),
      fetchedAt: row.fetched_at,
      pseudonyms: pseudonymsSchema.parse(JSON.parse(row.who)),
    };
  }

  #whole(name: string, first: string): string {
    if (first.length < MAX_VALUE_LENGTH - 1) return first;
    const rest = this.#storage.sql
      .exec<{ text: string }>('SELECT text FROM answer_rests WHERE name = ? ORDER BY part', name)
      .toArray();
    return first + rest.map(({ text }) => text).join('');
  }

  /** Keeps an answer in place of an older one. Part of the step in which its call ends: see `FlightStore.ended`. */
  put(name: string, { text, fetchedAt, pseudonyms }: StoredAnswer, to: readonly KvEntry[]): void {
    const { sql } = this.#storage;
    const [first, ...rest] = splitText(text);
    sql.exec(
      'INSERT OR REPLACE INTO answers (name, fetched_at, stored, who, places, text) VALUES (?, ?, 0, ?, ?, ?)',
      name,
      fetchedAt,
      JSON.stringify(pseudonyms),
      JSON.stringify(to),
      first,
    );
    if (this.#anyRests) sql.exec('DELETE FROM answer_rests WHERE name = ?', name);
    this.#anyRests ||= rest.length > 0;
    rest.forEach((part, at) => {
      sql.exec('INSERT INTO answer_rests (name, part, text) VALUES (?, ?, ?)', name, at, part);
    });
  }

  /** @returns the answers that KV may not have */
  listUnwritten(): { name: string; fetchedAt: number }[] {
    return this.#storage.sql
      .exec<{ name: string; fetched_at: number }>('SELECT name, fetched_at FROM answers WHERE stored = 0')
      .toArray()
      .map(({ name, fetched_at }) => ({ name, fetchedAt: fetched_at }));
  }

  /** @returns what KV is to have of an answer; nothing where it is gone, or another one is in its place */
  getKvWrites(name: string, fetchedAt: number): KvWrite[] {
    type Row = { who: string; places: string; text: string };
    const [row] = this.#storage.sql
      .exec<Row>('SELECT who, places, text FROM answers WHERE name = ? AND fetched_at = ?', name, fetchedAt)
      .toArray();
    if (row === undefined) return [];
    const pseudonyms = pseudonymsSchema.parse(JSON.parse(row.who));
    const own = this.#whole(name, row.text);
    return kvEntriesSchema
      .parse(JSON.parse(row.places))
      .map(({ text = own, ...rest }) => ({ ...rest, text, fetchedAt, pseudonyms }));
  }

  /** Is this answer still kept? */
  has(name: string, fetchedAt: number): boolean {
    const rows = this.#storage.sql.exec(
      'SELECT 1 FROM answers WHERE name = ? AND fetched_at = ?',
      name,
      fetchedAt,
    );
    return rows.toArray().length > 0;
  }

  /** Notes that KV has an answer. */
  markWritten(name: string, fetchedAt: number): void {
    this.#storage.sql.exec(
      'UPDATE answers SET stored = 1 WHERE name = ? AND fetched_at = ?',
      name,
      fetchedAt,
    );
  }

  /** Forgets what was answered under some names, and every answer about someone. */
  erase(pseudonyms: readonly string[], names: readonly string[]): ErasedAnswers {
    const { sql } = this.#storage;
    type Row = { name: string; who: string; places: string };
    const erased = new Set(pseudonyms);
    return this.#storage.transactionSync(() => {
      const gone = sql
        .exec<Row>(
          `DELETE FROM answers WHERE ${isNamed} OR ${isAbout} RETURNING name, who, places`,
          JSON.stringify(names),
          JSON.stringify(pseudonyms),
        )
        .toArray();
      sql.exec(`DELETE FROM answer_rests WHERE ${isNamed}`, JSON.stringify(gone.map(({ name }) => name)));
      return {
        answers: gone.length,
        kvKeys: gone.flatMap((row) => kvEntriesSchema.parse(JSON.parse(row.places)).map((to) => to.place)),
        pseudonyms: gone
          .flatMap((row) => pseudonymsSchema.parse(JSON.parse(row.who)))
          .filter((keys) => keys.some((key) => erased.has(key)))
          .flat(),
      };
    });
  }

  /** Forgets answers from before this time that KV has. */
  deleteExpired(before: number): void {
    const { sql } = this.#storage;
    const old = 'SELECT name FROM answers WHERE stored = 1 AND fetched_at < ?';
    this.#storage.transactionSync(() => {
      sql.exec(`DELETE FROM answer_rests WHERE name IN (${old})`, before);
      sql.exec('DELETE FROM answers WHERE stored = 1 AND fetched_at < ?', before);
    });
  }
}
