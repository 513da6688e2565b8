// D1 with the limits of the deployed platform: queries per invocation and bytes per value.
import type { Invocation } from './invocation.ts';
import { countBytes, VALUE_BYTES } from './limits.ts';
import { type Override, withOverrides } from './with-overrides.ts';

const TOO_BIG = 'D1_ERROR: string or blob too big: SQLITE_TOOBIG';

/** Keywords of statements that change something. A read that mentions one is run as a write, which is the same for its rows. */
const CHANGES = /\b(insert|update|delete|replace)\b/i;

function isResult(value: unknown): value is D1Result {
  return typeof value === 'object' && value !== null && 'meta' in value;
}

/** Wraps a database. @param name - of the binding */
export function strictD1(db: D1Database, name: string, invocation: Invocation): D1Database {
  /** The original statement of each wrapped one, which `batch` needs, and its largest value. */
  const statements = new WeakMap<object, { original: D1PreparedStatement; bytes: number }>();
  /** Statements that change nothing. */
  const reads = new WeakSet<object>();

  function refuseBig(bytes: number): void {
    if (bytes > VALUE_BYTES) invocation.refuse('value_size', name, TOO_BIG);
  }
  /** Counts the rows of a statement; `first` and `raw` hide them, so a read is repeated, and a write runs as `all`. */
  async function measure(
    original: D1PreparedStatement,
    method: string,
    call: (args: unknown[]) => unknown,
    args: unknown[],
  ): Promise<unknown> {
    const { meter } = invocation;
    if (meter === undefined) return call(args);
    const isRead = reads.has(original);
    const result = isRead || method === 'all' || method === 'run' ? await call(args) : undefined;
    if (method === 'all' || method === 'run') {
      if (isResult(result)) meter.addRows(result);
      return result;
    }
    const all = await original.all<Record<string, unknown>>();
    meter.addRows(all);
    if (isRead) return result;
    const [column] = args;
    if (method === 'raw') return all.results.map((row) => Object.values(row));
    const [row = null] = all.results;
    return typeof column === 'string' ? (row?.[column] ?? null) : row;
  }
  function wrapStatement(original: D1PreparedStatement, bytes: number): D1PreparedStatement {
    const query =
      (method: string): Override =>
      (call, args) => {
        invocation.countQueries(name, method, 1);
        refuseBig(bytes);
        return invocation.recordRefusal(name, () => measure(original, method, call, args));
      };
    const wrapped = withOverrides(original, name, {
      bind: (_, values) => {
        const bound = original.bind(...values);
        if (reads.has(original)) reads.add(bound);
        return wrapStatement(bound, Math.max(0, ...values.map(countBytes)));
      },
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
    return invocation.recordRefusal(name, async () => {
      const results = await call([known.map(({ original }) => original)]);
      if (Array.isArray(results)) for (const result of results) invocation.meter?.addRows(result);
      return results;
    });
  };
  return withOverrides(db, name, {
    prepare: (_, [sql]) => {
      const statement = db.prepare(String(sql));
      if (!CHANGES.test(String(sql))) reads.add(statement);
      return wrapStatement(statement, 0);
    },
    batch,
    exec: (call, args) => {
      invocation.countQueries(name, 'exec', 1);
      return invocation.recordRefusal(name, () => call(args));
    },
  });
}
