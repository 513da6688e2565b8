// Packs numbers into text for the database. D1 returns text fast and blobs slowly.

/** JSON escapes none of these. The first 32 end a number, the others continue it. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGIT_BITS = 5;
const BASE = 1 << DIGIT_BITS;
/** Encloses a number in decimal digits. */
const LITERAL_MARK = '!';
/** Numbers from here on are stored in decimal digits; below, twice the number plus one is exact. */
const LITERAL_FROM = 2 ** 51;

const digitValues = new Uint8Array(128);
for (let digit = 0; digit < ALPHABET.length; digit += 1) digitValues[ALPHABET.charCodeAt(digit)] = digit;

/** Precomputed small numbers, the most frequent ones. */
const smallNumbers = Array.from({ length: BASE * BASE }, (_, value) => packDigits(value));

function packDigits(value: number): string {
  let text = '';
  let remaining = value;
  while (remaining >= BASE) {
    text += ALPHABET.charAt(BASE + (remaining % BASE));
    remaining = Math.floor(remaining / BASE);
  }
  return text + ALPHABET.charAt(remaining);
}

/**
 * Packs an integer.
 * @param value - from 0 to 2^53 − 1
 */
export function pack(value: number): string {
  return smallNumbers[value] ?? packDigits(value);
}

/**
 * Packs any number: small integers in few characters, others in decimal digits.
 * @param value - finite
 */
export function packNumber(value: number | bigint): string {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < LITERAL_FROM) {
    return pack(value < 0 ? -2 * value - 1 : 2 * value);
  }
  return `${LITERAL_MARK}${value}${typeof value === 'bigint' ? 'n' : ''}${LITERAL_MARK}`;
}

/**
 * Packs a list of documents: its length, then the difference of each to the one before. Concatenated lists are a valid
 * packed list.
 * @param docs - ascending; may contain duplicates
 */
export function packDocs(docs: readonly number[]): string {
  let text = pack(docs.length);
  let last = 0;
  for (const doc of docs) {
    text += pack(doc - last);
    last = doc;
  }
  return text;
}

/** Reads packed numbers sequentially. */
export class Unpacker {
  readonly #text: string;
  #at = 0;

  /** @param text - concatenated packed numbers */
  constructor(text: string) {
    this.#text = text;
  }

  get hasMore(): boolean {
    return this.#at < this.#text.length;
  }

  /** Reads the next number, which must be below 2^30: enough for documents, terms and positions. */
  next(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const digit = digitValues[this.#text.charCodeAt(this.#at)] ?? 0;
      this.#at += 1;
      value |= (digit & (BASE - 1)) << shift;
      if (digit < BASE) return value;
      shift += DIGIT_BITS;
    }
  }

  /** Reads the next number that {@link packNumber} wrote. */
  nextNumber(): number | bigint {
    if (this.#text.charAt(this.#at) === LITERAL_MARK) {
      const end = this.#text.indexOf(LITERAL_MARK, this.#at + 1);
      const written = this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      return written.endsWith('n') ? BigInt(written.slice(0, -1)) : Number(written);
    }
    let value = 0;
    let scale = 1;
    for (;;) {
      const digit = digitValues[this.#text.charCodeAt(this.#at)] ?? 0;
      this.#at += 1;
      value += (digit % BASE) * scale;
      if (digit < BASE) break;
      scale *= BASE;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** Maximum characters of a parameter. */
const MAX_PARAMETER_LENGTH = 500_000;

/**
 * Splits rows into JSON arrays of bounded length.
 * @returns arrays with at least one row each
 */
export function toJsonChunks(rows: readonly unknown[]): string[] {
  const chunks: string[] = [];
  let chunk: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length > MAX_PARAMETER_LENGTH && chunk.length > 0) {
      chunks.push(`[${chunk.join(',')}]`);
      chunk = [];
      length = 0;
    }
    chunk.push(text);
    length += text.length;
  }
  if (chunk.length > 0) chunks.push(`[${chunk.join(',')}]`);
  return chunks;
}
