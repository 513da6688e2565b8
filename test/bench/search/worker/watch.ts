// A database that notes how long its callers wait for it, and how long SQL itself took.
import * as z from 'zod';

/** Sums since the beginning; times in milliseconds. */
export interface Sums {
  /** Until answers were there: SQL, and their way through JSON between the Worker and the database. */
  waited: number;
  /** What the database counts as its own work. */
  sql: number;
  calls: number;
}

const answered = z.object({ meta: z.object({ duration: z.number() }) });

/** A database that is watched. */
export class Watch {
  /** To be used in the place of the database. */
  readonly db: D1Database;
  readonly #sums: Sums = { waited: 0, sql: 0, calls: 0 };
  readonly #statements = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

  constructor(db: D1Database) {
    this.db = new Proxy(db, {
      get: (target, key) => {
        if (key === 'prepare') return (sql: string) => this.#statement(target.prepare(sql));
        if (key === 'batch') {
          return (list: readonly D1PreparedStatement[]) =>
            this.#waitFor(() => target.batch(list.map((one) => this.#statements.get(one) ?? one)));
        }
        throw new Error(`the watch knows no ${String(key)} of a database`);
      },
    });
  }

  /** What was noted so far. */
  total(): Sums {
    return { ...this.#sums };
  }

  #statement(statement: D1PreparedStatement): D1PreparedStatement {
    const watched = new Proxy(statement, {
      get: (target, key) => {
        if (key === 'bind') return (...values: unknown[]) => this.#statement(target.bind(...values));
        if (key === 'all') return () => this.#waitFor(() => target.all());
        // A first row alone would not tell how long it took.
        if (key === 'first') return (column?: string) => this.#first(target, column);
        throw new Error(`the watch knows no ${String(key)} of a statement`);
      },
    });
    this.#statements.set(watched, statement);
    return watched;
  }

  async #first(statement: D1PreparedStatement, column: string | undefined): Promise<unknown> {
    const { results } = await this.#waitFor(() => statement.all());
    const [row] = results;
    if (row === undefined) return null;
    return column === undefined ? row : row[column];
  }

  async #waitFor<T>(call: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await call();
    this.#sums.waited += performance.now() - start;
    this.#sums.calls += 1;
    for (const one of Array.isArray(result) ? result : [result]) {
      const parsed = answered.safeParse(one);
      if (parsed.success) this.#sums.sql += parsed.data.meta.duration;
    }
    return result;
  }
}
