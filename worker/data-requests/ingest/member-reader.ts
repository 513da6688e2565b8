// Extracts a few members of a JSON object from bytes, without creating values for the others.

/** Returned instead of a position if the bytes are not valid JSON. */
const INVALID = -1;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

const toBytes = (text: string): readonly number[] => [...new TextEncoder().encode(text)];

/** Builds a lookup table: 1 for each byte of the set. */
function toByteSet(bytes: Iterable<number>): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of bytes) set[byte] = 1;
  return set;
}

/** ASCII characters that a string contains unescaped. RFC 8259, 7. */
const PLAIN = toByteSet(
  Array.from({ length: 0x60 }, (_, at) => SPACE + at).filter((byte) => byte !== QUOTE && byte !== BACKSLASH),
);
const ESCAPED = toByteSet(toBytes('"\\/bfnrt'));
const HEX = toByteSet(toBytes('0123456789abcdefABCDEF'));
const WHITESPACE = toByteSet(toBytes(' \t\n\r'));
const EXPONENT = toByteSet(toBytes('eE'));
const SIGN = toByteSet(toBytes('+-'));
const LITERALS = ['true', 'false', 'null'].map(toBytes);

/** UTF-8 by lead byte: the number of continuation bytes, and the range of the first of them. RFC 3629, 4. */
const CHARACTERS: readonly { from: number; to: number; count: number; min: number; max: number }[] = [
  { from: 0xc2, to: 0xdf, count: 1, min: 0x80, max: 0xbf },
  { from: 0xe0, to: 0xe0, count: 2, min: 0xa0, max: 0xbf },
  { from: 0xe1, to: 0xec, count: 2, min: 0x80, max: 0xbf },
  { from: 0xed, to: 0xed, count: 2, min: 0x80, max: 0x9f },
  { from: 0xee, to: 0xef, count: 2, min: 0x80, max: 0xbf },
  { from: 0xf0, to: 0xf0, count: 3, min: 0x90, max: 0xbf },
  { from: 0xf1, to: 0xf3, count: 3, min: 0x80, max: 0xbf },
  { from: 0xf4, to: 0xf4, count: 3, min: 0x80, max: 0x8f },
];
const CONTINUATION_COUNT = new Uint8Array(256);
const MIN_SECOND_BYTE = new Uint8Array(256);
const MAX_SECOND_BYTE = new Uint8Array(256);
for (const { from, to, count, min, max } of CHARACTERS) {
  CONTINUATION_COUNT.fill(count, from, to + 1);
  MIN_SECOND_BYTE.fill(min, from, to + 1);
  MAX_SECOND_BYTE.fill(max, from, to + 1);
}

/** Returns 0, which is not valid in JSON, beyond the end. */
const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

const contains = (set: Uint8Array, byte: number): boolean => set[byte] === 1;

// Each skip function takes the position where an element begins, and returns the position after it, or INVALID.

function skipWhitespace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (contains(WHITESPACE, byteAt(bytes, at))) at += 1;
  return at;
}

/** @param from - first byte of a character that is not ASCII */
function skipCharacter(bytes: Uint8Array, from: number): number {
  const first = byteAt(bytes, from);
  const count = CONTINUATION_COUNT[first] ?? 0;
  const second = byteAt(bytes, from + 1);
  if (count === 0 || second < (MIN_SECOND_BYTE[first] ?? 0) || second > (MAX_SECOND_BYTE[first] ?? 0))
    return INVALID;
  const end = from + 1 + count;
  for (let at = from + 2; at < end; at += 1) if ((byteAt(bytes, at) & 0xc0) !== 0x80) return INVALID;
  return end;
}

/** @param from - position of the backslash */
function skipEscape(bytes: Uint8Array, from: number): number {
  const kind = byteAt(bytes, from + 1);
  if (contains(ESCAPED, kind)) return from + 2;
  if (kind !== LOWER_U) return INVALID;
  const end = from + 6;
  for (let at = from + 2; at < end; at += 1) if (!contains(HEX, byteAt(bytes, at))) return INVALID;
  return end;
}

/** @param from - after the opening quote */
function skipString(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = from;
  while (at < length) {
    while (
      at + 3 < length &&
      contains(PLAIN, byteAt(bytes, at)) &&
      contains(PLAIN, byteAt(bytes, at + 1)) &&
      contains(PLAIN, byteAt(bytes, at + 2)) &&
      contains(PLAIN, byteAt(bytes, at + 3))
    ) {
      at += 4;
    }
    const byte = byteAt(bytes, at);
    if (contains(PLAIN, byte)) at += 1;
    else if (byte === QUOTE) return at + 1;
    else {
      at = byte === BACKSLASH ? skipEscape(bytes, at) : skipCharacter(bytes, at);
      if (at === INVALID) return INVALID;
    }
  }
  return INVALID;
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = byteAt(bytes, at); byte >= ZERO && byte <= NINE; byte = byteAt(bytes, at)) at += 1;
  return at === from ? INVALID : at;
}

function skipNumber(bytes: Uint8Array, from: number): number {
  const first = byteAt(bytes, from) === MINUS ? from + 1 : from;
  let at = byteAt(bytes, first) === ZERO ? first + 1 : skipDigits(bytes, first);
  if (at !== INVALID && byteAt(bytes, at) === DOT) at = skipDigits(bytes, at + 1);
  if (at === INVALID || !contains(EXPONENT, byteAt(bytes, at))) return at;
  return skipDigits(bytes, contains(SIGN, byteAt(bytes, at + 1)) ? at + 2 : at + 1);
}

function skipLiteral(bytes: Uint8Array, from: number): number {
  const literal = LITERALS.find((letters) => letters.every((letter, at) => bytes[from + at] === letter));
  return literal === undefined ? INVALID : from + literal.length;
}

/** @param levels - maximum nesting depth, including this value */
function skipValue(bytes: Uint8Array, from: number, levels: number): number {
  const first = byteAt(bytes, from);
  if (first === QUOTE) return skipString(bytes, from + 1);
  if (first === OPEN_OBJECT) return skipMembers(bytes, from + 1, levels - 1, undefined);
  if (first === OPEN_ARRAY) return skipItems(bytes, from + 1, levels - 1);
  return first === MINUS || (first >= ZERO && first <= NINE)
    ? skipNumber(bytes, from)
    : skipLiteral(bytes, from);
}

/** @param from - after the opening bracket */
function skipItems(bytes: Uint8Array, from: number, levels: number): number {
  if (levels < 0) return INVALID;
  let at = skipWhitespace(bytes, from);
  if (byteAt(bytes, at) === CLOSE_ARRAY) return at + 1;
  for (;;) {
    at = skipValue(bytes, at, levels);
    if (at === INVALID) return INVALID;
    at = skipWhitespace(bytes, at);
    const byte = byteAt(bytes, at);
    if (byte === CLOSE_ARRAY) return at + 1;
    if (byte !== COMMA) return INVALID;
    at = skipWhitespace(bytes, at + 1);
  }
}

type MemberCallback = (start: number, nameEnd: number, end: number) => void;

/** @param from - after the opening brace */
function skipMembers(
  bytes: Uint8Array,
  from: number,
  levels: number,
  onMember: MemberCallback | undefined,
): number {
  if (levels < 0) return INVALID;
  let at = skipWhitespace(bytes, from);
  if (byteAt(bytes, at) === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const start = at;
    if (byteAt(bytes, start) !== QUOTE) return INVALID;
    const nameEnd = skipString(bytes, start + 1);
    if (nameEnd === INVALID) return INVALID;
    at = skipWhitespace(bytes, nameEnd);
    if (byteAt(bytes, at) !== COLON) return INVALID;
    at = skipValue(bytes, skipWhitespace(bytes, at + 1), levels);
    if (at === INVALID) return INVALID;
    onMember?.(start, nameEnd, at);
    at = skipWhitespace(bytes, at);
    const byte = byteAt(bytes, at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return INVALID;
    at = skipWhitespace(bytes, at + 1);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function matchesAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) if (bytes[at + index] !== text[index]) return false;
  return true;
}

function hasBackslash(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/** Reads some members of JSON objects. */
export class MemberReader {
  readonly #names: readonly Uint8Array[];
  readonly #levels: number;

  /**
   * @param names - names of the members; ASCII without characters that JSON escapes
   * @param levels - maximum nesting depth
   */
  constructor(names: readonly string[], levels: number) {
    this.#names = names.map((name) => Uint8Array.from(toBytes(`"${name}"`)));
    this.#levels = levels;
  }

  /**
   * Reads the members of one object, and validates that the whole line is JSON (RFC 8259) in UTF-8.
   * @returns JSON of an object with these members, in their order and with repetitions; undefined if the line is no such
   * object, or if it has an escaped name, so that the caller must parse all of it
   */
  read(line: Uint8Array): string | undefined {
    const members: string[] = [];
    let isEscaped = false;
    const start = skipWhitespace(line, 0);
    if (byteAt(line, start) !== OPEN_OBJECT) return undefined;
    const end = skipMembers(line, start + 1, this.#levels - 1, (from, nameEnd, to) => {
      isEscaped ||= hasBackslash(line, from, nameEnd);
      if (this.#isWanted(line, from, nameEnd)) members.push(decoder.decode(line.subarray(from, to)));
    });
    if (end === INVALID || (end < line.length && skipWhitespace(line, end) !== line.length) || isEscaped)
      return undefined;
    return `{${members.join(',')}}`;
  }

  #isWanted(line: Uint8Array, from: number, end: number): boolean {
    return this.#names.some((name) => name.length === end - from && matchesAt(line, from, name));
  }
}
