// A database whose statements are counted, and before whose batches a test can act.

/** What happens to a database. */
export interface Watch {
  /** Statements run so far; each of a batch counts. */
  statements: number;
  /** Called before a batch runs. */
  beforeBatch?: () => Promise<void>;
}

/**
 * Watches a database.
 * @returns the same database, with every statement noted in `watch`
 */
export function watched(db: D1Database, watch: Watch): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const proxy = new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => wrap(target.bind(...values));
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...parameters: unknown[]) => {
          watch.statements += 1;
          return Reflect.apply(value, target, parameters);
        };
      },
    });
    originals.set(proxy, statement);
    return proxy;
  };
  return new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => wrap(target.prepare(sql));
      if (name === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          await watch.beforeBatch?.();
          watch.statements += statements.length;
          return target.batch(statements.map((statement) => originals.get(statement) ?? statement));
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
