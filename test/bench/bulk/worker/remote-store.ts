// A bucket and a database behind HTTP, like R2 and D1 in a deployment: each call is one request.
import type { RowStore } from '../../../../worker/data-requests/ingest/index.ts';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';

async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`The storage answered ${response.status}.`);
  return response;
}

function throwUnused(): never {
  throw new Error('The ingest of a new file does not call this.');
}

class Statement implements D1PreparedStatement {
  readonly #origin: string;
  readonly sql: string;
  readonly values: readonly unknown[];

  constructor(origin: string, sql: string, values: readonly unknown[]) {
    this.#origin = origin;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: unknown[]): Statement {
    return new Statement(this.#origin, this.sql, values);
  }

  async run<T>(): Promise<D1Result<T>> {
    const [result] = await runBatch<T>(this.#origin, [this]);
    return result ?? throwUnused();
  }

  all<T>(): Promise<D1Result<T>> {
    return this.run();
  }

  first = throwUnused;
  raw = throwUnused;
}

const emptyMeta: D1Meta & Record<string, unknown> = {
  duration: 0,
  size_after: 0,
  rows_read: 0,
  rows_written: 0,
  last_row_id: 0,
  changed_db: false,
  changes: 0,
};

async function runBatch<T>(
  origin: string,
  statements: readonly D1PreparedStatement[],
): Promise<D1Result<T>[]> {
  const remoteStatements = statements.filter((statement) => statement instanceof Statement);
  const body = JSON.stringify(remoteStatements.map(({ sql, values }) => ({ sql, values })));
  const response = await send(`${origin}/database`, { method: 'POST', body });
  const all = await response.json<T[][]>();
  return all.map((results) => ({ success: true, results, meta: emptyMeta }));
}

/** Creates the store. @param origin - of the fake services */
export function createRemoteStore(origin: string): RowStore {
  const db: D1Database = {
    prepare: (sql) => new Statement(origin, sql, []),
    batch: (statements) => runBatch(origin, statements),
    exec: throwUnused,
    withSession: throwUnused,
    dump: throwUnused,
  };
  return {
    bucket: {
      get: throwUnused,
      put: (key, body) => send(`${origin}/bucket/${key}`, { method: 'PUT', body }),
      // No earlier attempt has left files.
      list: async () => ({ objects: [], delimitedPrefixes: [], truncated: false }),
      delete: throwUnused,
    },
    db,
    loadPseudonyms: () => Pseudonyms.load({ DB: db, PSEUDONYM_SECRET: 'x'.repeat(32) }),
  };
}
