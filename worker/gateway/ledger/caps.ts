// Computes the credits that remain under caps, from rows of the ledger.
import { toDay, toMonth } from './periods.ts';
import type { Caps } from './types.ts';

/** A row of the table `team`. */
export type TeamRow = {
  id: string;
  day_cap: number | null;
  month_cap: number | null;
  spending: number;
  top_up: number;
};

/** Settings of the team. */
export interface TeamSettings {
  id: string;
  caps: Caps;
  spending: boolean;
  topUp: number;
}

/** Totals of an account in one period. */
export type TotalRow = {
  account: string;
  period: string;
  spent: number;
  held: number;
  topped: number;
  saved: number;
};

type PeriodTotal = Omit<TotalRow, 'account' | 'period'>;

/** Totals of an account in a day and in its month. */
export interface Totals {
  day: PeriodTotal;
  month: PeriodTotal;
}

const NO_CREDITS: PeriodTotal = { spent: 0, held: 0, topped: 0, saved: 0 };

function remainingUnderCap(cap: number | null, used: number): number {
  return cap === null ? Number.POSITIVE_INFINITY : cap - used;
}

/** Computes the credits below the tighter cap. Negative if a cap was lowered below the used credits. */
export function remainingUnder(caps: Caps, used: { day: number; month: number }): number {
  return Math.min(remainingUnderCap(caps.day, used.day), remainingUnderCap(caps.month, used.month));
}

/** Computes the credits below the team's caps, without top-ups. */
export function remainingForTeam(caps: Caps, { day, month }: Totals): number {
  return remainingUnder(caps, {
    day: day.spent + day.held - day.topped,
    month: month.spent + month.held - month.topped,
  });
}

/** Computes the credits below a token's caps. */
export function remainingForToken(caps: Caps, { day, month }: Totals): number {
  return remainingUnder(caps, { day: day.spent + day.held, month: month.spent + month.held });
}

/** Converts a row to the team's settings. */
export function toTeamSettings({ id, day_cap, month_cap, spending, top_up }: TeamRow): TeamSettings {
  return { id, caps: { day: day_cap, month: month_cap }, spending: spending === 1, topUp: top_up };
}

/** Selects the totals of one account for the day and month of a time. */
export function selectTotals(rows: readonly TotalRow[], account: string, at: number): Totals {
  const day = toDay(at);
  const find = (period: string): PeriodTotal =>
    rows.find((row) => row.account === account && row.period === period) ?? NO_CREDITS;
  return { day: find(day), month: find(toMonth(day)) };
}
