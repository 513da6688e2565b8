// Reads the rows of all data requests and table runs, page by page, for searches that no index serves.
import { and, eq, gt, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import { requestRows } from '../../db/schema.ts';
import { readPageRecords } from './read-rows.ts';
import { RowIndex } from './row-index.ts';
import type { RowStore } from './types.ts';

export type PageOfRows = Pick<typeof requestRows.$inferSelect, 'requestId' | 'file' | 'page' | 'family'>;

/** Finds the next page of rows. @param after - cursor of the previous one; '' for the first */
export async function findNextPage(db: D1Database, after: string): Promise<PageOfRows | undefined> {
  const { requestId, file, page, family } = requestRows;
  const [request = '', afterFile = '-1', afterPage = '-1'] = after.split('/');
  const isLater = or(
    gt(requestId, request),
    and(eq(requestId, request), sql`(${file}, ${page}) > (${Number(afterFile)}, ${Number(afterPage)})`),
  );
  return drizzle(db)
    .select({ requestId, file, page, family })
    .from(requestRows)
    .where(isLater)
    .orderBy(requestId, file, page)
    .limit(1)
    .get();
}

/** Formats the cursor of the page after this one. */
export const formatCursor = ({ requestId, file, page }: PageOfRows): string => `${requestId}/${file}/${page}`;

/**
 * Reads the next page of rows.
 * @param after - cursor of the previous call; '' for the first
 * @returns the number of rows, and the cursor of the next call; null at the end
 * @throws if the store can't be reached
 */
export async function scanRows(
  { bucket, db }: Pick<RowStore, 'bucket' | 'db'>,
  after: string,
  onRecord: (family: Family, record: DataRecord) => void,
): Promise<{ rows: number; after: string | null }> {
  const page = await findNextPage(db, after);
  if (page === undefined) return { rows: 0, after: null };
  const locations = await new RowIndex(db).listPage(page);
  for await (const { record } of readPageRecords(bucket, locations))
    if (record !== undefined) onRecord(page.family, record);
  return { rows: locations.length, after: formatCursor(page) };
}
