// Removes rows: all of a request's, or one record from all requests.
import pMap from 'p-map';
import type { Family, KeyKind } from '../../../shared/families/index.ts';
import { blankLine, getPageKey, getPagesPrefix } from './page.ts';
import { parseRecord } from './parse-record.ts';
import { RowIndex, type RowLocation } from './row-index.ts';
import type { RowStore } from './types.ts';

/** A page may be written anew while somebody is taken out of it. */
const MAX_TRIES = 5;
/** Of the six connections that an invocation may hold open; a page of some megabytes is held for each. */
const CONCURRENCY = 4;

/**
 * Removes the rows of a request. To call it again finishes what was begun.
 */
export async function deleteRows({ bucket, db }: RowStore, requestId: string): Promise<void> {
  const prefix = getPagesPrefix(requestId);
  for (;;) {
    const { objects } = await bucket.list({ prefix });
    if (objects.length === 0) break;
    await bucket.delete(objects.map(({ key }) => key));
  }
  await new RowIndex(db).deleteRequest(requestId);
}

async function blankRecord(bucket: RowStore['bucket'], place: RowLocation): Promise<void> {
  const key = getPageKey(place.requestId, place.file, place.page);
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const object = await bucket.get(key);
    if (object === null) return;
    const page = new Uint8Array(await object.arrayBuffer());
    const line = page.subarray(place.start, place.start + place.length);
    // Whoever writes a page anew looks for the erased when it stands.
    if (parseRecord(line, place.recordId) === undefined) return;
    blankLine(page, place);
    if ((await bucket.put(key, page, { onlyIf: { etagMatches: object.etag } })) !== null) return;
  }
  throw new Error('A page of rows is being written again and again: nothing could be taken out of it.');
}

/**
 * Takes a record out of all requests, several at a time: its bytes first, then its place in the index, so that what fails is
 * found again.
 * @param recordId - digits
 * @returns how many rows it was
 */
export async function eraseRecord(
  { bucket, db }: RowStore,
  family: Family,
  recordId: string,
): Promise<number> {
  const index = new RowIndex(db);
  const places = await index.findRecordLocations(family, recordId);
  // A record is a row of a request once: no two of them stand on one page.
  await pMap(
    places,
    async (place) => {
      await blankRecord(bucket, place);
      await index.forget(place.requestId, [recordId]);
    },
    { concurrency: CONCURRENCY },
  );
  return places.length;
}

/**
 * Finds the rows that a key other than an id leads to.
 * @param value - in its one spelling
 * @returns ids of records, each once
 */
export function findRecordIds(
  { db }: Pick<RowStore, 'db'>,
  family: Family,
  kind: Exclude<KeyKind, 'id'>,
  value: string,
): Promise<string[]> {
  return new RowIndex(db).findRecordIdsByKey(family, `${kind}:${value}`);
}

/** Lists the other keys of a record in all requests, such as `website:example.com`. */
export function listRecordKeys(
  { db }: Pick<RowStore, 'db'>,
  family: Family,
  recordId: string,
): Promise<string[]> {
  return new RowIndex(db).listKeys(family, recordId);
}
