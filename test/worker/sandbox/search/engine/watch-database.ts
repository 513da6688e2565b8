// A D1 database that counts statements and runs a hook before batches.

/** Observations of a database. */
export interface Watch {
  /** Number of executed statements, including those in batches. */
  statements: number;
  /** Called before a batch runs. */
  beforeBatch?: () => Promise<void>;
}

/** Wraps a database and counts its statements in `watch`. */
export function watchDatabase(db: D1Database, watch: Watch): D1Database {
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
