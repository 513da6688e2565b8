// What caps leave of themselves, from the rows of the books.
import { toDay, toMonth } from './periods.ts';
import type { Caps } from './types.ts';

/** The team's row. */
export type TeamRow = {
  id: string;
  day_cap: number | null;
  month_cap: number | null;
  spending: number;
  top_up: number;
};

/** How the team is set. */
export interface TeamSettings {
  id: string;
  caps: Caps;
  spending: boolean;
  topUp: number;
}

/** What an account has spent in a period. */
export type TotalRow = {
  account: string;
  period: string;
  spent: number;
  held: number;
  topped: number;
  saved: number;
};

type PeriodTotal = Omit<TotalRow, 'account' | 'period'>;

/** The totals of an account in a day and in its month. */
export interface Totals {
  day: PeriodTotal;
  month: PeriodTotal;
}

const NOTHING: PeriodTotal = { spent: 0, held: 0, topped: 0, saved: 0 };

function remainingOf(cap: number | null, counted: number): number {
  return cap === null ? Number.POSITIVE_INFINITY : cap - counted;
}

/** What caps leave of themselves: less than nothing where one was lowered below what is spent. */
export function remainingUnder(caps: Caps, counted: { day: number; month: number }): number {
  return Math.min(remainingOf(caps.day, counted.day), remainingOf(caps.month, counted.month));
}

/** What the team's caps leave, top-ups left out. */
export function remainingForTeam(caps: Caps, { day, month }: Totals): number {
  return remainingUnder(caps, {
    day: day.spent + day.held - day.topped,
    month: month.spent + month.held - month.topped,
  });
}

/** What a token's caps leave. */
export function remainingForToken(caps: Caps, { day, month }: Totals): number {
  return remainingUnder(caps, { day: day.spent + day.held, month: month.spent + month.held });
}

/** Reads the team's row. */
export function toTeamSettings({ id, day_cap, month_cap, spending, top_up }: TeamRow): TeamSettings {
  return { id, caps: { day: day_cap, month: month_cap }, spending: spending === 1, topUp: top_up };
}

/** The totals of one account among rows, in the day and month of a moment. */
export function selectTotals(rows: readonly TotalRow[], account: string, at: number): Totals {
  const day = toDay(at);
  const of = (wanted: string): PeriodTotal =>
    rows.find((row) => row.account === account && row.period === wanted) ?? NOTHING;
  return { day: of(day), month: of(toMonth(day)) };
}
