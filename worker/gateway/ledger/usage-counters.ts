// Counts the daily usage of each token and copies it to D1, where reports read it.

import { drizzle } from 'drizzle-orm/d1';
import type { Family } from '../../../shared/families/index.ts';
import { usageDays } from '../../db/schema.ts';
import { logError } from '../../http/log.ts';
import type { OperationName } from '../provider-call.ts';
import { toMonth } from './periods.ts';
import type { RecordCounts, Usage } from './types.ts';

/** Changes are copied to D1 after this time, so that many changes cost one write. */
export const ROLL_UP_MS = 30_000;

/** Maximum number of rows in a D1 batch. */
const ROWS_PER_BATCH = 100;

/** Identifies the counters of a day. */
export type UsageKey = Pick<Usage, 'token' | 'family' | 'operation'>;

type UsageRow = {
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
};

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
  /** The next roll-up starts no earlier, milliseconds since 1970. */
  #nextRollUpAt = 0;

  constructor(sql: SqlStorage, context: RollUpOptions) {
    this.#sql = sql;
    this.#context = context;
  }

  /**
   * Adds calls to the counters of a day.
   * @param day - `YYYY-MM-DD`
   * @param now - milliseconds since 1970
   */
  addCalls(day: string, usage: Usage, now: number): void {
    this.#add(day, usage, usage, 0, now);
  }

  /** Adds charged credits, or subtracts returned ones. */
  addCredits(day: string, key: UsageKey, credits: number, now: number): void {
    this.#add(day, key, { outcomes: {}, saved: 0, latencyMs: 0 }, credits, now);
  }

  #add(
    day: string,
    { token, family, operation }: UsageKey,
    { outcomes, saved, latencyMs }: Pick<Usage, 'outcomes' | 'saved' | 'latencyMs'>,
    credits: number,
    now: number,
  ): void {
    this.#sql.exec(
      `INSERT INTO usage (day, token, family, operation, hit, stale, coalesced, fetched, not_found, failed,
           credits, saved, latency_ms, changes, changed_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET hit = hit + excluded.hit, stale = stale + excluded.stale,
         coalesced = coalesced + excluded.coalesced, fetched = fetched + excluded.fetched,
         not_found = not_found + excluded.not_found, failed = failed + excluded.failed,
         credits = credits + excluded.credits, saved = saved + excluded.saved,
         latency_ms = latency_ms + excluded.latency_ms, changes = changes + 1,
         changed_at = coalesce(changed_at, excluded.changed_at)`,
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
    try {
      for (let from = 0; from < rows.length; from += ROWS_PER_BATCH) {
        await this.#upsert(team, rows.slice(from, from + ROWS_PER_BATCH));
      }
    } catch (error) {
      logError('usage_rollup_failed', error);
    }
  }

  async #upsert(team: string, rows: readonly UsageRow[]): Promise<void> {
    const orm = drizzle(this.#context.db);
    const upserts = rows.map((row) => {
      const { hit, stale, coalesced, fetched, failed, credits, saved } = row;
      const counts = { hit, stale, coalesced, fetched, failed, credits, saved };
      const values = { ...counts, notFound: row.not_found, latencyMs: row.latency_ms };
      const { day, token, family, operation } = row;
      return orm
        .insert(usageDays)
        .values({ day, teamId: team, tokenId: token, family, operation, ...values })
        .onConflictDoUpdate({
          target: [usageDays.day, usageDays.teamId, usageDays.tokenId, usageDays.family, usageDays.operation],
          set: values,
        });
    });
    const [first, ...others] = upserts;
    if (first === undefined) return;
    await orm.batch([first, ...others]);
    for (const { day, token, family, operation, changes } of rows) {
      this.#sql.exec(
        `UPDATE usage SET changed_at = CASE changes WHEN ? THEN NULL ELSE ? END
           WHERE day = ? AND token = ? AND family = ? AND operation = ?`,
        changes,
        this.#context.now(),
        day,
        token,
        family,
        operation,
      );
    }
  }

  /** Deletes rows of all days before a day that D1 has, except `kept`. */
  deleteBefore(day: string, kept: readonly string[]): void {
    this.#sql.exec(
      `DELETE FROM usage WHERE day < ? AND changed_at IS NULL AND day NOT IN (SELECT value FROM json_each(?))`,
      day,
      JSON.stringify(kept),
    );
  }
}
