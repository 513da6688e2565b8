// The realm's Date: uses the host's clock and the script's time zone instead of the machine's.
import { formatDate, momentAt, offsetOf } from '../dates.ts';

/** Parts with a getter; all but the day of the week also have a setter. */
const PARTS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];

/** Texts with a zone, and dates without a time, which ECMAScript reads as UTC. All others are local time. */
const ZONED = /(?<![a-z])(?:z|gmt|utc?|[ecmp][sd]t)(?![a-z])|:\d\d(?:\.\d+)?\s*[+-]\d\d/i;
const DAY_ALONE = /^[+-]?\d{4,6}(?:-\d\d){0,2}$/;
const ISO_TIME = /^[+-]?\d{4,6}-\d\d-\d\dT/;

/**
 * Replaces Date and Intl.DateTimeFormat of this realm.
 * @param zone - the script's time zone
 * @param now - returns the time in ms
 * @throws RangeError if the zone is unknown
 */
export function setClock(zone: string, now: () => number): void {
  setDefaultZone(zone);
  const Own = Date;
  const { prototype, UTC, parse: parseNative } = Own;
  /** Returns a date whose UTC parts are the local parts of `date`. */
  const wallOf = (date: Date): Date => {
    const at = date.getTime();
    return new Own(Number.isNaN(at) ? at : at + offsetOf(at, zone));
  };
  const parse = (text: string): number => {
    if (ZONED.test(text) || DAY_ALONE.test(text)) return parseNative(text);
    return momentAt(parseNative(ISO_TIME.test(text) ? `${text}Z` : `${text} UTC`), zone);
  };
  const construct = (args: readonly unknown[]): readonly unknown[] => {
    const [first, second, ...rest] = args;
    if (args.length === 0) return [now()];
    if (args.length > 1) return [momentAt(UTC(Number(first), Number(second), ...rest.map(Number)), zone)];
    return [typeof first === 'string' ? parse(first) : first];
  };
  for (const part of [...PARTS, 'Day']) {
    const get = method(prototype, `getUTC${part}`);
    define(prototype, `get${part}`, (date) => get(wallOf(date), []));
  }
  for (const part of PARTS) {
    const set = method(prototype, `setUTC${part}`);
    define(prototype, `set${part}`, (date, args) => {
      const wall = wallOf(date);
      set(wall, args);
      return date.setTime(momentAt(wall.getTime(), zone));
    });
  }
  define(prototype, 'getYear', (date) => date.getFullYear() - 1900);
  define(prototype, 'setYear', (date, [year]) => {
    const given = Math.trunc(Number(year));
    return date.setFullYear(given >= 0 && given <= 99 ? 1900 + given : Number(year));
  });
  define(prototype, 'getTimezoneOffset', (date) =>
    Math.trunc((date.getTime() - wallOf(date).getTime()) / 60_000),
  );
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    define(prototype, name, (date) => shown(date, zone, pattern));
  }
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    const format = method(prototype, name);
    define(prototype, name, (date, [locales, options]) => format(date, [locales, withZone(options, zone)]));
  }
  const Scripted = new Proxy(Own, {
    apply: () => shown(new Own(now()), zone, PATTERNS.toString),
    construct: (of, args, newTarget) => Reflect.construct(of, construct(args), newTarget),
  });
  replace(Own, 'now', now);
  replace(Own, 'parse', (text: unknown) => parse(String(text)));
  replace(prototype, 'constructor', Scripted);
  replace(globalThis, 'Date', Scripted);
}

/** Patterns of date texts; the zone's name follows its offset. */
const PATTERNS = {
  toString: "EEE MMM dd yyyy HH:mm:ss 'GMT'Z",
  toDateString: 'EEE MMM dd yyyy',
  toTimeString: "HH:mm:ss 'GMT'Z",
};

/** One date in winter and one in summer. */
const TODAY = [Date.UTC(2024, 0), Date.UTC(2024, 6)];

function shown(date: Date, zone: string, pattern: string): string {
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  const text = formatDate(date, zone, pattern);
  if (!pattern.endsWith('Z')) return text;
  const offset = offsetOf(date.getTime(), zone);
  // Engines name an offset by today's rules, Intl by those of the date.
  const today = TODAY.find((at) => offsetOf(at, zone) === offset) ?? TODAY[0];
  const names = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'long' });
  const name = names.formatToParts(today).find(({ type }) => type === 'timeZoneName');
  return `${text} (${name?.value ?? zone})`;
}

/** Makes the script's zone the default of Intl.DateTimeFormat. */
function setDefaultZone(zone: string): void {
  const Own = Intl.DateTimeFormat;
  new Own('en-US', { timeZone: zone });
  const Scripted = new Proxy(Own, {
    apply: (of, _self, [locales, options]) => Reflect.construct(of, [locales, withZone(options, zone)]),
    construct: (of, [locales, options], newTarget) =>
      Reflect.construct(of, [locales, withZone(options, zone)], newTarget),
  });
  replace(Own.prototype, 'constructor', Scripted);
  replace(Intl, 'DateTimeFormat', Scripted);
}

function withZone(options: unknown, zone: string): object {
  const given: { timeZone?: unknown } = Object(options);
  return { ...given, timeZone: given.timeZone ?? zone };
}

/** Returns the native method, before it is replaced. */
function method(of: object, name: string): (self: Date, args: readonly unknown[]) => unknown {
  const found: unknown = Reflect.get(of, name);
  if (typeof found !== 'function') throw new TypeError(`no method ${name}`);
  return (self, args) => Reflect.apply(found, self, args);
}

function define(prototype: Date, name: string, does: (date: Date, args: unknown[]) => unknown): void {
  replace(prototype, name, function scripted(this: Date, ...args: unknown[]): unknown {
    return does(this, args);
  });
}

function replace(of: object, name: string, value: unknown): void {
  Object.defineProperty(of, name, { value, writable: true, configurable: true });
}
