// Writes an object of unknown length to R2, holding a few megabytes of it at a time.

/** R2 wants parts of one size, at least 5 MiB, but for the last. */
const PART_BYTES = 8 * 1024 * 1024;

/** What is used of a bucket. */
export interface WritableBucket {
  put(key: string, value: Uint8Array): Promise<unknown>;
  createMultipartUpload(key: string): Promise<PartUpload>;
}

/** What is used of an upload in parts. */
export interface PartUpload {
  uploadPart(number: number, value: Uint8Array): Promise<R2UploadedPart>;
  complete(parts: R2UploadedPart[]): Promise<unknown>;
  abort(): Promise<void>;
}

/** One object being written; it is there once {@link ObjectWriter.close} has resolved. */
export class ObjectWriter {
  readonly #bucket: WritableBucket;
  readonly #key: string;
  readonly #partBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #upload: PartUpload | undefined;
  readonly #parts: R2UploadedPart[] = [];

  /**
   * @param partBytes - tests make it small
   */
  constructor(bucket: WritableBucket, key: string, partBytes: number = PART_BYTES) {
    this.#bucket = bucket;
    this.#key = key;
    this.#partBytes = partBytes;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    while (this.#pendingBytes > this.#partBytes) await this.#send(this.#take(this.#partBytes));
  }

  async close(): Promise<void> {
    const rest = this.#take(this.#pendingBytes);
    if (this.#upload === undefined) {
      await this.#bucket.put(this.#key, rest);
      return;
    }
    await this.#send(rest);
    await this.#upload.complete(this.#parts);
  }

  /** Leaves nothing behind of an object that will not be finished. */
  async abort(): Promise<void> {
    await this.#upload?.abort();
  }

  /** Takes the first bytes of what is pending. */
  #take(bytes: number): Uint8Array {
    const taken = new Uint8Array(bytes);
    let filled = 0;
    while (filled < bytes) {
      const [first] = this.#pending;
      if (first === undefined) break;
      const part = first.subarray(0, bytes - filled);
      taken.set(part, filled);
      filled += part.length;
      if (part.length === first.length) this.#pending.shift();
      else this.#pending[0] = first.subarray(part.length);
    }
    this.#pendingBytes -= filled;
    return taken;
  }

  async #send(part: Uint8Array): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#key);
    this.#parts.push(await this.#upload.uploadPart(this.#parts.length + 1, part));
  }
}
