// Time zones: fixed offsets from UTC and named zones.
import { ValueError } from './value-error.ts';

/** Converts instants to local time, held as if it were UTC in milliseconds since 1970, and back. */
export interface Zone {
  /** Returns the local time of an instant. */
  toLocalTime(instant: number): number;
  /**
   * Returns the instant of a local time: the first of two; if clocks skip it, the instant is later by the skipped time.
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

/** The default zone. */
export const UTC: Zone = createFixedZone(0);

/** Offsets outside these years are those of the nearest year. */
const RULE_RANGE = { from: Date.UTC(1800, 0), to: Date.UTC(3000, 0) };

function getOffset(format: Intl.DateTimeFormat, instant: number): number {
  const clamped = Math.min(Math.max(instant, RULE_RANGE.from), RULE_RANGE.to);
  const parts = Object.fromEntries(
    format.formatToParts(clamped).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const clock = Date.UTC(year, month - 1, day, hour, minute, second);
  return clock - Math.floor(clamped / 1000) * 1000;
}

function createNamedZone(format: Intl.DateTimeFormat): Zone {
  return {
    toLocalTime: (instant) => instant + getOffset(format, instant),
    toInstant: (clock) => {
      const [before, after] = [clock - DAY, clock + DAY].map((near) => clock - getOffset(format, near));
      const match = [before, after].find(
        (instant) => instant !== undefined && instant + getOffset(format, instant) === clock,
      );
      return match ?? before ?? clock;
    },
  };
}

const offsetPattern = /^(?:UTC|GMT|UT)?(?:(Z)|([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const MAX_OFFSET_HOURS = 18;
const zoneNamePattern = /^[A-Za-z][A-Za-z0-9~/._+-]{1,49}$/;

/** Zones are slow to create. */
const zoneCache = new Map<string, Zone>();
const MAX_CACHED_ZONES = 100;

function findNamedZone(name: string): Zone | undefined {
  if (!zoneNamePattern.test(name)) return undefined;
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
 * Finds a time zone: `+01:00`, `-5`, `Z`, `UTC+2`, or a name such as `Europe/Paris`.
 * @throws ValueError for an unknown zone
 */
export function findZone(text: string): Zone {
  const cached = zoneCache.get(text);
  if (cached !== undefined) return cached;
  const [matched, , sign, hours = '0', minutes = '0'] = (text !== '' && offsetPattern.exec(text)) || [];
  const offsetMinutes = Number(hours) * 60 + Number(minutes);
  const isValidOffset =
    matched !== undefined && offsetMinutes <= MAX_OFFSET_HOURS * 60 && Number(minutes) < 60;
  const zone = isValidOffset
    ? createFixedZone(sign === '-' ? -offsetMinutes : offsetMinutes)
    : findNamedZone(text);
  if (zone === undefined) {
    const shortText = text.length > 50 ? `${text.slice(0, 50)}…` : text;
    throw new ValueError(
      `Unknown time-zone ID: ${shortText}, expected a distance from UTC such as [+01:00] or a place such as [Europe/Paris]`,
    );
  }
  if (zoneCache.size >= MAX_CACHED_ZONES) zoneCache.clear();
  zoneCache.set(text, zone);
  return zone;
}
