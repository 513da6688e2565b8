// Reads the migrations of the production database.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unstable_splitSqlQuery as statementsOf } from 'wrangler';
import { root } from '../../../worker/commands/paths.ts';
import type { Start } from './messages.ts';

const MIGRATIONS = join(root, 'worker', 'db', 'migrations');

/** Reads the migrations, in order. */
export async function readMigrations(): Promise<Start['migrations']> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      statements: statementsOf(await readFile(join(MIGRATIONS, name), 'utf8')),
    })),
  );
}
