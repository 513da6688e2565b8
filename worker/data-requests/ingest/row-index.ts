// The index of rows, in D1: which record is a row of which request, and where in its pages it stands.
import { and, eq, gte, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { isInList } from '../../db/json-list.ts';
import { requestRows } from '../../db/schema.ts';
import { COUNT_ERASED_KEYS } from '../../gateway/refusal-list/erasure-list.ts';
import type { Entry } from './page.ts';

const keyList = z.array(z.string());

/** The page that is about to be written or was. */
export interface PageAddress {
  requestId: string;
  family: Family;
  file: number;
  page: number;
}

/** Where a row stands. */
export interface RowLocation {
  requestId: string;
  recordId: string;
  file: number;
  page: number;
  start: number;
  length: number;
}

/** A place behind which rows are read. */
export type Position = Pick<RowLocation, 'file' | 'page' | 'start'>;

/** What stands already where a page is to stand. */
export interface PageState {
  /** Ids that are rows of the request by an earlier page or another file. */
  duplicateIds: string[];
  /** Whether an earlier attempt has left rows of this page. */
  hasOlderRows: boolean;
  /** How many keys are erased. */
  erasedKeyCount: number;
}

// The statements of an ingest stay SQL. Each has a page of rows as one JSON parameter, which drizzle's `values` would spread
// over more than the hundred parameters that D1 takes, and they run for every 2,000 rows.

/**
 * The pages of a file are put in one after the other, and what an earlier attempt left of a page goes as it is put in anew.
 * So a row of an earlier page of the same file is of this attempt, and its record a duplicate; one of a later page is of an
 * earlier attempt and moves here. All in one statement, of which an invocation has a thousand.
 */
const SELECT_PAGE_STATE = `SELECT 'taken' AS what, record_id AS value FROM request_rows
    WHERE request_id = ?1 AND record_id IN (SELECT value FROM json_each(?4)) AND NOT (file = ?2 AND page >= ?3)
  UNION ALL SELECT 'older', '' WHERE EXISTS
    (SELECT 1 FROM request_rows WHERE request_id = ?1 AND file = ?2 AND page = ?3)
  UNION ALL SELECT 'erased', (${COUNT_ERASED_KEYS})`;

const DELETE_OTHER_ROWS = `DELETE FROM request_rows
  WHERE request_id = ?1 AND file = ?2 AND page = ?3 AND record_id NOT IN (SELECT value FROM json_each(?4))`;

const UPSERT_ROWS = `INSERT INTO request_rows (request_id, record_id, family, file, page, start, length, keys)
  SELECT ?1, value ->> 0, ?2, ?3, ?4, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?5) WHERE true
  ON CONFLICT (request_id, record_id) DO UPDATE SET
    page = excluded.page, start = excluded.start, length = excluded.length, keys = excluded.keys
    WHERE request_rows.file = excluded.file AND request_rows.page >= excluded.page
  RETURNING record_id`;

/** The index of one database. */
export class RowIndex {
  readonly #db: D1Database;
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#db = db;
    this.#orm = drizzle(db);
  }

  /** Finds what stands already where these records are to stand. */
  async getPageState({ requestId, file, page }: PageAddress, ids: readonly string[]): Promise<PageState> {
    const { results } = await this.#db
      .prepare(SELECT_PAGE_STATE)
      .bind(requestId, file, page, JSON.stringify(ids))
      .run<{ what: string; value: string | number }>();
    const valuesOf = (name: string) => results.flatMap(({ what, value }) => (what === name ? [value] : []));
    return {
      duplicateIds: valuesOf('taken').map(String),
      hasOlderRows: valuesOf('older').length > 0,
      erasedKeyCount: Number(valuesOf('erased')[0]),
    };
  }

  /**
   * Makes these the rows of a page, which stands already.
   * @returns ids of those that have become rows, the others having been put in at the same time from another file; and how
   * many keys are erased as of then
   */
  async write(
    { requestId, family, file, page }: PageAddress,
    entries: readonly Entry[],
    { hasOlderRows }: Pick<PageState, 'hasOlderRows'>,
  ): Promise<{ ids: Set<string>; erasedKeys: number }> {
    const rows = entries.map(({ id, start, length, keys }) => [id, start, length, JSON.stringify(keys)]);
    const deleteRecords = this.#db
      .prepare(DELETE_OTHER_ROWS)
      .bind(requestId, file, page, JSON.stringify(entries.map(({ id }) => id)));
    const [written, counted] = await this.#db.batch<{ record_id: string; count: number }>([
      this.#db.prepare(UPSERT_ROWS).bind(requestId, family, file, page, JSON.stringify(rows)),
      this.#db.prepare(COUNT_ERASED_KEYS),
      ...(hasOlderRows ? [deleteRecords] : []),
    ]);
    return {
      ids: new Set(written?.results.map(({ record_id }) => record_id)),
      erasedKeys: counted?.results[0]?.count ?? 0,
    };
  }

  /** Forgets the rows of a file from a page on. */
  async deletePagesFrom({ requestId, file }: PageAddress, page: number): Promise<void> {
    await this.#orm
      .delete(requestRows)
      .where(
        and(eq(requestRows.requestId, requestId), eq(requestRows.file, file), gte(requestRows.page, page)),
      );
  }

  /** Forgets single rows. */
  async forget(requestId: string, recordIds: Iterable<string>): Promise<void> {
    await this.#orm
      .delete(requestRows)
      .where(and(eq(requestRows.requestId, requestId), isInList(requestRows.recordId, [...recordIds])));
  }

  async deleteRequest(requestId: string): Promise<void> {
    await this.#orm.delete(requestRows).where(eq(requestRows.requestId, requestId));
  }

  count(requestId: string): Promise<number> {
    return this.#orm.$count(requestRows, eq(requestRows.requestId, requestId));
  }

  /** @returns at most so many rows behind a place, in their order */
  listAfter(requestId: string, { file, page, start }: Position, limit: number): Promise<RowLocation[]> {
    const order = [requestRows.file, requestRows.page, requestRows.start] as const;
    // drizzle compares no tuples; only a tuple reads the index from the place on.
    const isBehind = sql`(${sql.join([...order], sql`, `)}) > (${file}, ${page}, ${start})`;
    return this.#places(and(eq(requestRows.requestId, requestId), isBehind))
      .orderBy(...order)
      .limit(limit);
  }

  /** @returns the places of some records in some requests, in no order */
  findLocations(requestIds: readonly string[], recordIds: readonly string[]): Promise<RowLocation[]> {
    return this.#places(
      and(isInList(requestRows.requestId, requestIds), isInList(requestRows.recordId, recordIds)),
    ).all();
  }

  /** @returns every place of a record, in whichever request */
  findRecordLocations(family: Family, recordId: string): Promise<RowLocation[]> {
    return this.#places(and(eq(requestRows.family, family), eq(requestRows.recordId, recordId))).all();
  }

  /** Lists the ids of the records in some requests, at most so many, in their order. */
  async listRecordIds(requestIds: readonly string[], limit: number): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ id: requestRows.recordId })
      .from(requestRows)
      .where(isInList(requestRows.requestId, requestIds))
      .orderBy(requestRows.recordId)
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  #places(where: SQL | undefined) {
    const { requestId, recordId, file, page, start, length } = requestRows;
    return this.#orm
      .select({ requestId, recordId, file, page, start, length })
      .from(requestRows)
      .where(where)
      .$dynamic();
  }

  /** @returns ids of the records that have another key, by looking through all of the family */
  async findRecordIdsByKey(family: Family, key: string): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ id: requestRows.recordId })
      .from(requestRows)
      .where(
        and(eq(requestRows.family, family), sql`instr(${requestRows.keys}, ${JSON.stringify(key)}) > 0`),
      );
    return rows.map(({ id }) => id);
  }

  /** @returns the other keys of a record in all requests, such as `website:example.com` */
  async listKeys(family: Family, recordId: string): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ keys: requestRows.keys })
      .from(requestRows)
      .where(and(eq(requestRows.family, family), eq(requestRows.recordId, recordId)));
    return rows.flatMap(({ keys }) => keyList.parse(JSON.parse(keys)));
  }
}
