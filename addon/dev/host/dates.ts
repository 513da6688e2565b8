// Dates as Google formats and parses them: time zones, Utilities.formatDate, and dates typed into a cell.
import { createFixedZone, createNamedZone, type Zone } from '../../../shared/lib/time-zones.ts';
import { Exception } from './calls.ts';

/** A local time in a time zone. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const FIXED = /^(?:GMT|UTC|Z)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const zones = new Map<string, Zone>();

/** Finds a time zone. Throws "Invalid argument: timeZone" for an unknown one. */
function getZone(name: string): Zone {
  const cached = zones.get(name);
  if (cached) return cached;
  const fixed = FIXED.exec(name);
  const minutes = Number(fixed?.[2] ?? 0) * 60 + Number(fixed?.[3] ?? 0);
  try {
    const zone = fixed
      ? createFixedZone((fixed[1] === '-' ? -1 : 1) * minutes * 60_000)
      : createNamedZone(name);
    zones.set(name, zone);
    return zone;
  } catch {
    throw new Exception('Invalid argument: timeZone');
  }
}

/** Returns a zone's offset from GMT in ms. Throws "Invalid argument: timeZone" for an unknown zone. */
export const getZoneOffset = (at: number, zone: string): number => getZone(zone).toLocalTime(at) - at;

/**
 * Returns the timestamp of a local time, which is given in ms as if the zone were GMT.
 * `ambiguous` picks one of two moments if clocks go back. If clocks skip the time, the offset before the change counts.
 */
export const toTimestamp = (local: number, zone: string, ambiguous: 'first' | 'last' = 'first'): number =>
  Number.isNaN(local) ? local : getZone(zone).toInstant(local, ambiguous);

/** Returns the moment of a local time. */
export function toDate(wall: WallTime, zone: string): Date {
  const { year, month, day, hour, minute, second } = wall;
  return new Date(toTimestamp(Date.UTC(year, month - 1, day, hour, minute, second), zone));
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

interface Moment {
  /** The local time as a UTC date. */
  readonly wall: Date;
  readonly offset: number;
}

type Field = (moment: Moment, width: number) => string;

const numericField =
  (read: (wall: Date) => number): Field =>
  ({ wall }, width) =>
    String(read(wall)).padStart(width, '0');

/** The pattern letters in use. Reference "Utilities.formatDate": SimpleDateFormat. */
const FIELDS: Readonly<Record<string, Field>> = {
  y: numericField((wall) => wall.getUTCFullYear()),
  M: ({ wall }, width) =>
    width < 3 ? String(wall.getUTCMonth() + 1).padStart(width, '0') : (MONTHS[wall.getUTCMonth()] ?? ''),
  d: numericField((wall) => wall.getUTCDate()),
  H: numericField((wall) => wall.getUTCHours()),
  m: numericField((wall) => wall.getUTCMinutes()),
  s: numericField((wall) => wall.getUTCSeconds()),
  E: ({ wall }) => DAYS[wall.getUTCDay()] ?? '',
  Z: ({ offset }) => {
    const minutes = Math.floor(Math.abs(offset) / 60_000);
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
      String(part).padStart(2, '0'),
    );
    return `${offset < 0 ? '-' : '+'}${hours}${rest}`;
  },
};
/** Patterns whose other widths mean something else: names of months and days, years of two digits. */
const OTHER_WIDTHS = /^(?:yy|MMMM+|EEEE+)$/;

/** Quotes, quoted texts and runs of one letter. Other characters are literal. */
const PATTERN_PART = /''|'((?:[^']|'')*)'|([A-Za-z])\2*/g;

function unquote(text: string): string {
  return text.replace(/''/g, "'");
}

/**
 * Formats a date as Utilities.formatDate does: `yyyy-MM-dd'T'HH:mm:ss'Z'`.
 * Throws for an unsupported letter, an invalid date or an unknown time zone.
 */
export function formatDate(date: Date, zone: string, pattern: string): string {
  const at = date.getTime();
  if (Number.isNaN(at)) throw new Exception('Invalid argument: date');
  const offset = getZoneOffset(at, zone);
  const moment: Moment = { wall: new Date(at + offset), offset };
  return pattern.replace(PATTERN_PART, (run: string, quoted: string | undefined) => {
    if (run === "''") return "'";
    if (quoted !== undefined) return unquote(quoted);
    const field = FIELDS[run.charAt(0)];
    if (!field || OTHER_WIDTHS.test(run))
      throw new Exception(`not emulated: Utilities.formatDate with ${run}`);
    return field(moment, run.length);
  });
}

/** Letters that can be parsed, in the order of Date.UTC's arguments. Months must be numbers. */
const PARSED_LETTERS = ['y', 'M', 'd', 'H', 'm', 's'];

/**
 * Parses a text as Utilities.parseDate does: `parseDate('2026-02-30', 'GMT', 'yyyy-MM-dd')` is March 2nd.
 * Reference "Utilities.parseDate": the pattern is SimpleDateFormat's. Days and hours roll over, trailing text is ignored,
 * and an ambiguous hour is standard time. Throws for an unsupported letter, a text that does not match the pattern or an
 * unknown time zone.
 */
export function parseDate(text: string, zone: string, pattern: string): Date {
  const fields: string[] = [];
  const regexParts = [...pattern.matchAll(/''|'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']/g)].map(
    ([run, letter], at, all) => {
      if (letter === undefined)
        return escapeRegex(run === "''" ? "'" : unquote(run.replace(/^'(.+)'$/s, '$1')));
      const isUnsupported = (letter === 'M' && run.length > 2) || (letter === 'y' && run.length === 2);
      if (isUnsupported || !PARSED_LETTERS.includes(letter))
        throw new Exception(`not emulated: Utilities.parseDate with ${run}`);
      fields.push(letter);
      return all[at + 1]?.[1] === undefined ? '(\\d+)' : `(\\d{${run.length}})`;
    },
  );
  const match = new RegExp(`^${regexParts.join('')}`).exec(text);
  if (!match) throw new Exception(`Unparseable date: "${text}"`);
  const values = new Map(fields.map((letter, at) => [letter, Number(match[at + 1])]));
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0] = PARSED_LETTERS.map((letter) =>
    values.get(letter),
  );
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second);
  return new Date(toTimestamp(wall.getTime(), zone, 'last'));
}

function escapeRegex(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
