// D1 as it is deployed: so many queries an invocation, and values that fit.
import { countBytes } from './bytes.ts';
import type { Invocation } from './invocation.ts';
import { VALUE_BYTES } from './limits.ts';
import { type Override, withOverrides } from './with-overrides.ts';

const TOO_BIG = 'D1_ERROR: string or blob too big: SQLITE_TOOBIG';

/**
 * Wraps a database.
 * @param name - of the binding
 */
export function strictD1(db: D1Database, name: string, invocation: Invocation): D1Database {
  /** The platform's own statement behind each of ours, which `batch` needs, and its largest value. */
  const statements = new WeakMap<object, { own: D1PreparedStatement; bytes: number }>();

  const asked =
    (method: string, own: D1PreparedStatement): Override =>
    (call, args) => {
      invocation.countQueries(name, method, 1);
      refuseBig(statements.get(own)?.bytes ?? 0);
      return invocation.recordRefusal(name, () => call(args));
    };
  function refuseBig(bytes: number): void {
    if (bytes > VALUE_BYTES) invocation.refuse('value_size', name, TOO_BIG);
  }
  function statement(own: D1PreparedStatement, bytes: number): D1PreparedStatement {
    const wrapped = withOverrides(own, name, {
      bind: (_, values) => statement(own.bind(...values), Math.max(0, ...values.map(countBytes))),
      first: asked('first', own),
      all: asked('all', own),
      run: asked('run', own),
      raw: asked('raw', own),
    });
    statements.set(own, { own, bytes });
    statements.set(wrapped, { own, bytes });
    return wrapped;
  }
  const batch: Override = (call, [list]) => {
    if (!Array.isArray(list)) throw new TypeError(`a batch of ${name} is no list`);
    const known = list.map((one: unknown) => {
      const found = typeof one === 'object' && one !== null ? statements.get(one) : undefined;
      if (found === undefined)
        throw new TypeError(`a batch of ${name} holds a statement of another database`);
      return found;
    });
    invocation.countQueries(name, 'batch', known.length);
    for (const { bytes } of known) refuseBig(bytes);
    return invocation.recordRefusal(name, () => call([known.map(({ own }) => own)]));
  };
  return withOverrides(db, name, {
    prepare: (_, [sql]) => statement(db.prepare(String(sql)), 0),
    batch,
    exec: (call, args) => {
      invocation.countQueries(name, 'exec', 1);
      return invocation.recordRefusal(name, () => call(args));
    },
  });
}
