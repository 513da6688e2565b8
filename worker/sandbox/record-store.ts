// Stores the sandbox's records in D1 and finds them by key.
import * as z from 'zod';
import { type Family, families, isFamily, type KeyKind } from '../../shared/families/index.ts';
import { extractKeys } from '../../shared/keys/index.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { parseExactly, stringifyExactly } from '../lib/exact-json.ts';
import { sha256Hex } from '../lib/hash.ts';

/** A stored record. Its JSON is re-serialised: without spaces, numbers as JavaScript represents them, integers with all digits. */
export interface StoredRecord {
  id: string;
  data: string;
}

export interface NewRecord {
  /** A whole number without leading zeros. */
  id: string;
  /** JSON with bigints. */
  record: Record<string, unknown>;
}

export interface PutCounts {
  added: number;
  changed: number;
  unchanged: number;
}

/** A website that several records share. A lookup returns the record with the lowest id. */
export interface SharedWebsite {
  website: string;
  ids: string[];
}

const idList = z.array(z.string());

/** Number of records that one statement reads for the index. */
const PAGE_RECORDS = 1000;

/**
 * Returns the family under which the records of a family are stored.
 */
export function getStoredFamily(family: Family): Family {
  return families[family].storedAs ?? family;
}

/** Parses a stored record. @returns JSON with bigints */
export function parseStoredRecord({ data }: StoredRecord): Record<string, unknown> {
  const record = parseExactly(data, BigInt);
  if (!isObject(record)) throw new Error('A stored record is no object.');
  return record;
}

/** The largest signed 64-bit integer; the service stores ids as such. */
export const MAX_ID = 2n ** 63n - 1n;

/** SQLite integers have 64 bits, JavaScript numbers 53: ids are read as text. */
const AS_TEXT = 'CAST(id AS TEXT) AS id';

export class RecordStore {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /**
   * Finds a record.
   * @returns the record with the lowest id if several share the key; undefined if none has it
   */
  async find(family: Family, kind: KeyKind, value: string): Promise<StoredRecord | undefined> {
    const statement =
      kind === 'id'
        ? this.#db
            .prepare(`SELECT ${AS_TEXT}, data FROM records WHERE family = ?1 AND id = CAST(?2 AS INTEGER)`)
            .bind(family, value)
        : this.#db
            .prepare(
              `SELECT ${AS_TEXT}, data FROM records WHERE family = ?1 AND id = (
                 SELECT min(id) FROM record_keys WHERE family = ?1 AND kind = ?2 AND value = ?3)`,
            )
            .bind(family, kind, value);
    return (await statement.first<StoredRecord>()) ?? undefined;
  }

  /**
   * Finds records by their ids.
   * @param ids - at most one page
   * @returns the existing records, by id
   */
  async findByIds(family: Family, ids: readonly string[]): Promise<Map<string, StoredRecord>> {
    const records = await this.#selectByIds<StoredRecord>(family, ids, 'data');
    return new Map(records.map((record) => [record.id, record]));
  }

  /** Selects a column of the records with the given ids. */
  async #selectByIds<Row extends { id: string }>(
    family: Family,
    ids: readonly string[],
    column: Exclude<keyof Row, 'id'> & ('data' | 'hash'),
  ): Promise<Row[]> {
    const { results } = await this.#db
      .prepare(
        `SELECT ${AS_TEXT}, ${column} FROM records WHERE family = ?1 AND id IN (
           SELECT CAST(value AS INTEGER) FROM json_each(?2))`,
      )
      .bind(family, JSON.stringify(ids))
      .all<Row>();
    return results;
  }

  /**
   * Finds the ids that have records.
   * @param ids - at most some thousands
   * @returns each existing id, mapped to itself: the format of {@link RecordStore.findIdsByName}
   */
  async findExistingIds(family: Family, ids: readonly string[]): Promise<Map<string, string>> {
    const records = await this.#selectByIds<{ id: string; hash: string }>(family, ids, 'hash');
    return new Map(records.map(({ id }) => [id, id]));
  }

  /**
   * Finds the ids of records by shorthand name.
   * @param names - at most some thousands, normalised
   * @returns ids by name; the lowest if several records share a name
   */
  async findIdsByName(family: Family, names: readonly string[]): Promise<Map<string, string>> {
    const { results } = await this.#db
      .prepare(
        `SELECT value AS name, CAST(min(id) AS TEXT) AS id FROM record_keys
         WHERE family = ?1 AND kind = 'shorthand_name' AND value IN (SELECT value FROM json_each(?2))
         GROUP BY value`,
      )
      .bind(family, JSON.stringify(names))
      .all<{ name: string; id: string }>();
    return new Map(results.map(({ name, id }) => [name, id]));
  }

  /** Reads a number that grows with every import that changes records. */
  async readVersion(): Promise<number> {
    return (await this.#db.prepare('SELECT version FROM records_version').first<number>('version')) ?? 0;
  }

  /**
   * Reads all records by ascending id, in pages.
   * @param names - the properties to read; those whose names have a dot are always read
   */
  async *readAll(
    family: Family,
    names: readonly string[],
  ): AsyncGenerator<{ id: string; source: Record<string, unknown> }[], void, undefined> {
    let last = '0';
    for (;;) {
      const { results } = await this.#db
        .prepare(
          `SELECT ${AS_TEXT}, (
             SELECT json_group_object(key, records.data -> fullkey) FROM json_each(records.data)
             WHERE key IN (SELECT value FROM json_each(?3)) OR instr(key, '.')) AS data
           FROM records WHERE family = ?1 AND records.id > CAST(?2 AS INTEGER) ORDER BY records.id LIMIT ?4`,
        )
        .bind(family, last, JSON.stringify(names), PAGE_RECORDS)
        .all<StoredRecord>();
      yield results.map((record) => ({ id: record.id, source: parseStoredRecord(record) }));
      const end = results.at(-1);
      if (end === undefined || results.length < PAGE_RECORDS) return;
      last = end.id;
    }
  }

  async countByFamily(): Promise<Partial<Record<Family, number>>> {
    const { results } = await this.#db
      .prepare('SELECT family, count(*) AS records FROM records GROUP BY family')
      .all<{ family: string; records: number }>();
    return Object.fromEntries(
      results.filter(({ family }) => isFamily(family)).map((row) => [row.family, row.records]),
    );
  }

  /**
   * Lists the websites of the companies with the lowest ids.
   * @returns at most so many hosts
   */
  async listWebsites(family: Family, limit: number): Promise<string[]> {
    const { results } = await this.#db
      .prepare(
        `SELECT value AS website FROM record_keys WHERE family = ?1 AND kind = 'website' ORDER BY id LIMIT ?2`,
      )
      .bind(family, limit)
      .all<{ website: string }>();
    return results.map(({ website }) => website);
  }

  /**
   * Lists the lowest ids of a family.
   * @returns at most so many
   */
  async listIds(family: Family, limit: number): Promise<string[]> {
    const { results } = await this.#db
      .prepare(`SELECT ${AS_TEXT} FROM records WHERE family = ?1 ORDER BY records.id LIMIT ?2`)
      .bind(family, limit)
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  }

  /**
   * Adds records and replaces changed ones with the same id.
   * @param records - with distinct ids
   */
  async put(family: Family, records: readonly NewRecord[]): Promise<PutCounts> {
    const rows = await Promise.all(
      records.map(async ({ id, record }) => {
        const data = stringifyExactly(record);
        return { id, record, data, hash: await sha256Hex(data) };
      }),
    );
    const ids = rows.map(({ id }) => id);
    const stored = await this.#selectByIds<{ id: string; hash: string }>(family, ids, 'hash');
    const hashes = new Map(stored.map(({ id, hash }) => [id, hash]));
    const differing = rows.filter(({ id, hash }) => hashes.get(id) !== hash);
    await this.#write(family, differing);
    const changed = differing.filter(({ id }) => hashes.has(id)).length;
    return { added: differing.length - changed, changed, unchanged: rows.length - differing.length };
  }

  async #write(family: Family, rows: readonly (NewRecord & { data: string; hash: string })[]): Promise<void> {
    if (rows.length === 0) return;
    const keys = rows.flatMap(({ id, record }) =>
      Object.entries(extractKeys(family, record)).flatMap(([kind, values]) =>
        values.map((value) => ({ id, kind, value })),
      ),
    );
    await this.#db.batch([
      this.#db.prepare('UPDATE records_version SET version = version + 1'),
      this.#db
        .prepare(
          `DELETE FROM record_keys WHERE family = ?1 AND id IN (SELECT CAST(value AS INTEGER) FROM json_each(?2))`,
        )
        .bind(family, JSON.stringify(rows.map(({ id }) => id))),
      this.#db
        .prepare(
          `INSERT OR REPLACE INTO records (family, id, data, hash)
           SELECT ?1, CAST(value ->> 'id' AS INTEGER), value ->> 'data', value ->> 'hash' FROM json_each(?2)`,
        )
        .bind(family, JSON.stringify(rows.map(({ id, data, hash }) => ({ id, data, hash })))),
      this.#db
        .prepare(
          `INSERT INTO record_keys (family, kind, value, id)
           SELECT ?1, value ->> 'kind', value ->> 'value', CAST(value ->> 'id' AS INTEGER) FROM json_each(?2)`,
        )
        .bind(family, JSON.stringify(keys)),
    ]);
  }

  /**
   * Finds the websites that the given records share with each other or with other records.
   * @param ids - ids of records of the family
   */
  async findSharedWebsites(family: Family, ids: readonly string[]): Promise<SharedWebsite[]> {
    const { results } = await this.#db
      .prepare(
        `SELECT value AS website, json_group_array(CAST(id AS TEXT) ORDER BY id) AS ids FROM record_keys
         WHERE family = ?1 AND kind = 'website' AND value IN (
           SELECT value FROM record_keys WHERE family = ?1 AND kind = 'website' AND id IN (
             SELECT CAST(value AS INTEGER) FROM json_each(?2)))
         GROUP BY value HAVING count(*) > 1 ORDER BY value`,
      )
      .bind(family, JSON.stringify(ids))
      .all<{ website: string; ids: string }>();
    return results.map(({ website, ids: list }) => ({ website, ids: idList.parse(JSON.parse(list)) }));
  }
}
