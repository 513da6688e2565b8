// Cuts bytes into lines, wherever the chunks that they come in end.

/** A line of a record has about 90 KB; of one that is longer than this nothing is kept. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const FIRST_BYTES = 128 * 1024;

/** The bytes of a line without its end, good until the next one is taken; undefined for one that is too long. */
export type Line = Uint8Array | undefined;

/** Keeps the beginning of a line until its end is there. */
export class LineSplitter {
  readonly #maxBytes: number;
  #kept = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #isTooLong = false;
  #isFirst = true;

  /** @param maxBytes - tests make it small */
  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** @returns the lines that end in this chunk */
  *split(chunk: Uint8Array): Generator<Line, void> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, from);
      if (end < 0) break;
      yield this.#finish(chunk.subarray(from, end));
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** @returns what stands behind the last line's end: `line` is absent where nothing does */
  rest(): { line: Line } | undefined {
    if (this.#length === 0 && !this.#isTooLong) return undefined;
    return { line: this.#finish(new Uint8Array(0)) };
  }

  #finish(end: Uint8Array): Line {
    let line = end;
    if (this.#length > 0 || this.#isTooLong) {
      this.#keep(end);
      line = this.#kept.subarray(0, this.#length);
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

  #keep(part: Uint8Array): void {
    if (this.#isTooLong || part.length === 0) return;
    const length = this.#length + part.length;
    if (length > this.#maxBytes) {
      this.#isTooLong = true;
      this.#length = 0;
      return;
    }
    if (length > this.#kept.length) {
      const wider = new Uint8Array(Math.min(this.#maxBytes, Math.max(length, 2 * this.#kept.length)));
      wider.set(this.#kept.subarray(0, this.#length));
      this.#kept = wider;
    }
    this.#kept.set(part, this.#length);
    this.#length = length;
  }
}
