// Deletes rows: all rows of a data request, or one record from all data requests.
import pMap from 'p-map';
import type { Family } from '../../../shared/families/index.ts';
import { blankLine, getPageKey, getPagesPrefix } from './page.ts';
import { parseRecord } from './parse-line.ts';
import { RowIndex, type RowLocation } from './row-index.ts';
import type { RowStore } from './types.ts';

/** A page may be rewritten concurrently. */
const MAX_ATTEMPTS = 5;
/** An invocation may hold six connections. Each one here keeps a page of some megabytes in memory. */
const CONCURRENCY = 4;

/** Deletes the rows of a data request. A repeated call completes an interrupted one. */
export async function deleteRows({ bucket, db }: RowStore, requestId: string): Promise<void> {
  const prefix = getPagesPrefix(requestId);
  for (;;) {
    const { objects } = await bucket.list({ prefix });
    if (objects.length === 0) break;
    await bucket.delete(objects.map(({ key }) => key));
  }
  await new RowIndex(db).deleteRequest(requestId);
}

/**
 * Rewrites a page, unless it is deleted. A concurrent change repeats the edit.
 * @param edit - changes the bytes in place; returns false if there is nothing to change
 * @returns whether the page was changed
 */
export async function rewritePage(
  bucket: RowStore['bucket'],
  { requestId, file, page }: Pick<RowLocation, 'requestId' | 'file' | 'page'>,
  edit: (bytes: Uint8Array) => boolean | Promise<boolean>,
): Promise<boolean> {
  const key = getPageKey(requestId, file, page);
  for (let attemptsLeft = MAX_ATTEMPTS; attemptsLeft > 0; attemptsLeft -= 1) {
    const object = await bucket.get(key);
    if (object === null) return false;
    const bytes = new Uint8Array(await object.arrayBuffer());
    if (!(await edit(bytes))) return false;
    if ((await bucket.put(key, bytes, { onlyIf: { etagMatches: object.etag } })) !== null) return true;
  }
  throw new Error('A page of rows was rewritten in each attempt to erase somebody from it.');
}

/**
 * Erases a record from all data requests: its bytes first, then its index entry, so a repeated call finds what failed.
 * @param recordId - digits
 * @returns the number of deleted rows
 */
export async function eraseRecord(
  { bucket, db }: RowStore,
  family: Family,
  recordId: string,
): Promise<number> {
  const rowIndex = new RowIndex(db);
  const locations = await rowIndex.findRecordLocations(family, recordId);
  // A record is one row per data request, so no two locations share a page.
  await pMap(
    locations,
    async (location) => {
      await rewritePage(bucket, location, (page) => {
        const line = page.subarray(location.start, location.start + location.length);
        // The page was rewritten: its writer filters erased records itself.
        if (parseRecord(line, location.recordId) === undefined) return false;
        blankLine(page, location);
        return true;
      });
      await rowIndex.deleteRows(location.requestId, [recordId]);
    },
    { concurrency: CONCURRENCY },
  );
  return locations.length;
}
