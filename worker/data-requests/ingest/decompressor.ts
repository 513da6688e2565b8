// Decompresses a result file as a stream with back-pressure, and keeps everything before a truncation.

/** Why a file has no proper end: the connection broke, or the compressed data is corrupt. */
export type Truncation = 'incomplete' | 'damaged';

/** RFC 1952, 2.3.1. */
const GZIP_MAGIC = [0x1f, 0x8b];
/** Buffer sizes. Each read leaves a few kilobytes of garbage, so few large reads need less memory than many small ones. */
const INPUT_BUFFER_BYTES = 512 * 1024;
const OUTPUT_BUFFER_BYTES = 1024 * 1024;
/**
 * The platform's DecompressionStream buffers its whole input, and drops the buffer when it fails; a read with a minimum
 * size does the same. So both get pieces of at most an eighth of the input so far, which bounds the loss. A byte
 * decompresses to at most 1,032 bytes, so the pieces are tiny while more output waits than one read takes.
 */
const PIECE_BYTES = { min: 4 * 1024, max: 128 * 1024, underBackPressure: 64 };
const MAX_LOSS = 1 / 8;

type Writer = WritableStreamDefaultWriter<Uint8Array>;

/** Reader of a body. A chunk is valid until the next read. */
interface Source {
  /** @param minBytes - minimum of bytes to read, unless the body ends before */
  read: (minBytes: number) => Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel: () => Promise<void>;
}

/** Opens a byte stream with a large buffer, and any other stream chunk by chunk. */
function openSource(body: ReadableStream<Uint8Array>): Source {
  try {
    const reader = body.getReader({ mode: 'byob' });
    let buffer = new Uint8Array(INPUT_BUFFER_BYTES);
    return {
      async read(minBytes) {
        const result = await reader.readAtLeast(Math.min(minBytes, buffer.length), buffer);
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

/** Resolves to false after all pending microtasks and events. */
function waitForTurn(): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), 0));
}

async function waitForAll(...promises: Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
}

/** Decompresses a result file. A truncation is not thrown: it is reported in {@link Decompressor.truncation}. */
export class Decompressor {
  /** Set when there are no more chunks. */
  truncation: Truncation | null = null;
  readonly #source: Source;
  /** Input that was read and not passed on. */
  #input: Uint8Array = new Uint8Array(0);
  #isInputRead = false;
  #fedBytes = 0;
  /** Whether the decompression's input is closed. */
  #isClosed = false;

  /** @param body - gzipped, or plain if a proxy has decompressed it */
  constructor(body: ReadableStream<Uint8Array>) {
    this.#source = openSource(body);
  }

  /** Yields the decompressed bytes. A chunk is valid until the next one is requested. */
  async *chunks(): AsyncGenerator<Uint8Array, void> {
    try {
      while (this.#input.length < GZIP_MAGIC.length && (await this.#readMore())) {}
      if (this.#input.length === 0) this.truncation = 'incomplete';
      yield* GZIP_MAGIC.every((byte, at) => this.#input[at] === byte)
        ? this.#decompress()
        : this.#passThrough();
    } finally {
      await waitForAll(this.#source.cancel());
    }
  }

  /** Reads a chunk of the body. @returns false at its end */
  async #readMore(): Promise<boolean> {
    if (this.#isInputRead) return false;
    // Only the very first byte can be left over. It is copied, because the source reuses its buffer.
    const leftover = this.#input.slice();
    this.#input = leftover;
    try {
      const { done, value } = await this.#source.read(this.#maxPieceBytes);
      if (!done) {
        if (leftover.length === 0) this.#input = value;
        else {
          this.#input = new Uint8Array(leftover.length + value.length);
          this.#input.set(leftover);
          this.#input.set(value, leftover.length);
        }
        return true;
      }
    } catch {
      this.truncation = 'incomplete';
    }
    this.#isInputRead = true;
    return false;
  }

  async *#passThrough(): AsyncGenerator<Uint8Array, void> {
    do {
      const chunk = this.#input;
      this.#input = new Uint8Array(0);
      if (chunk.length > 0) yield chunk;
    } while (await this.#readMore());
  }

  async *#decompress(): AsyncGenerator<Uint8Array, void> {
    const decompression = new DecompressionStream('gzip');
    const writer = decompression.writable.getWriter();
    const reader = decompression.readable.getReader({ mode: 'byob' });
    let buffer = new Uint8Array(OUTPUT_BUFFER_BYTES);
    let isUnderBackPressure = false;
    let writing: Promise<void> | undefined;
    try {
      for (;;) {
        const reading = reader.read(buffer);
        const readDone = reading.then(() => true);
        for (let isReadDone = false; !isReadDone; ) {
          if (this.#isClosed) isReadDone = await readDone;
          else if (this.#hasInput) {
            writing ??= this.#feed(writer, isUnderBackPressure);
            isReadDone = await Promise.race([readDone, writing.then(() => false)]);
            if (!isReadDone) writing = undefined;
          } else {
            await writing;
            // Closing the input of a truncated file drops unread output, so all output must be read first.
            isReadDone = await Promise.race([readDone, waitForTurn()]);
            if (!isReadDone) writing = this.#closeInput(writer);
          }
        }
        const { done, value } = await reading;
        if (done) return;
        isUnderBackPressure = value.length === OUTPUT_BUFFER_BYTES;
        yield value;
        buffer = new Uint8Array(value.buffer);
      }
    } catch {
      this.truncation ??= this.#isClosed ? 'incomplete' : 'damaged';
    } finally {
      // A pending write includes a pending read of the body.
      await waitForAll(this.#source.cancel(), writer.abort(), reader.cancel(), writing ?? Promise.resolve());
    }
  }

  /** Whether there may be more input to pass on. */
  get #hasInput(): boolean {
    return !this.#isInputRead || this.#input.length > 0;
  }

  /** Limit of input that a failure may lose. */
  get #maxPieceBytes(): number {
    return Math.max(PIECE_BYTES.min, Math.floor(this.#fedBytes * MAX_LOSS));
  }

  /** Passes on the next piece. @param isUnderBackPressure - more output waits than one read takes */
  async #feed(writer: Writer, isUnderBackPressure: boolean): Promise<void> {
    if (this.#input.length === 0 && !(await this.#readMore())) return;
    const piece = this.#input.subarray(
      0,
      isUnderBackPressure ? PIECE_BYTES.underBackPressure : Math.min(PIECE_BYTES.max, this.#maxPieceBytes),
    );
    this.#input = this.#input.subarray(piece.length);
    this.#fedBytes += piece.length;
    await writer.write(piece);
  }

  /** Closes the input. The reader gets the error if the input is incomplete. */
  async #closeInput(writer: Writer): Promise<void> {
    this.#isClosed = true;
    await waitForAll(writer.close());
  }
}
