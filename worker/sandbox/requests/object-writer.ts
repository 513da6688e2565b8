// Writes result files: gzipped JSON Lines, an R2 object of unknown length in parts, with one part in memory at a time.
import type { Family } from '../../../shared/families/index.ts';
import { getStoredFamily, type RecordStore } from '../record-store.ts';

/** R2 requires parts of one size, at least 5 MiB, except the last. */
const PART_BYTES = 8 * 1024 * 1024;

/** The parts of an R2 bucket and of a multipart upload that the writer uses. */
export interface WritableBucket {
  put(key: string, value: Uint8Array): Promise<unknown>;
  createMultipartUpload(key: string): Promise<PartUpload>;
}
interface PartUpload {
  uploadPart(number: number, value: Uint8Array): Promise<R2UploadedPart>;
  complete(parts: R2UploadedPart[]): Promise<unknown>;
  abort(): Promise<void>;
}

/** One object being written. It exists once {@link ObjectWriter.close} has resolved. */
export class ObjectWriter {
  readonly #bucket: WritableBucket;
  readonly #key: string;
  readonly #partBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #upload: PartUpload | undefined;
  readonly #parts: R2UploadedPart[] = [];

  /** @param partBytes - smaller in tests */
  constructor(bucket: WritableBucket, key: string, partBytes: number = PART_BYTES) {
    this.#bucket = bucket;
    this.#key = key;
    this.#partBytes = partBytes;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    while (this.#pendingBytes > this.#partBytes) await this.#uploadPart(this.#takePending(this.#partBytes));
  }

  async close(): Promise<void> {
    const lastPart = this.#takePending(this.#pendingBytes);
    if (this.#upload === undefined) {
      await this.#bucket.put(this.#key, lastPart);
      return;
    }
    await this.#uploadPart(lastPart);
    await this.#upload.complete(this.#parts);
  }

  /** Aborts the upload and discards its parts. */
  async abort(): Promise<void> {
    await this.#upload?.abort();
  }

  /** Removes the given number of bytes from the pending chunks. */
  #takePending(bytes: number): Uint8Array {
    const result = new Uint8Array(bytes);
    let filled = 0;
    while (filled < bytes) {
      const [first] = this.#pending;
      if (first === undefined) break;
      const part = first.subarray(0, bytes - filled);
      result.set(part, filled);
      filled += part.length;
      if (part.length === first.length) this.#pending.shift();
      else this.#pending[0] = first.subarray(part.length);
    }
    this.#pendingBytes -= filled;
    return result;
  }

  async #uploadPart(part: Uint8Array): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#key);
    this.#parts.push(await this.#upload.uploadPart(this.#parts.length + 1, part));
  }
}

/** Records per page. A record can have a hundred kilobytes. */
const PAGE_SIZE = 50;

/** Dependencies of {@link writeResultFile}. */
export interface ResultFileContext {
  store: Pick<RecordStore, 'findByIds'>;
  bucket: WritableBucket;
}

export interface ResultFile {
  family: Family;
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
