// The documents of the façade as they came, and its indexes' mappings and settings: a few tables of its own.
import * as z from 'zod';
import { isObject } from '../../shared/is-object.ts';
import { jsonParts } from '../../worker/provider/search/engine/rows.ts';
import { EsError, noSuchIndex } from './es-error.ts';
import type { JsonObject } from './json.ts';
import type { Settings } from './settings.ts';

/** An index as it is kept. */
export interface KeptIndex {
  name: string;
  /** As it is shown. */
  mapping: JsonObject;
  settings: Settings;
}

/** A document as it is kept. */
export interface KeptDocument {
  id: string;
  version: number;
  seqNo: number;
  routing: string | undefined;
  /** Fields of which a value was passed over. */
  ignored: readonly string[];
  /** JSON. */
  source: string;
}

interface IndexRow {
  name: string;
  mapping: string;
  settings: string;
}

interface DocumentRow {
  id: string;
  version: number;
  seq_no: number;
  routing: string | null;
  ignored: string | null;
  source: string;
}

const settingsOf = z.record(z.string(), z.string());
const names = z.array(z.string());
/** Documents that one statement reads. */
const PAGE = 500;

function readIndex({ name, mapping, settings }: IndexRow): KeptIndex {
  const json: unknown = JSON.parse(mapping);
  return { name, mapping: isObject(json) ? json : {}, settings: settingsOf.parse(JSON.parse(settings)) };
}

function readDocument(row: DocumentRow): KeptDocument {
  return {
    id: row.id,
    version: row.version,
    seqNo: row.seq_no,
    routing: row.routing ?? undefined,
    ignored: row.ignored === null ? [] : names.parse(JSON.parse(row.ignored)),
    source: row.source,
  };
}

/** Keeps indexes and documents in the tables of `migrations/`. */
export class DocumentStore {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /** @returns all indexes, by name */
  async indexes(): Promise<KeptIndex[]> {
    const { results } = await this.#db
      .prepare('SELECT name, mapping, settings FROM es_indexes ORDER BY name')
      .all<IndexRow>();
    return results.map(readIndex);
  }

  /** @throws EsError where there is no such index */
  async index(name: string): Promise<KeptIndex> {
    const row = await this.#db
      .prepare('SELECT name, mapping, settings FROM es_indexes WHERE name = ?1')
      .bind(name)
      .first<IndexRow>();
    if (row === null) throw noSuchIndex(name);
    return readIndex(row);
  }

  /** @throws EsError where there is one of that name */
  async addIndex({ name, mapping, settings }: KeptIndex): Promise<void> {
    const { meta } = await this.#db
      .prepare('INSERT OR IGNORE INTO es_indexes (name, mapping, settings) VALUES (?1, ?2, ?3)')
      .bind(name, JSON.stringify(mapping), JSON.stringify(settings))
      .run();
    if (meta.changes === 0) {
      const reason = `index [${name}] already exists`;
      throw new EsError(400, 'resource_already_exists_exception', reason, { index: name });
    }
  }

  /**
   * Gives an index another mapping.
   * @returns false where somebody else did so since it was read
   */
  async changeMapping({ name, mapping }: KeptIndex, changed: JsonObject): Promise<boolean> {
    const { meta } = await this.#db
      .prepare('UPDATE es_indexes SET mapping = ?3 WHERE name = ?1 AND mapping = ?2')
      .bind(name, JSON.stringify(mapping), JSON.stringify(changed))
      .run();
    return meta.changes > 0;
  }

  async changeSettings(name: string, settings: Settings): Promise<void> {
    await this.#db
      .prepare('UPDATE es_indexes SET settings = ?2 WHERE name = ?1')
      .bind(name, JSON.stringify(settings))
      .run();
  }

  /** Deletes an index with its documents. */
  async removeIndex(name: string): Promise<void> {
    await this.#db.batch([
      this.#db.prepare('DELETE FROM es_documents WHERE index_name = ?1').bind(name),
      this.#db.prepare('DELETE FROM es_indexes WHERE name = ?1').bind(name),
    ]);
  }

  /** @returns how many documents an index has, by its name; none where it has none */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const { results } = await this.#db
      .prepare('SELECT index_name AS name, count(*) AS documents FROM es_documents GROUP BY index_name')
      .all<{ name: string; documents: number }>();
    return new Map(results.map(({ name, documents }) => [name, documents]));
  }

  /** @returns those of some documents that there are, by id */
  async documents(index: string, ids: readonly string[]): Promise<ReadonlyMap<string, KeptDocument>> {
    const found = new Map<string, KeptDocument>();
    for (let from = 0; from < ids.length; from += PAGE) {
      const { results } = await this.#db
        .prepare(
          `SELECT id, version, seq_no, routing, ignored, source FROM es_documents
           WHERE index_name = ?1 AND id IN (SELECT value FROM json_each(?2))`,
        )
        .bind(index, JSON.stringify(ids.slice(from, from + PAGE)))
        .all<DocumentRow>();
      for (const row of results) found.set(row.id, readDocument(row));
    }
    return found;
  }

  /** @returns the first of so many numbers, which nobody else gets */
  async takeNumbers(index: string, count: number): Promise<number> {
    const row = await this.#db
      .prepare(
        'UPDATE es_indexes SET next_seq_no = next_seq_no + ?2 WHERE name = ?1 RETURNING next_seq_no - ?2 AS first',
      )
      .bind(index, count)
      .first<{ first: number }>();
    if (row === null) throw noSuchIndex(index);
    return row.first;
  }

  /** Adds documents, or replaces those with the same ids. */
  async put(index: string, documents: readonly KeptDocument[]): Promise<void> {
    const rows = documents.map(({ id, version, seqNo, routing, ignored, source }) => [
      id,
      version,
      seqNo,
      routing ?? null,
      ignored.length === 0 ? null : JSON.stringify(ignored),
      source,
    ]);
    for (const part of jsonParts(rows)) {
      await this.#db
        .prepare(
          `INSERT INTO es_documents (index_name, id, version, seq_no, routing, ignored, source)
           SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
           FROM json_each(?2) WHERE true
           ON CONFLICT DO UPDATE SET version = excluded.version, seq_no = excluded.seq_no,
             routing = excluded.routing, ignored = excluded.ignored, source = excluded.source`,
        )
        .bind(index, part)
        .run();
    }
  }

  /** Takes documents out. */
  async remove(index: string, ids: readonly string[]): Promise<void> {
    await this.#db
      .prepare('DELETE FROM es_documents WHERE index_name = ?1 AND id IN (SELECT value FROM json_each(?2))')
      .bind(index, JSON.stringify(ids))
      .run();
  }
}
