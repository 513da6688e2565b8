// Migrates the database of a cluster.
import type { Miniflare } from 'miniflare';
import type { Start } from './messages.ts';

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** Applies the missing migrations. */
export async function migrate(db: Database, migrations: Start['migrations']): Promise<void> {
  await db.prepare('CREATE TABLE IF NOT EXISTS applied (name TEXT PRIMARY KEY)').run();
  const { results } = await db.prepare('SELECT name FROM applied').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue;
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare('INSERT INTO applied (name) VALUES (?)').bind(name),
    ]);
  }
}
