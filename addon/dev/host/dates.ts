// Dates as Google formats and parses them: time zones, Utilities.formatDate, and dates typed into a cell.
import { Exception } from './calls.ts';

/** A local time in a time zone. */
export interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const DAY_MS = 86_400_000;
/** The range of Date. No zone changed its clocks before 1800. */
const EARLIEST = Date.UTC(1800, 0, 1);
const LATEST = 8.64e15;

const FIXED = /^(?:GMT|UTC|Z)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns a zone's offset from GMT in ms. Throws "Invalid argument: timeZone" for an unknown zone. */
export function offsetOf(at: number, zone: string): number {
  const fixed = FIXED.exec(zone);
  if (fixed) {
    const minutes = Number(fixed[2] ?? 0) * 60 + Number(fixed[3] ?? 0);
    return (fixed[1] === '-' ? -1 : 1) * minutes * 60_000;
  }
  const sample = Math.min(Math.max(at, EARLIEST), LATEST);
  const parts = new Map(
    formatter(zone)
      .formatToParts(sample)
      .map((part) => [part.type, Number(part.value)]),
  );
  const field = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wall = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  );
  return wall - Math.floor(sample / 1000) * 1000;
}

function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  try {
    const numeric = 'numeric' as const;
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    formatters.set(zone, made);
    return made;
  } catch {
    throw new Exception('Invalid argument: timeZone');
  }
}

/**
 * Returns the timestamp of a local time, which is given in ms as if the zone were GMT.
 * `ambiguous` picks one of two moments if clocks go back. If clocks skip the time, the offset before the change counts.
 */
export function momentAt(wall: number, zone: string, twice: 'first' | 'last' = 'first'): number {
  if (Number.isNaN(wall)) return wall;
  const before = offsetOf(wall - DAY_MS, zone);
  const after = offsetOf(wall + DAY_MS, zone);
  const found = [wall - before, wall - after].filter((at) => at + offsetOf(at, zone) === wall);
  return found[twice === 'first' ? 0 : found.length - 1] ?? wall - before;
}

/** Returns the moment of a local time. */
export function momentOf(wall: Wall, zone: string): Date {
  const { year, month, day, hour, minute, second } = wall;
  return new Date(momentAt(Date.UTC(year, month - 1, day, hour, minute, second), zone));
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

interface Moment {
  /** The local time as a UTC date. */
  readonly wall: Date;
  readonly offset: number;
  readonly zone: string;
}

type Field = (moment: Moment, width: number) => string;

const number =
  (of: (wall: Date) => number): Field =>
  ({ wall }, width) =>
    String(of(wall)).padStart(width, '0');

/** Supported pattern letters. Reference "Utilities.formatDate": SimpleDateFormat. */
const FIELDS: Readonly<Record<string, Field>> = {
  y: ({ wall }, width) => {
    const year = String(wall.getUTCFullYear());
    return width === 2 ? year.slice(-2) : year.padStart(width, '0');
  },
  M: ({ wall }, width) => {
    const name = MONTHS[wall.getUTCMonth()] ?? '';
    if (width < 3) return String(wall.getUTCMonth() + 1).padStart(width, '0');
    return width === 3 ? name.slice(0, 3) : name;
  },
  d: number((wall) => wall.getUTCDate()),
  H: number((wall) => wall.getUTCHours()),
  h: number((wall) => wall.getUTCHours() % 12 || 12),
  m: number((wall) => wall.getUTCMinutes()),
  s: number((wall) => wall.getUTCSeconds()),
  S: number((wall) => wall.getUTCMilliseconds()),
  u: number((wall) => wall.getUTCDay() || 7),
  a: ({ wall }) => (wall.getUTCHours() < 12 ? 'AM' : 'PM'),
  E: ({ wall }, width) => {
    const name = DAYS[wall.getUTCDay()] ?? '';
    return width < 4 ? name.slice(0, 3) : name;
  },
  Z: ({ offset }) => signed(offset, ''),
  X: ({ offset }, width) => {
    if (offset === 0) return 'Z';
    return width === 1 ? signed(offset, '').slice(0, 3) : signed(offset, width === 3 ? ':' : '');
  },
  z: ({ offset }) => (offset === 0 ? 'GMT' : `GMT${signed(offset, ':')}`),
};

function signed(offset: number, between: string): string {
  const minutes = Math.floor(Math.abs(offset) / 60_000);
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hours}${between}${String(minutes % 60).padStart(2, '0')}`;
}

/** Quotes, quoted texts and runs of one letter. Other characters are literal. */
const RUN = /''|'((?:[^']|'')*)'|([A-Za-z])\2*/g;

function unquoted(text: string): string {
  return text.replace(/''/g, "'");
}

/**
 * Formats a date as Utilities.formatDate does: `yyyy-MM-dd'T'HH:mm:ss'Z'`.
 * Throws for an unsupported letter, an invalid date or an unknown time zone.
 */
export function formatDate(date: Date, zone: string, pattern: string): string {
  const at = date.getTime();
  if (Number.isNaN(at)) throw new Exception('Invalid argument: date');
  const offset = offsetOf(at, zone);
  const moment: Moment = { wall: new Date(at + offset), offset, zone };
  return pattern.replace(RUN, (run: string, quoted: string | undefined) => {
    if (run === "''") return "'";
    if (quoted !== undefined) return unquoted(quoted);
    const field = FIELDS[run.charAt(0)];
    if (!field) throw new Exception(`not emulated: Utilities.formatDate with ${run}`);
    return field(moment, run.length);
  });
}

/** Letters that can be parsed, in the order of Date.UTC's arguments. Months must be numbers. */
const READ = ['y', 'M', 'd', 'H', 'm', 's', 'S'];

/**
 * Parses a text as Utilities.parseDate does: `parseDate('2026-02-30', 'GMT', 'yyyy-MM-dd')` is March 2nd.
 * Reference "Utilities.parseDate": the pattern is SimpleDateFormat's. Days and hours roll over, trailing text is ignored,
 * and an ambiguous hour is standard time. Throws for an unsupported letter, a text that does not match the pattern or an
 * unknown time zone.
 */
export function parseDate(text: string, zone: string, pattern: string): Date {
  const fields: string[] = [];
  const form = [...pattern.matchAll(/''|'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']/g)].map(
    ([run, letter], at, all) => {
      if (letter === undefined) return escaped(run === "''" ? "'" : unquoted(run.replace(/^'(.+)'$/s, '$1')));
      const named = (letter === 'M' && run.length > 2) || (letter === 'y' && run.length === 2);
      if (named || !READ.includes(letter))
        throw new Exception(`not emulated: Utilities.parseDate with ${run}`);
      fields.push(letter);
      return all[at + 1]?.[1] === undefined ? '(\\d+)' : `(\\d{${run.length}})`;
    },
  );
  const found = new RegExp(`^${form.join('')}`).exec(text);
  if (!found) throw new Exception(`Unparseable date: "${text}"`);
  const read = new Map(fields.map((letter, at) => [letter, Number(found[at + 1])]));
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0] = READ.map((letter) =>
    read.get(letter),
  );
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second, ms);
  return new Date(momentAt(wall.getTime(), zone, 'last'));
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
