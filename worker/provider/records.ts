// The embedded provider's records, on D1: found by key, put in by the importer.
import { z } from 'zod';
import { type Family, isFamily, type KeyKind } from '../../shared/families.ts';
import { keysOfRecord } from '../../shared/keys/index.ts';
import { sha256Hex } from '../hash.ts';

/** A record as it is stored: JSON as it came. */
export interface StoredRecord {
  id: string;
  data: string;
}

/** One record to put in. */
export interface NewRecord {
  /** Whole, without leading zeros. */
  id: string;
  record: Record<string, unknown>;
}

/** What became of records that were put in. */
export interface PutCounts {
  added: number;
  changed: number;
  unchanged: number;
}

/** A website that leads to more than one record; the lowest id answers for it. */
export interface SharedWebsite {
  website: string;
  ids: string[];
}

const idList = z.array(z.string());

/** SQLite integers have 64 bits, numbers here 53: ids cross as text. */
const AS_TEXT = 'CAST(id AS TEXT) AS id';

/** The store of one embedded provider. */
export class RecordStore {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /**
   * Finds a record.
   * @returns undefined where there is none; where several share a key, the one with the lowest id
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

  /** Counts the records of each family that has any. */
  async count(): Promise<Partial<Record<Family, number>>> {
    const { results } = await this.#db
      .prepare('SELECT family, count(*) AS records FROM records GROUP BY family')
      .all<{ family: string; records: number }>();
    return Object.fromEntries(
      results.filter(({ family }) => isFamily(family)).map((row) => [row.family, row.records]),
    );
  }

  /**
   * The websites of the first companies by id.
   * @returns at most so many hosts
   */
  async websites(family: Family, limit: number): Promise<string[]> {
    const { results } = await this.#db
      .prepare(
        `SELECT value AS website FROM record_keys WHERE family = ?1 AND kind = 'website' ORDER BY id LIMIT ?2`,
      )
      .bind(family, limit)
      .all<{ website: string }>();
    return results.map(({ website }) => website);
  }

  /**
   * Puts records in, replacing those with the same id; records that are there already are left alone.
   * @param records - with distinct ids
   */
  async put(family: Family, records: readonly NewRecord[]): Promise<PutCounts> {
    const rows = await Promise.all(
      records.map(async ({ id, record }) => {
        const data = JSON.stringify(record);
        return { id, data, hash: await sha256Hex(data), keys: keysOfRecord(family, record) };
      }),
    );
    const { results } = await this.#db
      .prepare(
        `SELECT ${AS_TEXT}, hash FROM records WHERE family = ?1 AND id IN (
           SELECT CAST(value AS INTEGER) FROM json_each(?2))`,
      )
      .bind(family, JSON.stringify(rows.map(({ id }) => id)))
      .all<{ id: string; hash: string }>();
    const hashes = new Map(results.map(({ id, hash }) => [id, hash]));
    const differing = rows.filter(({ id, hash }) => hashes.get(id) !== hash);
    const changed = differing.filter(({ id }) => hashes.has(id)).length;
    if (differing.length > 0) {
      const ids = JSON.stringify(differing.map(({ id }) => id));
      const keys = differing.flatMap(({ id, keys }) =>
        Object.entries(keys).map(([kind, value]) => ({ id, kind, value })),
      );
      await this.#db.batch([
        this.#db
          .prepare(
            `DELETE FROM record_keys WHERE family = ?1 AND id IN (SELECT CAST(value AS INTEGER) FROM json_each(?2))`,
          )
          .bind(family, ids),
        this.#db
          .prepare(
            `INSERT OR REPLACE INTO records (family, id, data, hash)
             SELECT ?1, CAST(value ->> 'id' AS INTEGER), value ->> 'data', value ->> 'hash' FROM json_each(?2)`,
          )
          .bind(family, JSON.stringify(differing.map(({ id, data, hash }) => ({ id, data, hash })))),
        this.#db
          .prepare(
            `INSERT INTO record_keys (family, kind, value, id)
             SELECT ?1, value ->> 'kind', value ->> 'value', CAST(value ->> 'id' AS INTEGER) FROM json_each(?2)`,
          )
          .bind(family, JSON.stringify(keys)),
      ]);
    }
    return { added: differing.length - changed, changed, unchanged: rows.length - differing.length };
  }

  /**
   * The websites that lead to several records, as far as these records are concerned.
   * @param ids - of records of the family
   */
  async sharedWebsites(family: Family, ids: readonly string[]): Promise<SharedWebsite[]> {
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
