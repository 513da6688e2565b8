// The index of rows in D1: data request, record, and location in the pages.
import { and, eq, gte, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { isInList } from '../../db/json-list.ts';
import { requestRows } from '../../db/schema.ts';
import { COUNT_ERASED_KEYS } from '../../gateway/refusal-list/erasure-list.ts';
import type { Entry } from './page.ts';

const keyList = z.array(z.string());

export interface PageAddress {
  requestId: string;
  family: Family;
  file: number;
  page: number;
}

export interface RowLocation {
  requestId: string;
  recordId: string;
  file: number;
  page: number;
  start: number;
  length: number;
}

/** Rows are read after this position. */
export type Position = Pick<RowLocation, 'file' | 'page' | 'start'>;

/** What the index contains before a page is written. */
export interface PageState {
  duplicateIds: string[];
  /** Whether an earlier attempt has written rows of this page that it no longer has. */
  hasStaleRows: boolean;
  /** Size of the erasure list. */
  erasedKeyCount: number;
}

// Raw SQL: each statement binds a page of rows as one JSON parameter. drizzle's `values` would exceed the hundred parameters
// that D1 takes.

/**
 * Pages of a file are written in order, and a rewritten page replaces its rows of an earlier attempt. So a row of an earlier
 * page of the same file belongs to this attempt and is a duplicate; a row of a later page belongs to an earlier attempt and
 * moves here. It is one statement, because an invocation has a thousand.
 */
const SELECT_PAGE_STATE = `SELECT 'duplicate' AS kind, record_id AS value FROM request_rows
    WHERE request_id = ?1 AND record_id IN (SELECT value FROM json_each(?4)) AND NOT (file = ?2 AND page >= ?3)
  UNION ALL SELECT 'stale', '' WHERE EXISTS (SELECT 1 FROM request_rows
    WHERE request_id = ?1 AND file = ?2 AND page = ?3 AND record_id NOT IN (SELECT value FROM json_each(?4)))
  UNION ALL SELECT 'erased', (${COUNT_ERASED_KEYS})`;

const DELETE_OTHER_ROWS = `DELETE FROM request_rows
  WHERE request_id = ?1 AND file = ?2 AND page = ?3 AND record_id NOT IN (SELECT value FROM json_each(?4))`;

/** Returns the size of the erasure list with each row, because a separate statement would count. */
const UPSERT_ROWS = `INSERT INTO request_rows (request_id, record_id, family, file, page, start, length, keys)
  SELECT ?1, value ->> 0, ?2, ?3, ?4, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?5) WHERE true
  ON CONFLICT (request_id, record_id) DO UPDATE SET
    page = excluded.page, start = excluded.start, length = excluded.length, keys = excluded.keys
    WHERE request_rows.file = excluded.file AND request_rows.page >= excluded.page
  RETURNING record_id, (${COUNT_ERASED_KEYS}) AS count`;

export class RowIndex {
  readonly #db: D1Database;
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#db = db;
    this.#orm = drizzle(db);
  }

  /** Reads what the index contains before a page with these records is written. */
  async getPageState({ requestId, file, page }: PageAddress, ids: readonly string[]): Promise<PageState> {
    const { results } = await this.#db
      .prepare(SELECT_PAGE_STATE)
      .bind(requestId, file, page, JSON.stringify(ids))
      .run<{ kind: string; value: string | number }>();
    const getValues = (name: string) => results.flatMap(({ kind, value }) => (kind === name ? [value] : []));
    return {
      duplicateIds: getValues('duplicate').map(String),
      hasStaleRows: getValues('stale').length > 0,
      erasedKeyCount: Number(getValues('erased')[0]),
    };
  }

  /**
   * Writes the rows of a page whose object exists already.
   * @param hasStaleRows - an earlier attempt has written other rows of this page
   * @returns ids of the written rows, without those that another file has written concurrently; and the size of the erasure
   * list at that time, undefined if no row was written
   */
  async write(
    { requestId, family, file, page }: PageAddress,
    entries: readonly Entry[],
    hasStaleRows: boolean,
  ): Promise<{ ids: Set<string>; erasedKeys: number | undefined }> {
    const rows = entries.map(({ id, start, length, keys }) => [id, start, length, JSON.stringify(keys)]);
    const deleteRecords = this.#db
      .prepare(DELETE_OTHER_ROWS)
      .bind(requestId, file, page, JSON.stringify(entries.map(({ id }) => id)));
    const [written] = await this.#db.batch<{ record_id: string; count: number }>([
      this.#db.prepare(UPSERT_ROWS).bind(requestId, family, file, page, JSON.stringify(rows)),
      ...(hasStaleRows ? [deleteRecords] : []),
    ]);
    return {
      ids: new Set(written?.results.map(({ record_id }) => record_id)),
      erasedKeys: written?.results[0]?.count,
    };
  }

  /** Deletes the rows of a page and of all later ones of its file. */
  async deletePagesFrom({ requestId, file, page }: PageAddress): Promise<void> {
    await this.#orm
      .delete(requestRows)
      .where(
        and(eq(requestRows.requestId, requestId), eq(requestRows.file, file), gte(requestRows.page, page)),
      );
  }

  async deleteRows(requestId: string, recordIds: Iterable<string>): Promise<void> {
    await this.#orm
      .delete(requestRows)
      .where(and(eq(requestRows.requestId, requestId), isInList(requestRows.recordId, [...recordIds])));
  }

  async deleteRequest(requestId: string): Promise<void> {
    await this.#orm.delete(requestRows).where(eq(requestRows.requestId, requestId));
  }

  /** Returns the family of the rows of a data request; undefined if it has none. */
  async getFamily(requestId: string): Promise<Family | undefined> {
    const row = await this.#orm
      .select({ family: requestRows.family })
      .from(requestRows)
      .where(eq(requestRows.requestId, requestId))
      .limit(1)
      .get();
    return row?.family;
  }

  count(requestId: string): Promise<number> {
    return this.#orm.$count(requestRows, eq(requestRows.requestId, requestId));
  }

  countAll(): Promise<number> {
    return this.#orm.$count(requestRows);
  }

  listAfter(requestId: string, { file, page, start }: Position, limit: number): Promise<RowLocation[]> {
    const order = [requestRows.file, requestRows.page, requestRows.start] as const;
    // drizzle has no tuple comparison, and only a tuple uses the index.
    const isAfter = sql`(${sql.join([...order], sql`, `)}) > (${file}, ${page}, ${start})`;
    return this.#selectLocations(and(eq(requestRows.requestId, requestId), isAfter))
      .orderBy(...order)
      .limit(limit);
  }

  listPage({ requestId, file, page }: Omit<PageAddress, 'family'>): Promise<RowLocation[]> {
    return this.#selectLocations(
      and(eq(requestRows.requestId, requestId), eq(requestRows.file, file), eq(requestRows.page, page)),
    ).all();
  }

  /** Finds the locations of some records in some data requests, unordered. */
  findLocations(requestIds: readonly string[], recordIds: readonly string[]): Promise<RowLocation[]> {
    return this.#selectLocations(
      and(isInList(requestRows.requestId, requestIds), isInList(requestRows.recordId, recordIds)),
    ).all();
  }

  /** Finds the locations of a record in all data requests and table runs. @param recordId - digits */
  findRecordLocations(family: Family, recordId: string): Promise<RowLocation[]> {
    return this.#selectLocations(
      and(eq(requestRows.family, family), eq(requestRows.recordId, recordId)),
    ).all();
  }

  /** Lists the distinct ids of the records in some data requests, in order. */
  async listRecordIds(requestIds: readonly string[], limit: number): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ id: requestRows.recordId })
      .from(requestRows)
      .where(isInList(requestRows.requestId, requestIds))
      .orderBy(requestRows.recordId)
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  #selectLocations(where: SQL | undefined) {
    const { requestId, recordId, file, page, start, length } = requestRows;
    return this.#orm
      .select({ requestId, recordId, file, page, start, length })
      .from(requestRows)
      .where(where)
      .$dynamic();
  }

  /** Finds the distinct ids of the records with a key such as `website:example.com`, by a scan of the family. */
  async findRecordIdsByKey(family: Family, key: string): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ id: requestRows.recordId })
      .from(requestRows)
      .where(
        and(eq(requestRows.family, family), sql`instr(${requestRows.keys}, ${JSON.stringify(key)}) > 0`),
      );
    return rows.map(({ id }) => id);
  }

  /** Lists the other keys of a record in all data requests, such as `website:example.com`. */
  async listKeys(family: Family, recordId: string): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ keys: requestRows.keys })
      .from(requestRows)
      .where(and(eq(requestRows.family, family), eq(requestRows.recordId, recordId)));
    return rows.flatMap(({ keys }) => keyList.parse(JSON.parse(keys)));
  }
}
