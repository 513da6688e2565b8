// Numbers as text: how lists of documents lie in the database's cells. D1 hands text over quickly and blobs slowly.

/** No character among these is escaped in JSON. The first 32 end a number, the others go on. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGIT_BITS = 5;
const BASE = 1 << DIGIT_BITS;
/** Opens and closes a number that is written out. */
const LITERAL_MARK = '!';
/** From here on a number is written out: doubled and one added, it is still exact below. */
const LITERAL_FROM = 2 ** 51;

const valueOfDigit = new Uint8Array(128);
for (let digit = 0; digit < ALPHABET.length; digit += 1) valueOfDigit[ALPHABET.charCodeAt(digit)] = digit;

/** Most numbers of an index are small. */
const packedSmall = Array.from({ length: BASE * BASE }, (_, value) => packAny(value));

function packAny(value: number): string {
  let text = '';
  let rest = value;
  while (rest >= BASE) {
    text += ALPHABET.charAt(BASE + (rest % BASE));
    rest = Math.floor(rest / BASE);
  }
  return text + ALPHABET.charAt(rest);
}

/**
 * Packs a number.
 * @param value - whole, from 0 to 2^53 − 1
 */
export function pack(value: number): string {
  return packedSmall[value] ?? packAny(value);
}

/**
 * Packs any number: whole ones in few characters, others and very large ones as they are written.
 * @param value - finite
 */
export function packNumber(value: number | bigint): string {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < LITERAL_FROM) {
    return pack(value < 0 ? -2 * value - 1 : 2 * value);
  }
  return `${LITERAL_MARK}${value}${typeof value === 'bigint' ? 'n' : ''}${LITERAL_MARK}`;
}

/**
 * Packs a list of documents: their number, then the steps from each to the next. Lists put one behind the other are
 * the list of both.
 * @param docs - not descending; one may be there several times
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

/** Reads what was packed, from front to back. */
export class Unpacker {
  readonly #text: string;
  #at = 0;

  /** @param text - packed numbers, one behind the other */
  constructor(text: string) {
    this.#text = text;
  }

  /** Whether something is left. */
  get hasMore(): boolean {
    return this.#at < this.#text.length;
  }

  /** The next number; for those below 2^30, which is all that counts documents, terms and places. */
  next(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const digit = valueOfDigit[this.#text.charCodeAt(this.#at)] ?? 0;
      this.#at += 1;
      value |= (digit & (BASE - 1)) << shift;
      if (digit < BASE) return value;
      shift += DIGIT_BITS;
    }
  }

  /** The next number that {@link packNumber} wrote. */
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
      const digit = valueOfDigit[this.#text.charCodeAt(this.#at)] ?? 0;
      this.#at += 1;
      value += (digit % BASE) * scale;
      if (digit < BASE) break;
      scale *= BASE;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
