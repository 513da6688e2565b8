// A page in the making: lines behind each other in one buffer, each with its place in the index.
import type { LineRecord } from './parse-line.ts';

/** A page is one object in R2, written and read at once; a line that is longer has a page of its own. */
export const PAGE_BYTES = 4 * 1024 * 1024;
/** A page's part of the index is one value in D1, of which 2 MB are taken. */
export const PAGE_ROWS = 2_000;
const PAGE_INDEX_CHARACTERS = 500_000;

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** A line of a page. */
export interface Entry extends LineRecord {
  /** Where its bytes stand in the page. */
  start: number;
  length: number;
}

/** How large pages become. */
export interface PageBounds {
  bytes: number;
  rows: number;
}

/** A buffer of lines; it is used for one page after the other. */
export class Page {
  readonly #bounds: PageBounds;
  #buffer: Uint8Array;
  #length = 0;
  #indexCharacters = 0;
  readonly #entries = new Map<string, Entry>();

  constructor(bounds: PageBounds) {
    this.#bounds = bounds;
    this.#buffer = new Uint8Array(bounds.bytes);
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** By id, in their order. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** All lines; good until the page is used again. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Whether another line finds room. One does always where there is none yet. */
  hasSpaceFor(line: Uint8Array, { id, keys }: LineRecord): boolean {
    if (this.isEmpty) return true;
    return (
      this.#length + line.length + 1 <= this.#bounds.bytes &&
      this.#entries.size < this.#bounds.rows &&
      this.#indexCharacters + countIndexCharacters(id, keys) <= PAGE_INDEX_CHARACTERS
    );
  }

  /** Copies a line. Its id stands in the page not yet. */
  add(line: Uint8Array, record: LineRecord): void {
    const end = this.#length + line.length + 1;
    if (end > this.#buffer.length) this.#buffer = new Uint8Array(end);
    this.#buffer.set(line, this.#length);
    this.#buffer[end - 1] = LINE_FEED;
    this.#entries.set(record.id, { ...record, start: this.#length, length: line.length });
    this.#indexCharacters += countIndexCharacters(record.id, record.keys);
    this.#length = end;
  }

  /** Takes a line out; those behind it stay where they are. */
  drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    blankLine(this.#buffer, entry);
    this.#entries.delete(id);
  }

  /** Makes it ready for other lines. */
  clear(): void {
    if (this.#buffer.length > this.#bounds.bytes) this.#buffer = new Uint8Array(this.#bounds.bytes);
    this.#length = 0;
    this.#indexCharacters = 0;
    this.#entries.clear();
  }
}

/** About what an entry takes in the index; most of it are keys. */
function countIndexCharacters(id: string, keys: readonly string[]): number {
  return keys.reduce((sum, key) => sum + key.length + 6, id.length + 30);
}

/** Writes spaces over a line, so that nothing is left of it and all others stay where they are. */
export function blankLine(page: Uint8Array, { start, length }: Pick<Entry, 'start' | 'length'>): void {
  page.fill(SPACE, start, start + length);
}

/** All pages of a request stand below this. */
export function getPagesPrefix(requestId: string): string {
  return `requests/${requestId}/pages/`;
}

/** The key of a page in the bucket. */
export function getPageKey(requestId: string, file: number, page: number): string {
  return `${getPagesPrefix(requestId)}${file}-${page}`;
}
