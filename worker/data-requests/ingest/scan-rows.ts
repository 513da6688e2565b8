// Reads the rows of all data requests and table runs, page by page, for searches that no index serves.
import { count } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import { requestRows } from '../../db/schema.ts';
import { getPageKey } from './page.ts';
import { parseRecord } from './parse-line.ts';
import { RowIndex } from './row-index.ts';
import { findNextPage } from './strip-rows.ts';
import type { RowStore } from './types.ts';

export async function countAllRows({ db }: Pick<RowStore, 'db'>): Promise<number> {
  const row = await drizzle(db).select({ rows: count() }).from(requestRows).get();
  return row?.rows ?? 0;
}

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
  const { requestId, file, page: number, family } = page;
  const locations = await new RowIndex(db).listPage(page);
  const object = await bucket.get(getPageKey(requestId, file, number));
  const bytes = object === null ? new Uint8Array() : new Uint8Array(await object.arrayBuffer());
  for (const { recordId, start, length } of locations) {
    const record = parseRecord(bytes.subarray(start, start + length), recordId);
    if (record !== undefined) onRecord(family, record);
  }
  return { rows: locations.length, after: `${requestId}/${file}/${number}` };
}
