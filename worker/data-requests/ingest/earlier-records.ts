// Finds what earlier requests brought under the same ids, so that what comes again unchanged can be told.
import type { DataRecord } from '../../../shared/api/common.ts';
import { getPageKey } from './page.ts';
import { parseRecord } from './parse-record.ts';
import { RowIndex, type RowLocation } from './row-index.ts';
import type { RowStore } from './types.ts';

/**
 * Reads the records that some requests have under some ids.
 * @param requestIds - the newest first
 * @param recordIds - digits
 * @returns by id, as the newest of these requests has it; those that none has are absent
 */
export async function findEarlierRecords(
  { bucket, db }: RowStore,
  requestIds: readonly string[],
  recordIds: readonly string[],
): Promise<Map<string, DataRecord>> {
  if (requestIds.length === 0 || recordIds.length === 0) return new Map();
  const ages = new Map(requestIds.map((id, age) => [id, age]));
  const newest = new Map<string, RowLocation>();
  for (const place of await new RowIndex(db).findLocations(requestIds, recordIds)) {
    const known = newest.get(place.recordId);
    if (known === undefined || Number(ages.get(place.requestId)) < Number(ages.get(known.requestId))) {
      newest.set(place.recordId, place);
    }
  }
  const byPage = new Map<string, RowLocation[]>();
  for (const place of newest.values()) {
    const key = getPageKey(place.requestId, place.file, place.page);
    byPage.set(key, [...(byPage.get(key) ?? []), place]);
  }
  const records = new Map<string, DataRecord>();
  for (const [key, places] of byPage) {
    const object = await bucket.get(key);
    if (object === null) continue;
    const bytes = new Uint8Array(await object.arrayBuffer());
    for (const { recordId, start, length } of places) {
      const record = parseRecord(bytes.subarray(start, start + length), recordId);
      if (record !== undefined) records.set(recordId, record);
    }
  }
  return records;
}
