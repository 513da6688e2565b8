// Reports usage from the daily totals in D1, which every ledger updates.
import { and, asc, between, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { UsageGroup } from '../../../shared/api/admin-reports.ts';
import type { Family } from '../../../shared/families/index.ts';
import { usageDays } from '../../db/schema.ts';
import { selectTeamName, selectTokenName, selectTokenPrefix } from '../auth/team-repository.ts';
import { toMonth } from './periods.ts';

const sum = (column: SQLiteColumn): SQL<number> => sql<number>`coalesce(sum(${column}), 0)`;

const sums = {
  hit: sum(usageDays.hit),
  stale: sum(usageDays.stale),
  coalesced: sum(usageDays.coalesced),
  fetched: sum(usageDays.fetched),
  notFound: sum(usageDays.notFound),
  failed: sum(usageDays.failed),
  credits: sum(usageDays.credits),
  saved: sum(usageDays.saved),
  latencyMs: sum(usageDays.latencyMs),
};

/** Outcomes of calls, credits and latency, summed up. */
export type UsageSums = Record<keyof typeof sums, number>;

/** A row of a report. Only the columns of its group are meaningful. */
export interface UsageReportRow extends UsageSums {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  team: string;
  teamName: string | null;
  token: string;
  tokenName: string | null;
  tokenPrefix: string | null;
  family: Family;
}

/** What to report. */
export interface UsageQuery {
  by: UsageGroup;
  /** First and last day, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** All teams where undefined. */
  team: string | undefined;
  /** Most rows. */
  limit: number;
}

const emptySums: UsageSums = {
  hit: 0,
  stale: 0,
  coalesced: 0,
  fetched: 0,
  notFound: 0,
  failed: 0,
  credits: 0,
  saved: 0,
  latencyMs: 0,
};

/** The column by which rows are grouped. */
const groupColumns = {
  day: usageDays.day,
  team: usageDays.teamId,
  token: usageDays.tokenId,
  family: usageDays.family,
} as const satisfies Record<UsageGroup, SQLiteColumn>;

/** Reads a report: days in their order, other groups by credits. */
export async function readUsageReport(
  orm: DrizzleD1Database,
  { by, from, to, team, limit }: UsageQuery,
): Promise<{ rows: UsageReportRow[]; total: UsageSums }> {
  const isIncluded = and(
    between(usageDays.day, from, to),
    team === undefined ? undefined : eq(usageDays.teamId, team),
  );
  const column = groupColumns[by];
  const [rows, [total]] = await Promise.all([
    orm
      .select({
        ...sums,
        day: usageDays.day,
        team: usageDays.teamId,
        teamName: selectTeamName(usageDays.teamId),
        token: usageDays.tokenId,
        tokenName: selectTokenName(usageDays.tokenId),
        tokenPrefix: selectTokenPrefix(usageDays.tokenId),
        family: usageDays.family,
      })
      .from(usageDays)
      .where(isIncluded)
      .groupBy(column)
      .orderBy(...(by === 'day' ? [] : [desc(sums.credits), desc(sums.saved)]), asc(column))
      .limit(limit),
    orm.select(sums).from(usageDays).where(isIncluded),
  ]);
  return { rows, total: total ?? emptySums };
}

/** Adds the counts of two groups of calls. */
function addSums(one: UsageSums, other: UsageSums): UsageSums {
  return {
    hit: one.hit + other.hit,
    stale: one.stale + other.stale,
    coalesced: one.coalesced + other.coalesced,
    fetched: one.fetched + other.fetched,
    notFound: one.notFound + other.notFound,
    failed: one.failed + other.failed,
    credits: one.credits + other.credits,
    saved: one.saved + other.saved,
    latencyMs: one.latencyMs + other.latencyMs,
  };
}

/**
 * Reads the totals of all teams on a day, and in its month up to this day.
 * @param day - `YYYY-MM-DD`
 */
export async function readSpending(
  orm: DrizzleD1Database,
  day: string,
): Promise<{ day: UsageSums; month: UsageSums }> {
  const isDay = sql<number>`${usageDays.day} = ${day}`;
  const rows = await orm
    .select({ isDay, ...sums })
    .from(usageDays)
    .where(between(usageDays.day, `${toMonth(day)}-01`, day))
    .groupBy(isDay);
  const find = (wanted: number): UsageSums => {
    const { isDay: _, ...found } = rows.find((row) => row.isDay === wanted) ?? {
      isDay: wanted,
      ...emptySums,
    };
    return found;
  };
  const today = find(1);
  return { day: today, month: addSums(today, find(0)) };
}
