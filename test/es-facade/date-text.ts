// Dates as text, in the formats that a sort key may name.
import { illegalArgument } from './es-error.ts';

const iso = (instant: number): string => new Date(instant).toISOString();

/** Formats that have a name, but those that are another name of a pattern. */
const named: Readonly<Record<string, (instant: number) => string>> = {
  strict_date_optional_time: iso,
  strict_date_optional_time_nanos: iso,
  date_optional_time: iso,
  strict_date_time: iso,
  date_time: iso,
  epoch_millis: String,
  epoch_second: (instant) => String(Math.floor(instant / 1000)),
};

const patterns: Readonly<Record<string, string>> = {
  strict_date: 'yyyy-MM-dd',
  date: 'yyyy-MM-dd',
  basic_date: 'yyyyMMdd',
  strict_year: 'yyyy',
  year: 'yyyy',
};

/** Where the digits of a letter stand in `2024-01-02T03:04:05.678Z`, and how long a run of it may be. */
const places: Readonly<Record<string, readonly [from: number, to: number]>> = {
  y: [0, 4],
  u: [0, 4],
  M: [5, 7],
  d: [8, 10],
  H: [11, 13],
  m: [14, 16],
  s: [17, 19],
  S: [20, 23],
};

const TOKENS = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/g;

/**
 * Writes a date.
 * @param format - a name or a pattern of letters; of several, separated by `||`, the first
 * @param instant - milliseconds since 1970 UTC
 * @throws EsError for a pattern that is not understood
 */
export function writeDate(format: string, instant: number): string {
  const [first = ''] = format.split('||');
  if (Object.hasOwn(named, first)) return named[first]?.(instant) ?? '';
  const pattern = Object.hasOwn(patterns, first) ? (patterns[first] ?? first) : first;
  const digits = iso(instant);
  return pattern.replaceAll(TOKENS, (token, quoted: string | undefined, letter: string | undefined) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    if (letter === undefined) return token;
    if (letter === 'X' || letter === 'Z') return letter === 'X' ? 'Z' : '+0000';
    const [from, to] = (Object.hasOwn(places, letter) ? places[letter] : undefined) ?? [];
    if (from === undefined)
      throw illegalArgument(`Invalid format: [${format}]: Unknown pattern letter: ${letter}`);
    return letter === 'S'
      ? digits.slice(from, to).padEnd(token.length, '0').slice(0, token.length)
      : digits.slice(from, to);
  });
}
