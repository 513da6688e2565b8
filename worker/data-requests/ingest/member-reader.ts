// Finds single members of a record in the bytes of its line, and makes no values of all the others.

/** A place that is not there: what was read is no JSON, or none of the usual kind. */
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

/** @returns for each byte whether it is one of these */
function toByteSet(bytes: Iterable<number>): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of bytes) set[byte] = 1;
  return set;
}

/** RFC 8259, 7: what stands in a string for itself, as far as it is ASCII. */
const PLAIN = toByteSet(
  Array.from({ length: 0x60 }, (_, at) => SPACE + at).filter((byte) => byte !== QUOTE && byte !== BACKSLASH),
);
const ESCAPED = toByteSet(toBytes('"\\/bfnrt'));
const HEX = toByteSet(toBytes('0123456789abcdefABCDEF'));
const WHITESPACE = toByteSet(toBytes(' \t\n\r'));
const EXPONENT = toByteSet(toBytes('eE'));
const SIGN = toByteSet(toBytes('+-'));
const LITERALS = ['true', 'false', 'null'].map(toBytes);

/** RFC 3629, 4: the bytes with which a character begins, how many follow, and which the first of them may be. */
const CHARACTERS: readonly { from: number; to: number; more: number; least: number; most: number }[] = [
  { from: 0xc2, to: 0xdf, more: 1, least: 0x80, most: 0xbf },
  { from: 0xe0, to: 0xe0, more: 2, least: 0xa0, most: 0xbf },
  { from: 0xe1, to: 0xec, more: 2, least: 0x80, most: 0xbf },
  { from: 0xed, to: 0xed, more: 2, least: 0x80, most: 0x9f },
  { from: 0xee, to: 0xef, more: 2, least: 0x80, most: 0xbf },
  { from: 0xf0, to: 0xf0, more: 3, least: 0x90, most: 0xbf },
  { from: 0xf1, to: 0xf3, more: 3, least: 0x80, most: 0xbf },
  { from: 0xf4, to: 0xf4, more: 3, least: 0x80, most: 0x8f },
];
const MORE = new Uint8Array(256);
const LEAST = new Uint8Array(256);
const MOST = new Uint8Array(256);
for (const { from, to, more, least, most } of CHARACTERS) {
  MORE.fill(more, from, to + 1);
  LEAST.fill(least, from, to + 1);
  MOST.fill(most, from, to + 1);
}

/** Beyond the end stands a byte that no JSON has. */
const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

const has = (set: Uint8Array, byte: number): boolean => set[byte] === 1;

// Each of these is told where something begins, and returns where it ends, or NOWHERE.

function skipWhitespace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (has(WHITESPACE, byteAt(bytes, at))) at += 1;
  return at;
}

/** @param from - where a character begins that is not ASCII */
function skipCharacter(bytes: Uint8Array, from: number): number {
  const first = byteAt(bytes, from);
  const more = MORE[first] ?? 0;
  const second = byteAt(bytes, from + 1);
  if (more === 0 || second < (LEAST[first] ?? 0) || second > (MOST[first] ?? 0)) return INVALID;
  const end = from + 1 + more;
  for (let at = from + 2; at < end; at += 1) if ((byteAt(bytes, at) & 0xc0) !== 0x80) return INVALID;
  return end;
}

/** @param from - where a backslash stands */
function skipEscape(bytes: Uint8Array, from: number): number {
  const kind = byteAt(bytes, from + 1);
  if (has(ESCAPED, kind)) return from + 2;
  if (kind !== LOWER_U) return INVALID;
  const end = from + 6;
  for (let at = from + 2; at < end; at += 1) if (!has(HEX, byteAt(bytes, at))) return INVALID;
  return end;
}

/** @param from - behind the opening quote */
function skipString(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = from;
  while (at < length) {
    while (
      at + 3 < length &&
      has(PLAIN, byteAt(bytes, at)) &&
      has(PLAIN, byteAt(bytes, at + 1)) &&
      has(PLAIN, byteAt(bytes, at + 2)) &&
      has(PLAIN, byteAt(bytes, at + 3))
    ) {
      at += 4;
    }
    const byte = byteAt(bytes, at);
    if (has(PLAIN, byte)) at += 1;
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
  if (at === INVALID || !has(EXPONENT, byteAt(bytes, at))) return at;
  return skipDigits(bytes, has(SIGN, byteAt(bytes, at + 1)) ? at + 2 : at + 1);
}

function skipLiteral(bytes: Uint8Array, from: number): number {
  const word = LITERALS.find((letters) => letters.every((letter, at) => bytes[from + at] === letter));
  return word === undefined ? INVALID : from + word.length;
}

/** @param levels - so many may be within each other, this one included */
function skipValue(bytes: Uint8Array, from: number, levels: number): number {
  const first = byteAt(bytes, from);
  if (first === QUOTE) return skipString(bytes, from + 1);
  if (first === OPEN_OBJECT) return skipMembers(bytes, from + 1, levels - 1, undefined);
  if (first === OPEN_ARRAY) return skipItems(bytes, from + 1, levels - 1);
  return first === MINUS || (first >= ZERO && first <= NINE)
    ? skipNumber(bytes, from)
    : skipLiteral(bytes, from);
}

/** @param from - behind the opening bracket */
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

/** Told of each member where it begins, where its name ends, and where it ends itself. */
type MemberCallback = (start: number, nameEnd: number, end: number) => void;

/** @param from - behind the opening brace */
function skipMembers(
  bytes: Uint8Array,
  from: number,
  levels: number,
  each: MemberCallback | undefined,
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
    each?.(start, nameEnd, at);
    at = skipWhitespace(bytes, at);
    const byte = byteAt(bytes, at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return INVALID;
    at = skipWhitespace(bytes, at + 1);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether these bytes stand there. */
function matchesAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) if (bytes[at + index] !== text[index]) return false;
  return true;
}

function hasBackslash(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/** Reads some members of records. */
export class MemberReader {
  readonly #names: readonly Uint8Array[];
  readonly #levels: number;

  /**
   * @param names - of the members; ASCII without anything that JSON escapes
   * @param levels - so many objects and arrays may be within each other
   */
  constructor(names: readonly string[], levels: number) {
    this.#names = names.map((name) => Uint8Array.from(toBytes(`"${name}"`)));
    this.#levels = levels;
  }

  /**
   * Reads the members of one object, and makes sure that all of it is JSON (RFC 8259) in UTF-8.
   * @returns the JSON of an object of these members, as often and in the order in which they stand in the line. Undefined
   * where the line is no such object, and where a name in it is escaped: what it is then is known by reading all of it.
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
