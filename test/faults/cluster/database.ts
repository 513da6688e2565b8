// Brings the database of a cluster up to the schema.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { unstable_splitSqlQuery as statementsOf } from 'wrangler';
import { root } from '../../../worker/commands/paths.ts';

const MIGRATIONS = join(root, 'worker', 'migrations');

/** Applies the migrations that a stored database lacks. */
export async function migrate(platform: Miniflare, worker: string): Promise<void> {
  const db = await platform.getD1Database('DB', worker);
  await db.prepare('CREATE TABLE IF NOT EXISTS applied (name TEXT PRIMARY KEY)').run();
  const { results } = await db.prepare('SELECT name FROM applied').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const name of (await readdir(MIGRATIONS)).sort()) {
    if (applied.has(name)) continue;
    const statements = statementsOf(await readFile(join(MIGRATIONS, name), 'utf8'));
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare('INSERT INTO applied (name) VALUES (?)').bind(name),
    ]);
  }
}
