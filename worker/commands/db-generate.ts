// npm run db:generate [-- --name NAME]: turns changes of worker/db/schema.ts into a migration.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addTableOptions } from '../db/table-options.ts';
import { readArguments, text } from './arguments.ts';
import { root, tools } from './paths.ts';
import { listMigrations, migrationsFolder } from './runtime/migrations.ts';
import { runCommand, UserError } from './user-error.ts';

const USAGE = 'Usage: npm run db:generate [-- --name NAME]';
const FOLDER = 'worker/db/migrations';

async function main(): Promise<void> {
  const { name } = readArguments(USAGE, { name: text }).values;
  const earlierMigrations = new Set(await listMigrations().catch(() => []));
  const kitArguments = ['generate', '--dialect=sqlite', '--schema=worker/db/schema.ts', `--out=${FOLDER}`];
  if (name !== undefined) kitArguments.push(`--name=${name}`);
  // drizzle-kit asks on the terminal whether a column is new or renamed.
  const { status } = spawnSync(process.execPath, [tools.drizzleKit, ...kitArguments], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new UserError('drizzle-kit failed: correct the errors above and run this again.');
  for (const file of (await listMigrations()).filter((other) => !earlierMigrations.has(other))) {
    const path = join(migrationsFolder, file);
    await writeFile(path, addTableOptions(await readFile(path, 'utf8')));
  }
}

if (import.meta.main) await runCommand(main);
