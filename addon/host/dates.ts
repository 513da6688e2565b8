// Dates as Google shows and reads them: time zones, Utilities.formatDate, and dates typed into a cell.
import { Exception } from './calls.ts';

/** A moment on the clocks of a time zone. */
export interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const FIXED = /^(?:GMT|UTC|Z)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** How far a zone is ahead of GMT at a moment, in ms. Throws "Invalid argument: timeZone" for a zone that is none. */
export function offsetOf(at: number, zone: string): number {
  const fixed = FIXED.exec(zone);
  if (fixed) {
    const minutes = Number(fixed[2] ?? 0) * 60 + Number(fixed[3] ?? 0);
    return (fixed[1] === '-' ? -1 : 1) * minutes * 60_000;
  }
  const parts = new Map(
    formatter(zone)
      .formatToParts(at)
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
  return wall - Math.floor(at / 1000) * 1000;
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

/** The moment at which the clocks of a zone show `wall`. */
export function momentOf(wall: Wall, zone: string): Date {
  const naive = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
  const first = naive - offsetOf(naive, zone);
  return new Date(naive - offsetOf(first, zone));
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
  /** The wall clock of the zone, as a date in GMT. */
  readonly wall: Date;
  readonly offset: number;
  readonly zone: string;
}

type Field = (moment: Moment, width: number) => string;

const number =
  (of: (wall: Date) => number): Field =>
  ({ wall }, width) =>
    String(of(wall)).padStart(width, '0');

/** The letters of a pattern that are emulated. Reference "Utilities.formatDate": they are SimpleDateFormat's. */
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
  const minutes = Math.abs(offset) / 60_000;
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hours}${between}${String(minutes % 60).padStart(2, '0')}`;
}

/**
 * Formats a moment as Utilities.formatDate does: `yyyy-MM-dd'T'HH:mm:ss'Z'`.
 * Throws for a letter that is not emulated, for an invalid date and for an unknown time zone.
 */
export function formatDate(date: Date, zone: string, pattern: string): string {
  const at = date.getTime();
  if (Number.isNaN(at)) throw new Exception('Invalid argument: date');
  const offset = offsetOf(at, zone);
  const moment: Moment = { wall: new Date(at + offset), offset, zone };
  return pattern.replace(/''|'((?:[^']|'')*)'|([A-Za-z])\2*/g, (run: string, quoted: string | undefined) => {
    if (run === "''") return "'";
    if (quoted !== undefined) return quoted.replaceAll("''", "'");
    const field = FIELDS[run.charAt(0)];
    if (!field) throw new Exception(`not emulated: Utilities.formatDate with ${run}`);
    return field(moment, run.length);
  });
}
