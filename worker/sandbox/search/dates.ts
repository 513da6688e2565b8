// Parses dates strictly, in the formats that mappings and queries name, to milliseconds since 1970 UTC.
import { MINUTE_MS } from '../../../shared/lib/durations.ts';
import { createFixedZone, createNamedZone, type Zone } from '../../../shared/lib/time-zones.ts';
import { memoize } from '../../lib/bounded-cache.ts';

export const UTC: Zone = createFixedZone(0);

const offsetPattern = /^(?:UTC|GMT|UT)?(?:(Z)|([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const MAX_OFFSET_HOURS = 18;
const zoneNamePattern = /^[A-Za-z][A-Za-z0-9~/._+-]{1,49}$/;

const MAX_CACHED_ZONES = 100;

function findNamedZone(name: string): Zone | undefined {
  if (!zoneNamePattern.test(name)) return undefined;
  try {
    return createNamedZone(name);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Finds a time zone: `+01:00`, `-5`, `Z`, `UTC+2`, or a name such as `Europe/Paris`. Zones are slow to create.
 * @throws ValueError for an unknown zone
 */
export const findZone = memoize(MAX_CACHED_ZONES, (text: string): Zone => {
  const [matched, , sign, hours = '0', minutes = '0'] = (text !== '' && offsetPattern.exec(text)) || [];
  const offsetMinutes = Number(hours) * 60 + Number(minutes);
  const isValidOffset =
    matched !== undefined && offsetMinutes <= MAX_OFFSET_HOURS * 60 && Number(minutes) < 60;
  const zone = isValidOffset
    ? createFixedZone((sign === '-' ? -offsetMinutes : offsetMinutes) * MINUTE_MS)
    : findNamedZone(text);
  if (zone === undefined) {
    const shortText = text.length > 50 ? `${text.slice(0, 50)}…` : text;
    throw new ValueError(
      `Unknown time-zone ID: ${shortText}, expected a distance from UTC such as [+01:00] or a place such as [Europe/Paris]`,
    );
  }
  return zone;
});

/** A value that the field's type doesn't accept, with the engine's message. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}

/** The default of a mapping without a format. */
const DEFAULT_FORMAT = 'strict_date_optional_time||epoch_millis';

/** No format needs a longer text. */
const MAX_TEXT_LENGTH = 64;

/** Maximum distance from 1970, in milliseconds. */
export const MAX_TIMESTAMP_MS = 8.64e15;

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond' | 'offset';

/** The parts of a date. The offset is in minutes east of UTC. */
type Parts = Partial<Record<Part, number>>;

type Reader = (text: string) => Parts | { instant: number } | undefined;

export interface DateFormat {
  /** The original text, for messages. */
  pattern: string;
  readers: readonly Reader[];
}

/** How to complete a partial date. */
export interface DateReading {
  /** Completes the time of day with its last millisecond instead of its first. */
  roundUp?: boolean;
  /** The zone of a text without one; UTC by default. */
  zone?: Zone | undefined;
}

interface Letter {
  part: Part;
  /** The pattern of the digits, by the number of letters in the run. */
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

/** Patterns of the named formats, in the syntax of `letters`. */
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

const OFFSET_DIGITS = /\d{2}/g;

function parsePart(part: Part, text: string): number {
  if (part === 'millisecond') return Number(text.slice(0, 3).padEnd(3, '0'));
  if (part !== 'offset') return Number(text);
  const [hours = 0, minutes = 0] = (text.match(OFFSET_DIGITS) ?? []).map(Number);
  return (hours * 60 + minutes) * (text.startsWith('-') ? -1 : 1);
}

/** Creates a reader from an expression whose groups are the parts, in order. */
function createRegExpReader(expression: RegExp, parts: readonly Part[]): Reader {
  return (text) => {
    const match = expression.exec(text);
    if (match === null) return undefined;
    const read: Parts = {};
    parts.forEach((part, at) => {
      const digits = match[at + 1];
      if (digits !== undefined) read[part] = parsePart(part, digits);
    });
    return read;
  };
}

/** Creates a reader of a count since 1970. @param unit - milliseconds of one count */
function createEpochReader(unit: number): Reader {
  return (text) => {
    if (!/^-?\d{1,19}(?:\.\d{1,9})?$/.test(text)) return undefined;
    const instant = Math.floor(Number(text) * unit);
    return Math.abs(instant) <= MAX_TIMESTAMP_MS ? { instant } : undefined;
  };
}

const optionalTime = createRegExpReader(
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(?:(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/,
  ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'offset'],
);

const namedReaders = new Map<string, Reader>(
  Object.entries({
    strict_date_optional_time: optionalTime,
    strict_date_optional_time_nanos: optionalTime,
    date_optional_time: optionalTime,
    epoch_millis: createEpochReader(1),
    epoch_second: createEpochReader(1000),
  }),
);

const patternTokens = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/g;
const MAX_PATTERN_LENGTH = 100;
/** Limits backtracking: each optional part doubles the possible matches. */
const MAX_OPTIONAL_PARTS = 8;

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * Creates a reader from a pattern of letters such as `yyyy-MM-dd HH:mm:ss`; quoted text is literal, bracketed text is
 * optional. Each part may occur once, which bounds backtracking.
 * @throws ValueError for an invalid pattern
 */
function createPatternReader(pattern: string): Reader {
  const createError = (reason: string): ValueError =>
    new ValueError(`Invalid format: [${pattern}]: ${reason}`);
  if (pattern.length > MAX_PATTERN_LENGTH) throw new ValueError('Invalid format: the pattern is too long');
  if (pattern.split("'").length % 2 === 0)
    throw createError('Pattern ends with an incomplete string literal');
  const parts: Part[] = [];
  let optional = 0;
  let openBrackets = 0;
  let source = '';
  for (const [token, quoted, letter] of pattern.matchAll(patternTokens)) {
    if (quoted !== undefined) {
      source += escapeRegExp(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    } else if (letter !== undefined) {
      const part = letters.get(letter);
      const digits = part?.digits[token.length];
      if (part === undefined || digits === undefined) throw createError(`Unknown pattern letter: ${token}`);
      if (parts.includes(part.part)) throw createError(`The ${part.part} stands twice`);
      parts.push(part.part);
      source += `(${digits})`;
    } else if (token === '[') {
      optional += 1;
      openBrackets += 1;
      source += '(?:';
    } else if (token === ']') {
      if (openBrackets === 0) throw createError('Pattern invalid as it contains ] without previous [');
      openBrackets -= 1;
      source += ')?';
    } else {
      source += escapeRegExp(token);
    }
  }
  if (openBrackets > 0) throw createError('Pattern invalid as it contains [ without ]');
  if (optional > MAX_OPTIONAL_PARTS) throw createError('Too many optional parts');
  return createRegExpReader(new RegExp(`^${source}$`), parts);
}

const MAX_CACHED_FORMATS = 100;

/** Documents contain thousands of dates. */
const compileFormat = memoize(MAX_CACHED_FORMATS, (pattern: string): DateFormat => {
  const readers = pattern.split('||').map((alternative) => {
    if (alternative === '') throw new ValueError('No date pattern provided');
    return (
      namedReaders.get(alternative) ?? createPatternReader(namedPatterns.get(alternative) ?? alternative)
    );
  });
  return { pattern, readers };
});

/**
 * Compiles a date format, or returns it from the cache.
 * @param pattern - names or patterns of letters, separated by `||`; the engine's default if absent
 * @throws ValueError for an invalid pattern
 */
export function getDateFormat(pattern = DEFAULT_FORMAT): DateFormat {
  return compileFormat(pattern);
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
 * Parses a date.
 * @returns milliseconds since 1970 UTC
 * @throws ValueError if no alternative of the format matches or the day doesn't exist
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
