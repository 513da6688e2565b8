// Applies the D1 migrations of a wrangler configuration to local databases.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { unstable_splitSqlQuery as splitStatements } from 'wrangler';
import { root } from '../paths.ts';

export const migrationsFolder = join(root, 'worker', 'db', 'migrations');

/** Lists the names of migrations in order. */
export const listMigrations = async (folder = migrationsFolder): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** The same table as `wrangler d1 migrations` uses, so that either tool can continue after the other. */
export const CREATE_APPLIED_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/**
 * Applies missing migrations, each one atomically.
 * @param folder - the migrations as `.sql` files, applied in the order of their names
 * @returns an applied migration that the folder lacks, in which case nothing is applied; otherwise undefined
 */
export async function applyMigrations(database: Database, folder: string): Promise<string | undefined> {
  await database.prepare(CREATE_APPLIED_TABLE).all();
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all();
  const applied = new Set(results.map(({ name }) => String(name)));
  const files = await listMigrations(folder);
  const unknown = [...applied].find((name) => !files.includes(name));
  if (unknown !== undefined) return unknown;
  for (const name of files.filter((file) => !applied.has(file))) {
    const statements = splitStatements(await readFile(join(folder, name), 'utf8'));
    await database.batch([
      ...statements.map((statement) => database.prepare(statement)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
  return undefined;
}
