// Writes a result file: gzipped JSON Lines, with one page of records in memory at a time.
import type { Family } from '../../../shared/families/index.ts';
import { getStoredFamily, type RecordStore } from '../record-store.ts';
import { ObjectWriter, type WritableBucket } from './object-writer.ts';

/** Records per page. A record can have a hundred kilobytes. */
const PAGE_SIZE = 50;

/** Dependencies of {@link writeResultFile}. */
export interface ResultFileContext {
  store: Pick<RecordStore, 'findByIds'>;
  bucket: WritableBucket;
}

export interface ResultFile {
  family: Family;
  /** Its key in the bucket. */
  key: string;
  /** At most 1,000, in the order of the records. */
  ids: readonly string[];
}

/**
 * Writes the existing records and skips missing ones.
 * @returns the number of written records; if it is 0, no file is written
 */
export async function writeResultFile(
  { store, bucket }: ResultFileContext,
  { family, key, ids }: ResultFile,
): Promise<number> {
  const encoder = new TextEncoder();
  let written = 0;
  let next = 0;
  const lines = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      while (next < ids.length) {
        const page = ids.slice(next, next + PAGE_SIZE);
        next += PAGE_SIZE;
        const found = await store.findByIds(getStoredFamily(family), page);
        const records = page.flatMap((id) => found.get(id) ?? []);
        if (records.length === 0) continue;
        written += records.length;
        controller.enqueue(encoder.encode(records.map(({ data }) => `${data}\n`).join('')));
        return;
      }
      controller.close();
    },
  });
  const object = new ObjectWriter(bucket, key);
  try {
    for await (const chunk of lines.pipeThrough(new CompressionStream('gzip'))) await object.write(chunk);
    if (written > 0) await object.close();
  } catch (error) {
    await object.abort();
    throw error;
  }
  return written;
}
