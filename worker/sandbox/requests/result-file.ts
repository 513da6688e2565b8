// Writes one file of a data request: records as gzipped JSON Lines, a page of them in memory at a time.
import type { Family } from '../../../shared/families/index.ts';
import { getStoredFamily, type RecordStore } from '../record-store.ts';
import { ObjectWriter, type WritableBucket } from './object-writer.ts';

/** A record can have a hundred kilobytes. */
const PAGE = 50;

/** What a part is written with. */
export interface ResultFileContext {
  store: Pick<RecordStore, 'findByIds'>;
  bucket: WritableBucket;
}

/** One file to be written. */
export interface ResultFile {
  family: Family;
  /** Under which it is kept in the bucket. */
  key: string;
  /** At most 1,000, in the order in which the records are to stand. */
  ids: readonly string[];
}

/**
 * Writes the records that are there; those that are not leave no gap.
 * @returns how many records stand in the file; where none does, no file is written
 */
export async function writeResultFile(
  { store, bucket }: ResultFileContext,
  { family, key, ids }: ResultFile,
): Promise<number> {
  const encoder = new TextEncoder();
  let written = 0;
  let at = 0;
  const lines = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      while (at < ids.length) {
        const page = ids.slice(at, at + PAGE);
        at += PAGE;
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
