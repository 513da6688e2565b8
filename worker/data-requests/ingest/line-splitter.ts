// Splits a stream of byte chunks into lines.

/** A record has about 90 KB. Longer lines are dropped. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const INITIAL_BUFFER_BYTES = 128 * 1024;

/** The bytes of a line without its line break, valid until the next line; undefined if it is too long. */
export type Line = Uint8Array | undefined;

/** Splits chunks into lines. Buffers the beginning of a line until its end arrives. */
export class LineSplitter {
  readonly #maxBytes: number;
  #buffer = new Uint8Array(INITIAL_BUFFER_BYTES);
  #length = 0;
  #isTooLong = false;
  #isFirst = true;

  /** @param maxBytes - tests make it small */
  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  *split(chunk: Uint8Array): Generator<Line, void> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, from);
      if (end < 0) break;
      yield this.#finish(chunk.subarray(from, end));
      from = end + 1;
    }
    this.#append(chunk.subarray(from));
  }

  flush(): { line: Line } | undefined {
    if (this.#length === 0 && !this.#isTooLong) return undefined;
    return { line: this.#finish(new Uint8Array(0)) };
  }

  #finish(end: Uint8Array): Line {
    let line = end;
    if (this.#length > 0 || this.#isTooLong) {
      this.#append(end);
      line = this.#buffer.subarray(0, this.#length);
    }
    const isTooLong = this.#isTooLong || line.length > this.#maxBytes;
    this.#length = 0;
    this.#isTooLong = false;
    const hasMark = this.#isFirst && BYTE_ORDER_MARK.every((byte, at) => line[at] === byte);
    this.#isFirst = false;
    if (isTooLong) return undefined;
    const bare = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    return hasMark ? bare.subarray(BYTE_ORDER_MARK.length) : bare;
  }

  #append(part: Uint8Array): void {
    if (this.#isTooLong || part.length === 0) return;
    const length = this.#length + part.length;
    if (length > this.#maxBytes) {
      this.#isTooLong = true;
      this.#length = 0;
      return;
    }
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(length, 2 * this.#buffer.length)));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(part, this.#length);
    this.#length = length;
  }
}
