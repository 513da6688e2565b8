// Dates as text, in the formats that a sort key may name.
import { illegalArgument } from './es-error.ts';

const ISO = "uuuu-MM-dd'T'HH:mm:ss.SSSX";

/** Formats that have a name, as patterns. */
const patterns: Readonly<Record<string, string>> = {
  strict_date_optional_time: ISO,
  strict_date_optional_time_nanos: ISO,
  date_optional_time: ISO,
  strict_date_time: ISO,
  date_time: ISO,
  strict_date: 'uuuu-MM-dd',
  date: 'uuuu-MM-dd',
  basic_date: 'uuuuMMdd',
  strict_year: 'uuuu',
  year: 'uuuu',
};

/** Where the digits of a letter stand in `2024-01-02T03:04:05.678Z`. */
const places: Readonly<Record<string, readonly [from: number, to: number]>> = {
  y: [0, 4],
  u: [0, 4],
  M: [5, 7],
  d: [8, 10],
  H: [11, 13],
  m: [14, 16],
  s: [17, 19],
  S: [20, 23],
  X: [23, 24],
};

/**
 * Writes a date.
 * @param format - a name or a pattern of letters; of several, separated by `||`, the first
 * @param instant - milliseconds since 1970 UTC
 * @throws EsError for a pattern that is not understood
 */
export function writeDate(format: string, instant: number): string {
  const [first = ''] = format.split('||');
  if (first === 'epoch_millis') return String(instant);
  if (first === 'epoch_second') return String(Math.floor(instant / 1000));
  const digits = new Date(instant).toISOString();
  const pattern = Object.hasOwn(patterns, first) ? (patterns[first] ?? first) : first;
  return pattern.replaceAll(/'([^']*)'|([A-Za-z])\2*/g, (token, quoted?: string, letter = '') => {
    if (quoted !== undefined) return quoted || "'";
    const place = Object.hasOwn(places, letter) ? places[letter] : undefined;
    if (place === undefined)
      throw illegalArgument(`Invalid format: [${format}]: Unknown pattern letter: ${letter}`);
    const text = digits.slice(...place);
    return letter === 'S' ? text.padEnd(token.length, '0').slice(0, token.length) : text;
  });
}
