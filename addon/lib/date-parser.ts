// Parses dates of records in the spreadsheet's time zone.
import { getSpreadsheet } from './permissions.ts';

/** Parses a date; undefined if the text is none. */
export type DateParser = (text: string) => Date | undefined;

const DATE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;
const DAY_MS = 86_400_000;
/** Sheets supports dates in this range; other dates stay text. */
const FIRST_DAY = '1900-01-01';
const LAST_DAY = '9999-12-31';

/** Returns the moment of a local time, which is given in ms as if the zone were UTC. */
type LocalClock = (wall: number) => number;

/** Each conversion is a call of a service. */
function createUtilitiesClock(zone: string): LocalClock {
  return (wall) =>
    Utilities.parseDate(new Date(wall).toISOString().slice(0, 19), zone, "yyyy-MM-dd'T'HH:mm:ss").getTime();
}

/** @throws RangeError if the engine does not know the zone */
function createIntlClock(zone: string): LocalClock {
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: numeric, month: numeric, day: numeric },
    ...{ hour: numeric, minute: numeric, second: numeric },
  });
  const offsetAt = (at: number): number => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const day = Date.UTC(part('year'), part('month') - 1, part('day'));
    return day + (part('hour') * 3600 + part('minute') * 60 + part('second')) * 1000 - at;
  };
  return (wall) => {
    const before = wall - offsetAt(wall - DAY_MS);
    const after = wall - offsetAt(wall + DAY_MS);
    // As parseDate: of an hour that happens twice the later one, and a skipped hour counts from before the change.
    return after + offsetAt(after) === wall ? after : before;
  };
}

/** Uses Intl, which needs no calls, if it agrees with Utilities about the first time. */
function createClock(zone: string, sample: number): LocalClock {
  const exact = createUtilitiesClock(zone);
  try {
    const fast = createIntlClock(zone);
    return fast(sample) === exact(sample) ? fast : exact;
  } catch {
    return exact;
  }
}

/** Creates a parser of dates in the spreadsheet's time zone. It reckons once per distinct day. */
export function createDateParser(): DateParser {
  const midnights = new Map<number, number>();
  let clock: LocalClock | undefined;
  const momentOf: LocalClock = (wall) => {
    clock ??= createClock(getSpreadsheet().getSpreadsheetTimeZone(), wall);
    return clock(wall);
  };
  const midnightOf = (day: number): number => {
    const known = midnights.get(day);
    if (known !== undefined) return known;
    const midnight = momentOf(day);
    midnights.set(day, midnight);
    return midnight;
  };
  return (text) => {
    const [, date = '', time = '00:00:00'] = DATE.exec(text) ?? [];
    const wall = new Date(`${date}T${time}Z`);
    // Days and times that don't exist would roll over to another date, so they stay text.
    const exists = !Number.isNaN(wall.getTime()) && wall.toISOString().startsWith(`${date}T${time}`);
    if (!exists || date < FIRST_DAY) return undefined;
    const day = Date.parse(`${date}T00:00:00Z`);
    const alone = time === '00:00:00' || date === LAST_DAY;
    const steady = alone || midnightOf(day + DAY_MS) - midnightOf(day) === DAY_MS;
    const moment = steady ? midnightOf(day) + wall.getTime() - day : momentOf(wall.getTime());
    return new Date(moment);
  };
}
