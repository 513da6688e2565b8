// Finds earlier versions of records, so that a schedule can skip unchanged ones.
import type { DataRecord } from '../../../shared/api/common.ts';
import { getPageKey } from './page.ts';
import { parseRecord } from './parse-record.ts';
import { RowIndex, type RowLocation } from './row-index.ts';
import type { RowStore } from './types.ts';

/**
 * Reads the newest version of some records in some data requests.
 * @param requestIds - newest first
 * @param recordIds - digits
 * @returns records by id; missing ones are absent
 */
export async function findEarlierRecords(
  { bucket, db }: RowStore,
  requestIds: readonly string[],
  recordIds: readonly string[],
): Promise<Map<string, DataRecord>> {
  if (requestIds.length === 0 || recordIds.length === 0) return new Map();
  const ages = new Map(requestIds.map((id, age) => [id, age]));
  const newest = new Map<string, RowLocation>();
  for (const location of await new RowIndex(db).findLocations(requestIds, recordIds)) {
    const current = newest.get(location.recordId);
    if (current === undefined || Number(ages.get(location.requestId)) < Number(ages.get(current.requestId))) {
      newest.set(location.recordId, location);
    }
  }
  const byPage = new Map<string, RowLocation[]>();
  for (const location of newest.values()) {
    const key = getPageKey(location.requestId, location.file, location.page);
    byPage.set(key, [...(byPage.get(key) ?? []), location]);
  }
  const records = new Map<string, DataRecord>();
  for (const [key, locations] of byPage) {
    const object = await bucket.get(key);
    if (object === null) continue;
    const bytes = new Uint8Array(await object.arrayBuffer());
    for (const { recordId, start, length } of locations) {
      const record = parseRecord(bytes.subarray(start, start + length), recordId);
      if (record !== undefined) records.set(recordId, record);
    }
  }
  return records;
}
