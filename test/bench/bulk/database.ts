// An in-memory SQLite database for the bulk bench, outside workerd.
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { readMigrations } from '../../faults/cluster/migrations.ts';

/** Statements of a batch. */
export const statementsSchema = z.array(
  z.object({ sql: z.string(), values: z.array(z.union([z.string(), z.number(), z.null()])) }),
);

/** A database with the gateway's tables. */
export class GatewayDatabase {
  readonly #sqlite = new DatabaseSync(':memory:');

  constructor(migrations: Awaited<ReturnType<typeof readMigrations>>) {
    for (const { statements } of migrations) for (const sql of statements) this.#sqlite.exec(sql);
  }

  /** Executes statements in one transaction. @returns the rows of each statement */
  batch(statements: z.infer<typeof statementsSchema>): Record<string, unknown>[][] {
    this.#sqlite.exec('BEGIN');
    try {
      const results = statements.map(({ sql, values }) => this.#sqlite.prepare(sql).all(...values));
      this.#sqlite.exec('COMMIT');
      return results;
    } catch (error) {
      this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}
