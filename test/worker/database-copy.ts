// A copy of D1 that a test can put back, as Time Travel does.
import { env } from 'cloudflare:workers';

/** Tables with their rows. */
export type DatabaseCopy = ReadonlyMap<string, readonly Record<string, unknown>[]>;

const LIST_TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'";

/** Copies all rows of D1. */
export async function copyDatabase(): Promise<DatabaseCopy> {
  const { results } = await env.DB.prepare(LIST_TABLES).all<{ name: string }>();
  const copy = new Map<string, Record<string, unknown>[]>();
  for (const { name } of results) {
    const rows = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    copy.set(name, rows.results);
  }
  return copy;
}

/** Replaces all rows of D1 with those of a copy. */
export async function putBack(copy: DatabaseCopy): Promise<void> {
  const inserts = [...copy].flatMap(([name, rows]) =>
    rows.map((row) => {
      const columns = Object.keys(row);
      const values = columns.map(() => '?').join(', ');
      const list = columns.map((column) => `"${column}"`).join(', ');
      return env.DB.prepare(`INSERT INTO "${name}" (${list}) VALUES (${values})`).bind(...Object.values(row));
    }),
  );
  await env.DB.batch([
    env.DB.prepare('PRAGMA defer_foreign_keys = on'),
    ...[...copy.keys()].map((name) => env.DB.prepare(`DELETE FROM "${name}"`)),
    ...inserts,
  ]);
}
