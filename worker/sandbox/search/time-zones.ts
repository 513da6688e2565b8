// Where clocks stand: time zones by their distance from UTC, or by the name of a place with the rules it goes by.
import { ValueError } from './value-error.ts';

/** Turns moments into what a clock shows, written as the milliseconds since 1970 that UTC would show so, and back. */
export interface Zone {
  /** What clocks show at an instant, in milliseconds. */
  toLocalTime(instant: number): number;
  /**
   * The instant at which clocks show that. Where they show it twice it is the first time; where they leap over it,
   * the instant is as much later.
   */
  toInstant(clock: number): number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function createFixedZone(minutes: number): Zone {
  return {
    toLocalTime: (instant) => instant + minutes * MINUTE,
    toInstant: (clock) => clock - minutes * MINUTE,
  };
}

/** The zone of dates that name none. */
export const UTC: Zone = createFixedZone(0);

/** Beyond these years zones have no rules of their own; in milliseconds. */
const RULE_RANGE = { from: Date.UTC(1800, 0), to: Date.UTC(3000, 0) };

function offsetBy(format: Intl.DateTimeFormat, instant: number): number {
  const ruled = Math.min(Math.max(instant, RULE_RANGE.from), RULE_RANGE.to);
  const parts = Object.fromEntries(
    format.formatToParts(ruled).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const clock = Date.UTC(year, month - 1, day, hour, minute, second);
  return clock - Math.floor(ruled / 1000) * 1000;
}

function createNamedZone(format: Intl.DateTimeFormat): Zone {
  return {
    toLocalTime: (instant) => instant + offsetBy(format, instant),
    toInstant: (clock) => {
      const [before, after] = [clock - DAY, clock + DAY].map((near) => clock - offsetBy(format, near));
      const shown = [before, after].find(
        (instant) => instant !== undefined && instant + offsetBy(format, instant) === clock,
      );
      return shown ?? before ?? clock;
    },
  };
}

const distance = /^(?:UTC|GMT|UT)?(?:(Z)|([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const MAX_OFFSET_HOURS = 18;
const place = /^[A-Za-z][A-Za-z0-9~/._+-]{1,49}$/;

/** Zones that were asked for: the rules of a place take long to look up. */
const zoneCache = new Map<string, Zone>();
const MAX_CACHED_ZONES = 100;

function findNamedZone(name: string): Zone | undefined {
  if (!place.test(name)) return undefined;
  try {
    const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
    return createNamedZone(new Intl.DateTimeFormat('en-US', { ...fields, ...clock, timeZone: name }));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The zone that a query names: `+01:00`, `-5`, `Z`, `UTC+2`, or a place such as `Europe/Paris`.
 * @throws ValueError for what is no zone, in the engine's words and with what is expected
 */
export function findZone(text: string): Zone {
  const known = zoneCache.get(text);
  if (known !== undefined) return known;
  const [matched, , sign, hours = '0', minutes = '0'] = (text !== '' && distance.exec(text)) || [];
  const far = Number(hours) * 60 + Number(minutes);
  const near = matched !== undefined && far <= MAX_OFFSET_HOURS * 60 && Number(minutes) < 60;
  const zone = near ? createFixedZone(sign === '-' ? -far : far) : findNamedZone(text);
  if (zone === undefined) {
    const shown = text.length > 50 ? `${text.slice(0, 50)}…` : text;
    throw new ValueError(
      `Unknown time-zone ID: ${shown}, expected a distance from UTC such as [+01:00] or a place such as [Europe/Paris]`,
    );
  }
  if (zoneCache.size >= MAX_CACHED_ZONES) zoneCache.clear();
  zoneCache.set(text, zone);
  return zone;
}
