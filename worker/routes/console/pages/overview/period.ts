// The period of the overview, from the address.
import { DAY_MS } from '../../../../../shared/lib/durations.ts';
import type { ConsoleContext } from '../../context.ts';

/** Lengths that people can choose, in days. */
export const lengths = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;

/** Days in UTC, `YYYY-MM-DD`. */
export interface Period {
  days: number;
  from: string;
  to: string;
}

const formatDay = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Reads the period that ends today. An unknown length is 30 days. */
export function readPeriod({ now, query }: Pick<ConsoleContext, 'now' | 'query'>): Period {
  const days = lengths.find((length) => String(length) === query.days) ?? DEFAULT_DAYS;
  return { days, from: formatDay(now - (days - 1) * DAY_MS), to: formatDay(now) };
}

/** Lists the days of a period, the first one first. */
export function listDays({ days, to }: Period): string[] {
  return Array.from({ length: days }, (_, at) => formatDay(Date.parse(to) - (days - 1 - at) * DAY_MS));
}

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a day for the axis of a chart: `3 Nov`. */
export const formatShortDay = (day: string): string => shortDay.format(new Date(day));
