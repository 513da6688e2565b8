// Counts the daily usage of each token and the calls of each hour, and copies them to D1, where reports read it.
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { Family } from '../../../shared/families/index.ts';
import { type RecordedSource, recordedSources } from '../../../shared/sources.ts';
import { usageDays, usageHours } from '../../db/schema.ts';
import { logError } from '../../http/log.ts';
import {
  addHistograms,
  emptyHistogram,
  type Histogram,
  histogramSchema,
} from '../../lib/latency-histogram.ts';
import type { OperationName } from '../provider-call.ts';
import { startOfDay, startOfHour, toDay, toMonth } from './periods.ts';
import { type SourceColumn, sourceColumns } from './schema.ts';
import type { CallOutcome, RecordCounts, Usage } from './types.ts';
import { countCalls } from './usage-buffer.ts';

/** Changes are copied to D1 after this time, so that many changes cost one write. */
export const ROLL_UP_MS = 30_000;

/** Maximum number of spreadsheets that are counted separately, for a team and day. */
export const MAX_DAILY_SPREADSHEETS = 500;

/** Maximum number of statements in a D1 batch, one for each row. */
const ROWS_PER_BATCH = 100;

/** The key of `usage_days`. */
export const usageDayKey = [
  usageDays.day,
  usageDays.teamId,
  usageDays.tokenId,
  usageDays.spreadsheet,
  usageDays.family,
  usageDays.operation,
];

/** Identifies the counters of a day. */
export interface UsageKey extends Pick<Usage, 'token' | 'family' | 'operation'> {
  /** Also counted by source, unless it is '' or absent. */
  source?: RecordedSource | '' | undefined;
  /** '' or absent where the person or none is known. */
  spreadsheet?: string | undefined;
}

type UsageRow = Record<SourceColumn | CallOutcome, number> & {
  day: string;
  token: string;
  spreadsheet: string;
  family: Family;
  operation: OperationName;
  credits: number;
  saved: number;
  latency_ms: number;
  changes: number;
  changed_at: number;
};

/** @param isMarked - the row is known to be marked as changed, so that its index stays as it is */
const addUsage = (
  isMarked: boolean,
): string => `INSERT INTO usage (day, token, spreadsheet, family, operation, hit, stale, coalesced, fetched, not_found, failed,
       credits, saved, latency_ms, changes, changed_at, ${sourceColumns.join(', ')})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ${sourceColumns.map(() => '?').join(', ')})
   ON CONFLICT DO UPDATE SET hit = hit + excluded.hit, stale = stale + excluded.stale,
     coalesced = coalesced + excluded.coalesced, fetched = fetched + excluded.fetched,
     not_found = not_found + excluded.not_found, failed = failed + excluded.failed,
     credits = credits + excluded.credits, saved = saved + excluded.saved,
     latency_ms = latency_ms + excluded.latency_ms, changes = changes + 1,
     ${isMarked ? '' : 'changed_at = coalesce(changed_at, excluded.changed_at),'}
     ${sourceColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;

const ADD_USAGE = addUsage(false);
const ADD_TO_MARKED = addUsage(true);

export class UsageCounters {
  readonly #sql: SqlStorage;
  readonly #context: { db: D1Database; now: () => number };
  readonly #hours: HourCounters;
  /** Rows that were marked as changed since the last roll-up. */
  readonly #marked = new Set<string>();
  /** Those of the day that was counted last. */
  #spreadsheets: { day: string; ids: Set<string> } | undefined;
  /** The next roll-up starts no earlier, milliseconds since 1970. */
  #nextRollUpAt = 0;

  constructor(sql: SqlStorage, context: { db: D1Database; now: () => number }) {
    this.#sql = sql;
    this.#context = context;
    this.#hours = new HourCounters(sql);
  }

  /** Follows a transaction that was rolled back, because it may have marked rows. */
  forgetMarks(): void {
    this.#marked.clear();
  }

  /** Adds calls to the counters of the present day and hour. */
  addCalls(usages: readonly Usage[], now: number): void {
    for (const usage of usages) this.#add(toDay(now), usage, usage, 0, now);
    this.#hours.add(usages, now);
  }

  /** Adds charged credits, or subtracts returned ones. */
  addCredits(day: string, key: UsageKey, credits: number, now: number): void {
    this.#add(day, key, { outcomes: {}, saved: 0, latencyMs: 0 }, credits, now);
  }

  #add(
    day: string,
    { token, family, operation, source, ...rest }: UsageKey,
    { outcomes, saved, latencyMs }: Pick<Usage, 'outcomes' | 'saved' | 'latencyMs'>,
    credits: number,
    now: number,
  ): void {
    const spreadsheet = this.#admitSpreadsheet(day, rest.spreadsheet ?? '');
    const key = `${day} ${token} ${spreadsheet} ${family} ${operation}`;
    this.#sql.exec(
      this.#marked.has(key) ? ADD_TO_MARKED : ADD_USAGE,
      day,
      token,
      spreadsheet,
      family,
      operation,
      outcomes.hit ?? 0,
      outcomes.stale ?? 0,
      outcomes.coalesced ?? 0,
      outcomes.fetched ?? 0,
      outcomes.not_found ?? 0,
      outcomes.failed ?? 0,
      credits,
      saved,
      Math.round(latencyMs),
      now,
      ...recordedSources.flatMap((each) => (each === source ? [credits, saved] : [0, 0])),
    );
    this.#marked.add(key);
  }

  /** Leaves out spreadsheets beyond the limit of a day, because callers choose them. */
  #admitSpreadsheet(day: string, id: string): string {
    if (id === '') return '';
    if (this.#spreadsheets?.day !== day) {
      const rows = this.#sql.exec<{ id: string }>(
        'SELECT DISTINCT spreadsheet AS id FROM usage WHERE day = ?',
        day,
      );
      this.#spreadsheets = { day, ids: new Set(rows.toArray().map((row) => row.id)) };
    }
    const { ids } = this.#spreadsheets;
    if (!ids.has(id) && ids.size >= MAX_DAILY_SPREADSHEETS) return '';
    ids.add(id);
    return id;
  }

  /**
   * Counts the records that were answered on a day and in its month.
   * @param day - `YYYY-MM-DD`
   */
  countRecords(day: string): RecordCounts {
    const sums = this.#sql
      .exec<{ today: number; cached: number; fetched: number }>(
        `SELECT day = ? AS today, sum(hit + stale + coalesced) AS cached, sum(fetched) AS fetched
           FROM usage WHERE day >= ? AND operation IN ('collect', 'enrich') GROUP BY today`,
        day,
        `${toMonth(day)}-01`,
      )
      .toArray();
    const today = sums.find((row) => row.today === 1);
    const count = (source: 'cached' | 'fetched') => ({
      day: today?.[source] ?? 0,
      month: sums.reduce((sum, row) => sum + row[source], 0),
    });
    return { cached: count('cached'), fetched: count('fetched') };
  }

  /** Returns when the next roll-up is due, milliseconds since 1970; undefined if D1 is up to date. */
  dueAt(): number | undefined {
    const { first } = this.#sql
      .exec<{ first: number | null }>(
        'SELECT min(changed_at) AS first FROM usage WHERE changed_at IS NOT NULL',
      )
      .one();
    return first === null ? undefined : Math.max(first + ROLL_UP_MS, this.#nextRollUpAt);
  }

  /**
   * Copies changed rows to D1 as a whole, so that a repetition does no harm. If D1 fails, the next roll-up copies them.
   * @param team - id of the team
   */
  async rollUp(team: string): Promise<void> {
    this.#nextRollUpAt = this.#context.now() + ROLL_UP_MS;
    this.forgetMarks();
    const rows = this.#sql.exec<UsageRow>('SELECT * FROM usage WHERE changed_at IS NOT NULL').toArray();
    const orm = drizzle(this.#context.db);
    // Hours have no separate mark: they come first, because changed_at of a row also tells which hours D1 lacks.
    const writes = [
      ...this.#listChangedHours(rows).map((hour) => ({ statement: upsertHour(orm, team, hour) })),
      ...rows.map((row) => ({ statement: upsertDay(orm, team, row), row })),
    ];
    try {
      for (let from = 0; from < writes.length; from += ROWS_PER_BATCH) {
        const batch = writes.slice(from, from + ROWS_PER_BATCH);
        const [first, ...others] = batch.map(({ statement }) => statement);
        if (first !== undefined) await orm.batch([first, ...others]);
        for (const write of batch) if ('row' in write) this.#markCopied(write.row);
      }
    } catch (error) {
      logError('usage_rollup_failed', error);
    }
  }

  /** Lists the hours since the first change that D1 does not have. */
  #listChangedHours(rows: readonly UsageRow[]): HourCounts[] {
    const first = Math.min(...rows.map(({ changed_at }) => changed_at));
    return rows.length === 0 ? [] : this.#hours.listSince(first);
  }

  /** Marks a row as copied, unless it has changed since it was read. */
  #markCopied({ day, token, spreadsheet, family, operation, changes }: UsageRow): void {
    this.#sql.exec(
      `UPDATE usage SET changed_at = NULL
         WHERE day = ? AND token = ? AND spreadsheet = ? AND family = ? AND operation = ? AND changes = ?`,
      day,
      token,
      spreadsheet,
      family,
      operation,
      changes,
    );
  }

  /** Marks the days and hours since a day, so that the next roll-up copies them to D1 again. @param day - `YYYY-MM-DD` */
  markChanged(day: string): void {
    this.#sql.exec(
      'UPDATE usage SET changes = changes + 1, changed_at = ? WHERE day >= ?',
      startOfDay(day),
      day,
    );
  }

  /** Deletes hours before a day, and rows of all days before it that D1 has, except `kept`. */
  deleteBefore(day: string, kept: readonly string[]): void {
    this.#sql.exec(
      `DELETE FROM usage WHERE day < ? AND changed_at IS NULL AND day NOT IN (SELECT value FROM json_each(?))`,
      day,
      JSON.stringify(kept),
    );
    this.#hours.deleteBefore(startOfDay(day));
  }
}

/** Builds the statement that writes a day's usage of a token as a whole. */
function upsertDay(orm: DrizzleD1Database, team: string, row: UsageRow) {
  const { hit, stale, coalesced, fetched, failed, credits, saved } = row;
  const counts = { hit, stale, coalesced, fetched, failed, credits, saved };
  const bySource = {
    formulaSpent: row.formula_spent,
    formulaSaved: row.formula_saved,
    tableSpent: row.table_spent,
    tableSaved: row.table_saved,
    scheduleSpent: row.schedule_spent,
    scheduleSaved: row.schedule_saved,
    assistantSpent: row.assistant_spent,
    assistantSaved: row.assistant_saved,
  };
  const values = { ...counts, notFound: row.not_found, latencyMs: row.latency_ms, ...bySource };
  const { day, token, spreadsheet, family, operation } = row;
  return orm
    .insert(usageDays)
    .values({ day, teamId: team, tokenId: token, spreadsheet, family, operation, ...values })
    .onConflictDoUpdate({
      target: usageDayKey,
      set: values,
    });
}

type Row = { hour: number; calls: number; failed: number; latency_ms: number; durations: string };

interface HourCounts {
  /** Start of the hour, milliseconds since 1970. */
  hour: number;
  calls: number;
  failed: number;
  /** Total duration of requests, milliseconds. */
  latencyMs: number;
  durations: Histogram;
}

const parseRow = ({ latency_ms, durations, ...row }: Row): HourCounts => ({
  ...row,
  latencyMs: latency_ms,
  durations: histogramSchema.parse(JSON.parse(durations)),
});

function sumUsage(hour: number, usages: readonly Usage[]): HourCounts {
  const sum: HourCounts = { hour, calls: 0, failed: 0, latencyMs: 0, durations: emptyHistogram };
  for (const usage of usages) {
    sum.calls += countCalls(usage);
    sum.failed += usage.outcomes.failed ?? 0;
    sum.latencyMs += Math.round(usage.latencyMs);
    sum.durations = addHistograms(sum.durations, usage.durations);
  }
  return sum;
}

class HourCounters {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds calls to the present hour, in one write. */
  add(usages: readonly Usage[], now: number): void {
    const sum = sumUsage(startOfHour(now), usages);
    const [stored] = this.listSince(sum.hour);
    this.#sql.exec(
      'INSERT OR REPLACE INTO hours (hour, calls, failed, latency_ms, durations) VALUES (?, ?, ?, ?, ?)',
      sum.hour,
      sum.calls + (stored?.calls ?? 0),
      sum.failed + (stored?.failed ?? 0),
      sum.latencyMs + (stored?.latencyMs ?? 0),
      JSON.stringify(stored === undefined ? sum.durations : addHistograms(sum.durations, stored.durations)),
    );
  }

  /** Lists the hours that contain a time or follow it, in their order. */
  listSince(at: number): HourCounts[] {
    return this.#sql
      .exec<Row>('SELECT * FROM hours WHERE hour >= ? ORDER BY hour', startOfHour(at))
      .toArray()
      .map(parseRow);
  }

  deleteBefore(at: number): void {
    this.#sql.exec('DELETE FROM hours WHERE hour < ?', at);
  }
}

function toColumns(durations: Histogram) {
  const [
    within1Ms = 0,
    within3Ms = 0,
    within10Ms = 0,
    within30Ms = 0,
    within100Ms = 0,
    within300Ms = 0,
    within1S = 0,
    within3S = 0,
    within10S = 0,
    within30S = 0,
    slower = 0,
  ] = durations;
  return {
    ...{ within1Ms, within3Ms, within10Ms, within30Ms, within100Ms, within300Ms },
    ...{ within1S, within3S, within10S, within30S, slower },
  };
}

/** Builds the statement that writes an hour of a team as a whole. @param team - id of the team */
export function upsertHour(orm: DrizzleD1Database, team: string, { hour, durations, ...counts }: HourCounts) {
  const values = { ...counts, ...toColumns(durations) };
  return orm
    .insert(usageHours)
    .values({ hour, teamId: team, ...values })
    .onConflictDoUpdate({ target: [usageHours.hour, usageHours.teamId], set: values });
}
