// Reports usage from the daily totals in D1, which every ledger updates.
import { and, asc, between, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { maxLatencyDays, type UsageGroup } from '../../../shared/api/admin-reports.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { ReportedSource } from '../../../shared/sources.ts';
import type { RetentionRule } from '../../db/retention.ts';
import { usageDays, usageHours } from '../../db/schema.ts';
import {
  selectCap,
  selectTeamName,
  selectTokenName,
  selectTokenPerson,
  selectTokenPrefix,
} from '../auth/team-repository.ts';
import { toDay, toMonth } from './periods.ts';
import { usageDayKey } from './usage-counters.ts';

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

export interface UsageQuery {
  by: UsageGroup;
  /** First and last day, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** All teams where undefined. */
  team: string | undefined;
  limit: number;
}

export const emptySums: UsageSums = {
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

export interface SourceAmounts {
  source: ReportedSource;
  spent: number;
  saved: number;
}

/** Reads the credits by source, of a team or of all. They add up to the total. */
export async function readUsageBySource(
  orm: DrizzleD1Database,
  { from, to, team }: Pick<UsageQuery, 'from' | 'to' | 'team'>,
): Promise<SourceAmounts[]> {
  const ofOrders = (column: SQLiteColumn): SQL<number> =>
    sql<number>`coalesce(sum(iif(${usageDays.operation} = 'bulk', ${column}, 0)), 0)`;
  const [row] = await orm
    .select({
      spent: sums.credits,
      saved: sums.saved,
      bulkSpent: ofOrders(usageDays.credits),
      bulkSaved: ofOrders(usageDays.saved),
      formulaSpent: sum(usageDays.formulaSpent),
      formulaSaved: sum(usageDays.formulaSaved),
      tableSpent: sum(usageDays.tableSpent),
      tableSaved: sum(usageDays.tableSaved),
      scheduleSpent: sum(usageDays.scheduleSpent),
      scheduleSaved: sum(usageDays.scheduleSaved),
      assistantSpent: sum(usageDays.assistantSpent),
      assistantSaved: sum(usageDays.assistantSaved),
    })
    .from(usageDays)
    .where(
      and(between(usageDays.day, from, to), team === undefined ? undefined : eq(usageDays.teamId, team)),
    );
  if (row === undefined) return [];
  const known: SourceAmounts[] = [
    { source: 'formula', spent: row.formulaSpent, saved: row.formulaSaved },
    { source: 'table', spent: row.tableSpent, saved: row.tableSaved },
    { source: 'bulk', spent: row.bulkSpent, saved: row.bulkSaved },
    { source: 'schedule', spent: row.scheduleSpent, saved: row.scheduleSaved },
    { source: 'assistant', spent: row.assistantSpent, saved: row.assistantSaved },
  ];
  // Without a recorded source: programs.
  const subtractKnown = (of: 'spent' | 'saved'): number =>
    known.reduce((left, amounts) => left - amounts[of], row[of]);
  return [...known, { source: 'other', spent: subtractKnown('spent'), saved: subtractKnown('saved') }];
}

/** Credits of a payer in a team: a person, or a connection in a spreadsheet. */
export interface CostRow {
  teamId: string;
  teamName: string | null;
  /** Pseudonym of the person; null for connections that others may use. */
  personId: string | null;
  /** One of the person's, if there are several. */
  tokenId: string;
  tokenName: string | null;
  /** Id; '' where the person or none is known. */
  spreadsheet: string;
  calls: number;
  credits: number;
  saved: number;
  /** Of the credits, those of formulas. */
  formulaCredits: number;
}

/** Reads what each person, or connection in a spreadsheet, spent: the highest credits first. */
export async function readCosts(
  orm: DrizzleD1Database,
  { from, to, team, limit }: Omit<UsageQuery, 'by'>,
): Promise<{ rows: CostRow[]; total: Pick<CostRow, 'calls' | 'credits' | 'saved'> }> {
  const { hit, stale, coalesced, fetched, notFound, failed } = usageDays;
  const calls = sql<number>`coalesce(sum(${hit} + ${stale} + ${coalesced} + ${fetched} + ${notFound} + ${failed}), 0)`;
  const counts = { calls, credits: sums.credits, saved: sums.saved };
  const personId = selectTokenPerson(usageDays.tokenId);
  const spreadsheet = sql<string>`iif(${personId} IS NULL, ${usageDays.spreadsheet}, '')`;
  const tokenId = sql<string>`max(${usageDays.tokenId})`;
  const isIncluded = and(
    between(usageDays.day, from, to),
    team === undefined ? undefined : eq(usageDays.teamId, team),
  );
  const [rows, [total]] = await Promise.all([
    orm
      .select({
        ...counts,
        teamId: usageDays.teamId,
        teamName: selectTeamName(usageDays.teamId),
        personId,
        tokenId,
        tokenName: sql<string | null>`max(${selectTokenName(usageDays.tokenId)})`,
        spreadsheet,
        formulaCredits: sum(usageDays.formulaSpent),
      })
      .from(usageDays)
      .where(isIncluded)
      .groupBy(usageDays.teamId, sql`coalesce(${personId}, ${usageDays.tokenId})`, spreadsheet)
      .orderBy(desc(sums.credits), desc(sums.saved), asc(usageDays.teamId), asc(tokenId))
      .limit(limit),
    orm.select(counts).from(usageDays).where(isIncluded),
  ]);
  return { rows, total: total ?? { calls: 0, credits: 0, saved: 0 } };
}

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

/**
 * Reads how much of its cap each team has spent, of the day's or the month's the larger share. Teams without a cap or without
 * spending this month are left out.
 * @param day - `YYYY-MM-DD`
 * @returns percent
 */
export async function listBudgetPercents(orm: DrizzleD1Database, day: string): Promise<number[]> {
  const { teamId, credits } = usageDays;
  const today = sql`sum(iif(${usageDays.day} = ${day}, ${credits}, 0))`;
  // A cap of 0 can't be spent.
  const share = (spent: SQL, cap: 'dayCap' | 'monthCap'): SQL =>
    sql`coalesce(${spent} * 100.0 / nullif(${selectCap(teamId, cap)}, 0), 0)`;
  const percent = sql<number>`max(${share(today, 'dayCap')}, ${share(sums.credits, 'monthCap')})`;
  const rows = await orm
    .select({ percent })
    .from(usageDays)
    .where(between(usageDays.day, `${toMonth(day)}-01`, day))
    .groupBy(teamId);
  return rows.map((row) => row.percent);
}

const daily: RetentionRule = {
  table: usageDays,
  key: usageDayKey,
  isExpired: (before) => lt(usageDays.day, toDay(before)),
  days: 1100,
};

const hourly: RetentionRule = {
  table: usageHours,
  key: [usageHours.hour, usageHours.teamId],
  isExpired: (before) => lt(usageHours.hour, before),
  days: maxLatencyDays,
};

/** How long usage stays in D1. */
export const usageRetention: readonly RetentionRule[] = [daily, hourly];
