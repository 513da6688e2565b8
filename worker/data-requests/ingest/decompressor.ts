// Unpacks a result file as it comes, no faster than it is taken, and tells how it ended.

/** How a file ended before its end: it broke off, or what came could not be unpacked any further. */
export type Truncation = 'incomplete' | 'damaged';

/** RFC 1952, 2.3.1: how every gzip file begins. */
const GZIP_MAGIC = [0x1f, 0x8b];
/**
 * So much is read at once, of what is packed and of what is unpacked. Each reading leaves a few kilobytes behind until memory
 * is tidied up: few large ones take less of it than many small ones.
 */
const PACKED_BYTES = 512 * 1024;
const READ_BYTES = 1024 * 1024;
/**
 * The platform's decompression keeps whatever it is given until it is read, and drops it where it fails; so does a reading
 * that waits for a number of bytes. So both take a piece at a time: no more than an eighth of what came before, so that
 * little is lost. No byte unpacks to more than 1,032; while more waits than one reading takes, decompression is given almost
 * nothing.
 */
const PIECE_BYTES = { least: 4 * 1024, most: 128 * 1024, hindered: 64 };
const LOST_AT_MOST = 1 / 8;

type Writer = WritableStreamDefaultWriter<Uint8Array>;

/** A body that is read, whatever kind of stream it is. What was read is good until more is. */
interface Source {
  /** @param least - so many bytes at least, unless it ends before */
  read: (least: number) => Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel: () => Promise<void>;
}

/** Bodies of answers are read in large parts; a stream that has parts of its own is read by those. */
function openSource(body: ReadableStream<Uint8Array>): Source {
  try {
    const reader = body.getReader({ mode: 'byob' });
    let buffer = new Uint8Array(PACKED_BYTES);
    return {
      async read(least) {
        const result = await reader.readAtLeast(Math.min(least, buffer.length), buffer);
        if (!result.done) buffer = new Uint8Array(result.value.buffer);
        return result;
      },
      cancel: () => reader.cancel(),
    };
  } catch {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: () => reader.cancel() };
  }
}

/** Answers when everything that was on its way has arrived. */
function nextTurn(): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), 0));
}

async function waitForAll(...promises: Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
}

/** A result file being unpacked. What its own way does to it becomes {@link Decompressor.truncation}; nothing is thrown for it. */
export class Decompressor {
  /** Known once there are no more chunks. */
  truncation: Truncation | null = null;
  readonly #source: Source;
  /** What was read of the body and not handed on. */
  #packed: Uint8Array = new Uint8Array(0);
  /** Whether the body has come to its end. */
  #isRead = false;
  #handedOn = 0;
  /** Whether all of it has been handed on. */
  #isFed = false;

  /** @param body - gzipped, or plain where the way has unpacked it already */
  constructor(body: ReadableStream<Uint8Array>) {
    this.#source = openSource(body);
  }

  /** The unpacked bytes; each chunk is good until the next one is asked for. */
  async *chunks(): AsyncGenerator<Uint8Array, void> {
    try {
      while (this.#packed.length < GZIP_MAGIC.length && (await this.#readMore())) {}
      if (this.#packed.length === 0) this.truncation = 'incomplete';
      yield* GZIP_MAGIC.every((byte, at) => this.#packed[at] === byte) ? this.#unpacked() : this.#plain();
    } finally {
      await waitForAll(this.#source.cancel());
    }
  }

  /** Reads a chunk of the body. @returns false where there is no more */
  async #readMore(): Promise<boolean> {
    if (this.#isRead) return false;
    // There is a rest at the very beginning alone, of a byte, and what it stands in is used again.
    const rest = this.#packed.slice();
    this.#packed = rest;
    try {
      const { done, value } = await this.#source.read(this.#losable);
      if (!done) {
        if (rest.length === 0) this.#packed = value;
        else {
          this.#packed = new Uint8Array(rest.length + value.length);
          this.#packed.set(rest);
          this.#packed.set(value, rest.length);
        }
        return true;
      }
    } catch {
      this.truncation = 'incomplete';
    }
    this.#isRead = true;
    return false;
  }

  async *#plain(): AsyncGenerator<Uint8Array, void> {
    do {
      const chunk = this.#packed;
      this.#packed = new Uint8Array(0);
      if (chunk.length > 0) yield chunk;
    } while (await this.#readMore());
  }

  async *#unpacked(): AsyncGenerator<Uint8Array, void> {
    const through = new DecompressionStream('gzip');
    const writer = through.writable.getWriter();
    const reader = through.readable.getReader({ mode: 'byob' });
    let buffer = new Uint8Array(READ_BYTES);
    let isHindered = false;
    let writing: Promise<void> | undefined;
    try {
      for (;;) {
        const reading = reader.read(buffer);
        const answered = reading.then(() => true);
        for (let isAnswered = false; !isAnswered; ) {
          if (this.#isFed) isAnswered = await answered;
          else if (this.#hasMore) {
            writing ??= this.#feed(writer, isHindered);
            isAnswered = await Promise.race([answered, writing.then(() => false)]);
            if (!isAnswered) writing = undefined;
          } else {
            await writing;
            // Where the file is cut, its end drops what was not read: all of it must be out before.
            isAnswered = await Promise.race([answered, nextTurn()]);
            if (!isAnswered) writing = this.#end(writer);
          }
        }
        const { done, value } = await reading;
        if (done) return;
        isHindered = value.length === READ_BYTES;
        yield value;
        buffer = new Uint8Array(value.buffer);
      }
    } catch {
      this.truncation ??= this.#isFed ? 'incomplete' : 'damaged';
    } finally {
      // What is being read of the body is waited for by what is being written.
      await waitForAll(this.#source.cancel(), writer.abort(), reader.cancel(), writing ?? Promise.resolve());
    }
  }

  /** Whether there may be something to hand on. */
  get #hasMore(): boolean {
    return !this.#isRead || this.#packed.length > 0;
  }

  /** So many packed bytes may be on their way at once. */
  get #losable(): number {
    return Math.max(PIECE_BYTES.least, Math.floor(this.#handedOn * LOST_AT_MOST));
  }

  /** Hands on the next few bytes. @param isHindered - whether more waits than one reading takes */
  async #feed(writer: Writer, isHindered: boolean): Promise<void> {
    if (this.#packed.length === 0 && !(await this.#readMore())) return;
    const piece = this.#packed.subarray(
      0,
      isHindered ? PIECE_BYTES.hindered : Math.min(PIECE_BYTES.most, this.#losable),
    );
    this.#packed = this.#packed.subarray(piece.length);
    this.#handedOn += piece.length;
    await writer.write(piece);
  }

  /** Hands on that there is no more. That it is too early for that is told to whoever reads. */
  async #end(writer: Writer): Promise<void> {
    this.#isFed = true;
    await waitForAll(writer.close());
  }
}
