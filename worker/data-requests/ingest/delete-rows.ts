// Deletes rows: all rows of a data request, or one record from all data requests.
import pMap from 'p-map';
import type { Family, KeyKind } from '../../../shared/families/index.ts';
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

async function blankRecord(bucket: RowStore['bucket'], location: RowLocation): Promise<void> {
  const key = getPageKey(location.requestId, location.file, location.page);
  for (let attemptsLeft = MAX_ATTEMPTS; attemptsLeft > 0; attemptsLeft -= 1) {
    const object = await bucket.get(key);
    if (object === null) return;
    const page = new Uint8Array(await object.arrayBuffer());
    const line = page.subarray(location.start, location.start + location.length);
    // The page was rewritten: its writer filters erased records itself.
    if (parseRecord(line, location.recordId) === undefined) return;
    blankLine(page, location);
    if ((await bucket.put(key, page, { onlyIf: { etagMatches: object.etag } })) !== null) return;
  }
  throw new Error('A page of rows was rewritten in each attempt to erase a record from it.');
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
      await blankRecord(bucket, location);
      await rowIndex.deleteRows(location.requestId, [recordId]);
    },
    { concurrency: CONCURRENCY },
  );
  return locations.length;
}

/** Counts the rows of a record in all data requests. @param recordId - digits */
export async function countRecordRows(
  { db }: Pick<RowStore, 'db'>,
  family: Family,
  recordId: string,
): Promise<number> {
  return (await new RowIndex(db).findRecordLocations(family, recordId)).length;
}

/**
 * Finds the records with a key other than the id.
 * @param value - normalised
 * @returns distinct ids
 */
export function findRecordIds(
  { db }: Pick<RowStore, 'db'>,
  family: Family,
  kind: Exclude<KeyKind, 'id'>,
  value: string,
): Promise<string[]> {
  return new RowIndex(db).findRecordIdsByKey(family, `${kind}:${value}`);
}

/** Lists the other keys of a record in all data requests, such as `website:example.com`. */
export function listRecordKeys(
  { db }: Pick<RowStore, 'db'>,
  family: Family,
  recordId: string,
): Promise<string[]> {
  return new RowIndex(db).listKeys(family, recordId);
}
