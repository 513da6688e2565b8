// Dates as text: the formats that mappings and queries name, read strictly, into milliseconds since 1970 UTC.

import { UTC, type Zone } from './time-zones.ts';
import { ValueError } from './value-error.ts';

/** What a mapping without a format takes. */
const DEFAULT_FORMAT = 'strict_date_optional_time||epoch_millis';

/** No format has a longer text; it bounds the work of reading. */
const MAX_TEXT_LENGTH = 64;

/** How far from 1970 a date may lie, in milliseconds. */
export const MAX_TIMESTAMP_MS = 8.64e15;

/** The parts of a date that a text gave; what it did not give is absent. */
interface Parts {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  millisecond?: number;
  /** Minutes east of UTC. */
  offset?: number;
}

type Reader = (text: string) => Parts | { instant: number } | undefined;

/** A format, ready to read with. */
export interface DateFormat {
  /** As it was given: messages name it. */
  pattern: string;
  readers: readonly Reader[];
}

/** How a date that leaves parts open is filled, and where its clock stands. */
export interface DateReading {
  /** Fills an open time of day with its last millisecond in place of its first. */
  roundUp?: boolean;
  /** For a text that names none; UTC unless it is told otherwise. */
  zone?: Zone;
}

interface Letter {
  part: keyof Parts;
  /** By the number of letters in the run: the pattern of its digits. */
  digits: Readonly<Record<number, string>>;
}

const oneOrTwo = { 1: '\\d{1,2}', 2: '\\d{2}' };
const letters = new Map<string, Letter>(
  Object.entries({
    y: { part: 'year', digits: { 1: '\\d{1,4}', 4: '\\d{4}' } },
    u: { part: 'year', digits: { 1: '\\d{1,4}', 4: '\\d{4}' } },
    M: { part: 'month', digits: oneOrTwo },
    d: { part: 'day', digits: oneOrTwo },
    H: { part: 'hour', digits: oneOrTwo },
    m: { part: 'minute', digits: oneOrTwo },
    s: { part: 'second', digits: oneOrTwo },
    S: { part: 'millisecond', digits: Object.fromEntries([1, 2, 3, 6, 9].map((n) => [n, `\\d{${n}}`])) },
    X: {
      part: 'offset',
      digits: { 1: 'Z|[+-]\\d{2}(?:\\d{2})?', 2: 'Z|[+-]\\d{4}', 3: 'Z|[+-]\\d{2}:\\d{2}' },
    },
    Z: { part: 'offset', digits: { 1: '[+-]\\d{4}', 3: '[+-]\\d{4}', 5: 'Z|[+-]\\d{2}:\\d{2}' } },
  }),
);

/** Formats that have a name; the patterns that they stand for are in the language of `letters`. */
const namedPatterns = new Map(
  Object.entries({
    strict_date_time: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
    date_time: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
    strict_date_time_no_millis: "yyyy-MM-dd'T'HH:mm:ssXXX",
    date_time_no_millis: "yyyy-MM-dd'T'HH:mm:ssXXX",
    strict_date_hour_minute_second: "yyyy-MM-dd'T'HH:mm:ss",
    date_hour_minute_second: "yyyy-MM-dd'T'HH:mm:ss",
    strict_date: 'yyyy-MM-dd',
    date: 'yyyy-MM-dd',
    strict_year_month_day: 'yyyy-MM-dd',
    year_month_day: 'yyyy-MM-dd',
    strict_year_month: 'yyyy-MM',
    year_month: 'yyyy-MM',
    strict_year: 'yyyy',
    year: 'yyyy',
    basic_date: 'yyyyMMdd',
  }),
);

const DIGITS_OF_OFFSET = /\d{2}/g;

function parsePart(part: keyof Parts, text: string): number {
  if (part === 'millisecond') return Number(text.slice(0, 3).padEnd(3, '0'));
  if (part !== 'offset') return Number(text);
  const [hours = 0, minutes = 0] = (text.match(DIGITS_OF_OFFSET) ?? []).map(Number);
  return (hours * 60 + minutes) * (text.startsWith('-') ? -1 : 1);
}

/** Reads by an expression whose groups are the parts, in order. */
function expressionReader(expression: RegExp, parts: readonly (keyof Parts)[]): Reader {
  return (text) => {
    const found = expression.exec(text);
    if (found === null) return undefined;
    const read: Parts = {};
    parts.forEach((part, at) => {
      const digits = found[at + 1];
      if (digits !== undefined) read[part] = parsePart(part, digits);
    });
    return read;
  };
}

/** A count of time since 1970, by the milliseconds that one of it lasts. */
function epochReader(unit: number): Reader {
  return (text) => {
    if (!/^-?\d{1,19}(?:\.\d{1,9})?$/.test(text)) return undefined;
    const instant = Math.floor(Number(text) * unit);
    return Math.abs(instant) <= MAX_TIMESTAMP_MS ? { instant } : undefined;
  };
}

const optionalTime = expressionReader(
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(?:(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/,
  ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'offset'],
);

const namedReaders = new Map<string, Reader>(
  Object.entries({
    strict_date_optional_time: optionalTime,
    strict_date_optional_time_nanos: optionalTime,
    date_optional_time: optionalTime,
    epoch_millis: epochReader(1),
    epoch_second: epochReader(1000),
  }),
);

const patternTokens = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/g;
const MAX_PATTERN_LENGTH = 100;
/** Each optional part doubles the ways in which a text may be read. */
const MAX_OPTIONAL_PARTS = 8;

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * Reads by a pattern of letters, as `yyyy-MM-dd HH:mm:ss`; a text in quotes stands for itself, one in brackets may be
 * absent. A pattern names each part once, so that reading stays quick.
 * @throws ValueError for a pattern that is not understood
 */
function patternReader(pattern: string): Reader {
  const refuse = (reason: string): ValueError => new ValueError(`Invalid format: [${pattern}]: ${reason}`);
  if (pattern.length > MAX_PATTERN_LENGTH) throw new ValueError('Invalid format: the pattern is too long');
  if (pattern.split("'").length % 2 === 0) throw refuse('Pattern ends with an incomplete string literal');
  const parts: (keyof Parts)[] = [];
  let optional = 0;
  let open = 0;
  let source = '';
  for (const [token, quoted, letter] of pattern.matchAll(patternTokens)) {
    if (quoted !== undefined) {
      source += escaped(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    } else if (letter !== undefined) {
      const part = letters.get(letter);
      const digits = part?.digits[token.length];
      if (part === undefined || digits === undefined) throw refuse(`Unknown pattern letter: ${token}`);
      if (parts.includes(part.part)) throw refuse(`The ${part.part} stands twice`);
      parts.push(part.part);
      source += `(${digits})`;
    } else if (token === '[') {
      optional += 1;
      open += 1;
      source += '(?:';
    } else if (token === ']') {
      if (open === 0) throw refuse('Pattern invalid as it contains ] without previous [');
      open -= 1;
      source += ')?';
    } else {
      source += escaped(token);
    }
  }
  if (open > 0) throw refuse('Pattern invalid as it contains [ without ]');
  if (optional > MAX_OPTIONAL_PARTS) throw refuse('Too many optional parts');
  return expressionReader(new RegExp(`^${source}$`), parts);
}

/** Formats that were asked for: a document's dates are read by the thousand. */
const formatCache = new Map<string, DateFormat>();
const MAX_CACHED_FORMATS = 100;

/**
 * Makes a format ready.
 * @param pattern - a name or a pattern of letters; several are separated by `||`; absent: the engine's default
 * @throws ValueError for a pattern that is not understood
 */
export function dateFormat(pattern = DEFAULT_FORMAT): DateFormat {
  const found = formatCache.get(pattern);
  if (found !== undefined) return found;
  const readers = pattern.split('||').map((one) => {
    if (one === '') throw new ValueError('No date pattern provided');
    return namedReaders.get(one) ?? patternReader(namedPatterns.get(one) ?? one);
  });
  const format = { pattern, readers };
  if (formatCache.size >= MAX_CACHED_FORMATS) formatCache.clear();
  formatCache.set(pattern, format);
  return format;
}

function toInstant(parts: Parts, { roundUp = false, zone = UTC }: DateReading): number | undefined {
  const { year = 1970, month = 1, day = 1 } = parts;
  const hour = parts.hour ?? (roundUp ? 23 : 0);
  const minute = parts.minute ?? (roundUp ? 59 : 0);
  const second = parts.second ?? (roundUp ? 59 : 0);
  const millisecond = parts.millisecond ?? (roundUp ? 999 : 0);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) return undefined;
  const clock = date.setUTCHours(hour, minute, second, millisecond);
  return parts.offset === undefined ? zone.toInstant(clock) : clock - parts.offset * 60_000;
}

/**
 * Reads a date.
 * @returns milliseconds since 1970 UTC
 * @throws ValueError for a text that no part of the format takes, or a day that no calendar has
 */
export function parseDate(format: DateFormat, text: string, reading: DateReading = {}): number {
  if (text === '') throw new ValueError('cannot parse empty date');
  if (text.length <= MAX_TEXT_LENGTH) {
    for (const reader of format.readers) {
      const parts = reader(text);
      if (parts === undefined) continue;
      const instant = 'instant' in parts ? parts.instant : toInstant(parts, reading);
      if (instant !== undefined) return instant;
    }
  }
  throw new ValueError(`failed to parse date field [${text}] with format [${format.pattern}]`);
}
