// Sums up the savings of cached answers by hour, token, operation and family, so that a busy team has few lines of them.

import type { Family } from '../../../shared/families/index.ts';
import { HOUR_MS } from '../../../shared/lib/durations.ts';
import type { OperationName } from '../provider-call.ts';
import type { Entries } from './entries.ts';
import { startOfHour, toDay } from './periods.ts';
import type { Usage } from './types.ts';

type SavingsRow = {
  hour: number;
  token: string;
  operation: OperationName;
  family: Family;
  saved: number;
  calls: number;
};

function countCached({ outcomes }: Usage): number {
  return (outcomes.hit ?? 0) + (outcomes.stale ?? 0) + (outcomes.coalesced ?? 0);
}

/** The savings of one ledger that are no entries yet. */
export class Savings {
  readonly #sql: SqlStorage;
  readonly #entries: Entries;

  constructor(sql: SqlStorage, entries: Entries) {
    this.#sql = sql;
    this.#entries = entries;
  }

  add(usage: Usage, now: number): void {
    this.#sql.exec(
      `INSERT INTO savings (hour, token, operation, family, saved, calls) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET saved = saved + excluded.saved, calls = calls + excluded.calls`,
      startOfHour(now),
      usage.token,
      usage.operation,
      usage.family,
      usage.saved,
      countCached(usage),
    );
  }

  /** Returns when the first hour with savings ends, milliseconds since 1970; undefined without savings. */
  dueAt(): number | undefined {
    const { first } = this.#sql
      .exec<{ first: number | null }>('SELECT min(hour) AS first FROM savings')
      .one();
    return first === null ? undefined : first + HOUR_MS;
  }

  /** Turns the savings of ended hours into entries. The caller runs it in a transaction. */
  appendEntries(now: number): void {
    const ended = this.#sql
      .exec<SavingsRow>(
        'DELETE FROM savings WHERE hour <= ? RETURNING hour, token, operation, family, saved, calls',
        now - HOUR_MS,
      )
      .toArray();
    for (const { hour, ...sums } of ended.toSorted((one, other) => one.hour - other.hour)) {
      this.#entries.append({ at: now, day: toDay(hour), kind: 'saved', credits: 0, ...sums });
    }
  }
}
