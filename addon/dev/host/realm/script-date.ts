// The realm's Date: uses the host's clock and the script's time zone instead of the machine's.
import { formatDate, getZoneOffset, toTimestamp } from '../dates.ts';

/** Parts with a getter; all but the day of the week also have a setter. */
const PARTS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];

/** Texts with a zone, and dates without a time, which ECMAScript reads as UTC. All others are local time. */
const HAS_ZONE = /(?<![a-z])(?:z|gmt|utc?|[ecmp][sd]t)(?![a-z])|:\d\d(?:\.\d+)?\s*[+-]\d\d/i;
const DATE_ONLY = /^[+-]?\d{4,6}(?:-\d\d){0,2}$/;
const ISO_TIME = /^[+-]?\d{4,6}-\d\d-\d\dT/;

/**
 * Replaces Date and Intl.DateTimeFormat of this realm.
 * @param zone - the script's time zone
 * @param now - returns the time in ms
 * @throws RangeError if the zone is unknown
 */
export function setClock(zone: string, now: () => number): void {
  setDefaultZone(zone);
  const NativeDate = Date;
  const { prototype, UTC, parse: parseNative } = NativeDate;
  /** Returns a date whose UTC parts are the local parts of `date`. */
  const toWallTime = (date: Date): Date => {
    const at = date.getTime();
    return new NativeDate(Number.isNaN(at) ? at : at + getZoneOffset(at, zone));
  };
  const parse = (text: string): number => {
    if (HAS_ZONE.test(text) || DATE_ONLY.test(text)) return parseNative(text);
    return toTimestamp(parseNative(ISO_TIME.test(text) ? `${text}Z` : `${text} UTC`), zone);
  };
  const construct = (args: readonly unknown[]): readonly unknown[] => {
    const [first, second, ...others] = args;
    if (args.length === 0) return [now()];
    if (args.length > 1)
      return [toTimestamp(UTC(Number(first), Number(second), ...others.map(Number)), zone)];
    return [typeof first === 'string' ? parse(first) : first];
  };
  for (const part of [...PARTS, 'Day']) {
    const get = getMethod(prototype, `getUTC${part}`);
    defineMethod(prototype, `get${part}`, (date) => get(toWallTime(date), []));
  }
  for (const part of PARTS) {
    const set = getMethod(prototype, `setUTC${part}`);
    defineMethod(prototype, `set${part}`, (date, args) => {
      const wall = toWallTime(date);
      set(wall, args);
      return date.setTime(toTimestamp(wall.getTime(), zone));
    });
  }
  defineMethod(prototype, 'getYear', (date) => date.getFullYear() - 1900);
  defineMethod(prototype, 'setYear', (date, [year]) => {
    const number = Math.trunc(Number(year));
    return date.setFullYear(number >= 0 && number <= 99 ? 1900 + number : Number(year));
  });
  defineMethod(prototype, 'getTimezoneOffset', (date) =>
    Math.trunc((date.getTime() - toWallTime(date).getTime()) / 60_000),
  );
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    defineMethod(prototype, name, (date) => formatWithZone(date, zone, pattern));
  }
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    const format = getMethod(prototype, name);
    defineMethod(prototype, name, (date, [locales, options]) =>
      format(date, [locales, withZone(options, zone)]),
    );
  }
  const ScriptDate = new Proxy(NativeDate, {
    apply: () => formatWithZone(new NativeDate(now()), zone, PATTERNS.toString),
    construct: (target, args, newTarget) => Reflect.construct(target, construct(args), newTarget),
  });
  redefine(NativeDate, 'now', now);
  redefine(NativeDate, 'parse', (text: unknown) => parse(String(text)));
  redefine(prototype, 'constructor', ScriptDate);
  redefine(globalThis, 'Date', ScriptDate);
}

/** Patterns of date texts; the zone's name follows its offset. */
const PATTERNS = {
  toString: "EEE MMM dd yyyy HH:mm:ss 'GMT'Z",
  toDateString: 'EEE MMM dd yyyy',
  toTimeString: "HH:mm:ss 'GMT'Z",
};

/** One date in winter and one in summer. */
const SAMPLE_DATES = [Date.UTC(2024, 0), Date.UTC(2024, 6)];

function formatWithZone(date: Date, zone: string, pattern: string): string {
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  const text = formatDate(date, zone, pattern);
  if (!pattern.endsWith('Z')) return text;
  const offset = getZoneOffset(date.getTime(), zone);
  // Engines name an offset by today's rules, Intl by those of the date.
  const sample = SAMPLE_DATES.find((at) => getZoneOffset(at, zone) === offset) ?? SAMPLE_DATES[0];
  const names = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'long' });
  const name = names.formatToParts(sample).find(({ type }) => type === 'timeZoneName');
  return `${text} (${name?.value ?? zone})`;
}

/** Makes the script's zone the default of Intl.DateTimeFormat. */
function setDefaultZone(zone: string): void {
  const NativeFormat = Intl.DateTimeFormat;
  new NativeFormat('en-US', { timeZone: zone });
  const ScriptFormat = new Proxy(NativeFormat, {
    apply: (target, _self, [locales, options]) =>
      Reflect.construct(target, [locales, withZone(options, zone)]),
    construct: (of, [locales, options], newTarget) =>
      Reflect.construct(of, [locales, withZone(options, zone)], newTarget),
  });
  redefine(NativeFormat.prototype, 'constructor', ScriptFormat);
  redefine(Intl, 'DateTimeFormat', ScriptFormat);
}

function withZone(options: unknown, zone: string): object {
  const given: { timeZone?: unknown } = Object(options);
  return { ...given, timeZone: given.timeZone ?? zone };
}

/** Returns the native method, before it is replaced. */
function getMethod(target: object, name: string): (self: Date, args: readonly unknown[]) => unknown {
  const fn: unknown = Reflect.get(target, name);
  if (typeof fn !== 'function') throw new TypeError(`no method ${name}`);
  return (self, args) => Reflect.apply(fn, self, args);
}

function defineMethod(prototype: Date, name: string, run: (date: Date, args: unknown[]) => unknown): void {
  redefine(prototype, name, function scripted(this: Date, ...args: unknown[]): unknown {
    return run(this, args);
  });
}

function redefine(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}
