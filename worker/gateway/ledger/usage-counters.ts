// Counts the daily usage of each token and the calls of each hour, and copies them to D1, where reports read it.

import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { Family } from '../../../shared/families/index.ts';
import { type RecordedSource, recordedSources } from '../../../shared/sources.ts';
import { usageDays } from '../../db/schema.ts';
import { logError } from '../../http/log.ts';
import type { OperationName } from '../provider-call.ts';
import { HourCounters, type HourCounts } from './hour-counters.ts';
import { upsertHour } from './latency-report.ts';
import { startOfDay, toDay, toMonth } from './periods.ts';
import { type SourceColumn, sourceColumns } from './schema.ts';
import type { RecordCounts, Usage } from './types.ts';

/** Changes are copied to D1 after this time, so that many changes cost one write. */
export const ROLL_UP_MS = 30_000;

/** Maximum number of statements in a D1 batch, one for each row. */
const ROWS_PER_BATCH = 100;

/** Identifies the counters of a day. */
export interface UsageKey extends Pick<Usage, 'token' | 'family' | 'operation'> {
  /** Also counted by source, unless it is '' or absent. */
  source?: RecordedSource | '' | undefined;
}

type UsageRow = Record<SourceColumn, number> & {
  day: string;
  token: string;
  family: Family;
  operation: OperationName;
  hit: number;
  stale: number;
  coalesced: number;
  fetched: number;
  not_found: number;
  failed: number;
  credits: number;
  saved: number;
  latency_ms: number;
  changes: number;
  changed_at: number;
};

const ADD_USAGE = `INSERT INTO usage (day, token, family, operation, hit, stale, coalesced, fetched, not_found, failed,
       credits, saved, latency_ms, changes, changed_at, ${sourceColumns.join(', ')})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ${sourceColumns.map(() => '?').join(', ')})
   ON CONFLICT DO UPDATE SET hit = hit + excluded.hit, stale = stale + excluded.stale,
     coalesced = coalesced + excluded.coalesced, fetched = fetched + excluded.fetched,
     not_found = not_found + excluded.not_found, failed = failed + excluded.failed,
     credits = credits + excluded.credits, saved = saved + excluded.saved,
     latency_ms = latency_ms + excluded.latency_ms, changes = changes + 1,
     changed_at = coalesce(changed_at, excluded.changed_at),
     ${sourceColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;

/** Destination of the roll-up, and the clock. */
export interface RollUpOptions {
  db: D1Database;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The usage counters of one ledger. */
export class UsageCounters {
  readonly #sql: SqlStorage;
  readonly #context: RollUpOptions;
  readonly #hours: HourCounters;
  /** The next roll-up starts no earlier, milliseconds since 1970. */
  #nextRollUpAt = 0;

  constructor(sql: SqlStorage, context: RollUpOptions) {
    this.#sql = sql;
    this.#context = context;
    this.#hours = new HourCounters(sql);
  }

  /** Adds calls to the counters of the present day and hour. @param now - milliseconds since 1970 */
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
    { token, family, operation, source }: UsageKey,
    { outcomes, saved, latencyMs }: Pick<Usage, 'outcomes' | 'saved' | 'latencyMs'>,
    credits: number,
    now: number,
  ): void {
    this.#sql.exec(
      ADD_USAGE,
      day,
      token,
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
  #markCopied({ day, token, family, operation, changes }: UsageRow): void {
    this.#sql.exec(
      `UPDATE usage SET changed_at = NULL
         WHERE day = ? AND token = ? AND family = ? AND operation = ? AND changes = ?`,
      day,
      token,
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
  const { day, token, family, operation } = row;
  return orm
    .insert(usageDays)
    .values({ day, teamId: team, tokenId: token, family, operation, ...values })
    .onConflictDoUpdate({
      target: [usageDays.day, usageDays.teamId, usageDays.tokenId, usageDays.family, usageDays.operation],
      set: values,
    });
}
