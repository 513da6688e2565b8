// D1 with the limits of the deployed platform: queries per invocation and bytes per value.
import type { Invocation } from './invocation.ts';
import { countBytes, VALUE_BYTES } from './limits.ts';
import { type Override, withOverrides } from './with-overrides.ts';

const TOO_BIG = 'D1_ERROR: string or blob too big: SQLITE_TOOBIG';

/** Wraps a database. @param name - of the binding */
export function strictD1(db: D1Database, name: string, invocation: Invocation): D1Database {
  /** The original statement of each wrapped one, which `batch` needs, and its largest value. */
  const statements = new WeakMap<object, { original: D1PreparedStatement; bytes: number }>();

  function refuseBig(bytes: number): void {
    if (bytes > VALUE_BYTES) invocation.refuse('value_size', name, TOO_BIG);
  }
  function wrapStatement(original: D1PreparedStatement, bytes: number): D1PreparedStatement {
    const query =
      (method: string): Override =>
      (call, args) => {
        invocation.countQueries(name, method, 1);
        refuseBig(bytes);
        return invocation.recordRefusal(name, () => call(args));
      };
    const wrapped = withOverrides(original, name, {
      bind: (_, values) => wrapStatement(original.bind(...values), Math.max(0, ...values.map(countBytes))),
      first: query('first'),
      all: query('all'),
      run: query('run'),
      raw: query('raw'),
    });
    statements.set(wrapped, { original, bytes });
    return wrapped;
  }
  const batch: Override = (call, [list]) => {
    if (!Array.isArray(list)) throw new TypeError(`a batch of ${name} is not a list`);
    const known = list.map((statement: object) => {
      const found = statements.get(statement);
      if (found === undefined) throw new TypeError(`a batch of ${name} has a statement of another database`);
      return found;
    });
    invocation.countQueries(name, 'batch', known.length);
    for (const { bytes } of known) refuseBig(bytes);
    return invocation.recordRefusal(name, () => call([known.map(({ original }) => original)]));
  };
  return withOverrides(db, name, {
    prepare: (_, [sql]) => wrapStatement(db.prepare(String(sql)), 0),
    batch,
    exec: (call, args) => {
      invocation.countQueries(name, 'exec', 1);
      return invocation.recordRefusal(name, () => call(args));
    },
  });
}
