// Time zones: local times of instants and back. A local time is held in ms as if the zone were UTC.
import { DAY_MS } from './durations.ts';

/** Converts instants, in ms since 1970, to local times and back. */
export interface Zone {
  toLocalTime: (instant: number) => number;
  /**
   * Returns the instant of a local time. A time that clocks skip counts from before the change.
   * @param choice - which of two instants, if clocks go back. Default: the first
   */
  toInstant: (local: number, choice?: 'first' | 'last') => number;
}

/** The range of Date. No zone changed its clocks before 1800. */
const EARLIEST = Date.UTC(1800, 0);
const LATEST = 8.64e15;

export const createFixedZone = (offsetMs: number): Zone => ({
  toLocalTime: (instant) => instant + offsetMs,
  toInstant: (local) => local - offsetMs,
});

/**
 * Creates a zone of a name, such as `Europe/Berlin`. Creation is slow: keep the zone.
 * @throws RangeError if the engine does not know the name
 */
export function createNamedZone(name: string): Zone {
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: name, hourCycle: 'h23', year: numeric, month: numeric, day: numeric },
    ...{ hour: numeric, minute: numeric, second: numeric },
  });
  const getOffset = (instant: number): number => {
    const sample = Math.min(Math.max(instant, EARLIEST), LATEST);
    const parts = new Map(format.formatToParts(sample).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const day = Date.UTC(part('year'), part('month') - 1, part('day'));
    const local = day + (part('hour') * 3600 + part('minute') * 60 + part('second')) * 1000;
    return local - Math.floor(sample / 1000) * 1000;
  };
  return {
    toLocalTime: (instant) => instant + getOffset(instant),
    toInstant: (local, choice = 'first') => {
      const [before, after] = [local - getOffset(local - DAY_MS), local - getOffset(local + DAY_MS)] as const;
      const exact = [before, after].filter((instant) => instant + getOffset(instant) === local);
      return (choice === 'first' ? exact[0] : exact[exact.length - 1]) ?? before;
    },
  };
}
