// A page in memory: consecutive lines in one buffer, and the index entry of each.
import type { DataRecord } from '../../../shared/api/common.ts';
import { stringifyExactly } from '../../lib/exact-json.ts';
import type { LineRecord } from './parse-line.ts';

/** A page is one object in R2. A longer line has a separate page. */
export const PAGE_BYTES = 4 * 1024 * 1024;
/** The index of a page is one bound value; D1 takes 2 MB. */
export const PAGE_ROWS = 2_000;
const PAGE_INDEX_CHARACTERS = 500_000;

const encoder = new TextEncoder();
const LINE_FEED = 0x0a;
const SPACE = 0x20;

export interface Entry extends LineRecord {
  /** Byte offset in the page. */
  start: number;
  length: number;
}

/** Maximum size of pages. */
export interface PageBounds {
  bytes: number;
  rows: number;
}

/** A reusable buffer of lines. */
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

  /** Entries by id, in insertion order. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** All lines; valid until the page is cleared. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Returns whether another line fits. An empty page takes any line. */
  hasSpaceFor(line: Uint8Array, { id, keys }: LineRecord): boolean {
    if (this.isEmpty) return true;
    return (
      this.#length + line.length + 1 <= this.#bounds.bytes &&
      this.#entries.size < this.#bounds.rows &&
      this.#indexCharacters + countIndexCharacters(id, keys) <= PAGE_INDEX_CHARACTERS
    );
  }

  /** Copies a line, whose id must not be in the page yet. */
  add(line: Uint8Array, record: LineRecord): void {
    const end = this.#length + line.length + 1;
    if (end > this.#buffer.length) this.#buffer = new Uint8Array(end);
    this.#buffer.set(line, this.#length);
    this.#buffer[end - 1] = LINE_FEED;
    this.#entries.set(record.id, { ...record, start: this.#length, length: line.length });
    this.#indexCharacters += countIndexCharacters(record.id, record.keys);
    this.#length = end;
  }

  /** Blanks a line; the others keep their offsets. */
  drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    blankLine(this.#buffer, entry);
    this.#entries.delete(id);
  }

  /** Returns a line; valid until the page is cleared. */
  getLine({ start, length }: Pick<Entry, 'start' | 'length'>): Uint8Array {
    return this.#buffer.subarray(start, start + length);
  }

  /** Replaces a line as {@link replaceLine} does. */
  replace(entry: Entry, record: DataRecord): boolean {
    return replaceLine(this.#buffer, entry, record);
  }

  /** Empties the page for reuse. */
  clear(): void {
    if (this.#buffer.length > this.#bounds.bytes) this.#buffer = new Uint8Array(this.#bounds.bytes);
    this.#length = 0;
    this.#indexCharacters = 0;
    this.#entries.clear();
  }
}

/** Estimates the index size of an entry. */
function countIndexCharacters(id: string, keys: readonly string[]): number {
  return keys.reduce((sum, key) => sum + key.length + 6, id.length + 30);
}

/** Overwrites a line with spaces, so the other lines keep their offsets. */
export function blankLine(page: Uint8Array, { start, length }: Pick<Entry, 'start' | 'length'>): void {
  page.fill(SPACE, start, start + length);
}

/**
 * Replaces a line by a shorter record, padded with spaces so the other lines keep their offsets.
 * @param record - JSON with bigints
 * @returns false if the record is longer than the line, which then stays
 */
export function replaceLine(
  page: Uint8Array,
  { start, length }: Pick<Entry, 'start' | 'length'>,
  record: DataRecord,
): boolean {
  const bytes = encoder.encode(stringifyExactly(record));
  if (bytes.length > length) return false;
  blankLine(page, { start, length });
  page.set(bytes, start);
  return true;
}

export function getPagesPrefix(requestId: string): string {
  return `requests/${requestId}/pages/`;
}

export function getPageKey(requestId: string, file: number, page: number): string {
  return `${getPagesPrefix(requestId)}${file}-${page}`;
}
