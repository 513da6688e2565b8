// Brings the stored databases of a development instance up to the schema, when the schema has changed.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.ts';
import { writePrivate } from './session.ts';
import { runProgram } from './wrangler.ts';

/** Of the databases of a development instance. */
const folders = ['worker/migrations', 'worker/provider/migrations'] as const;

async function schemaHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const migrations of folders) {
    for (const name of (await readdir(join(root, migrations))).sort()) {
      hash.update(name).update(await readFile(join(root, migrations, name)));
    }
  }
  return hash.digest('hex');
}

/**
 * Applies the migrations that local databases lack.
 * @param config - the wrangler configuration that names them
 * @param stateDir - where the platform keeps its data
 * @param env - an environment of the configuration; undefined for none
 * @param signal - stops it; a migration that was not applied whole then is applied the next time
 */
export function applyMigrations(
  config: string,
  stateDir: string,
  env: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const script = join(import.meta.dirname, 'apply-migrations.ts');
  return runProgram(script, [config, stateDir, ...(env === undefined ? [] : [env])], signal);
}

/**
 * Applies the migrations that a stored instance lacks, where the schema has changed since it was stored.
 * @param stateDir - where the platform keeps its data
 * @param signal - stops it; what was not applied then is applied the next time
 */
export async function migrate(stateDir: string, signal?: AbortSignal): Promise<void> {
  const marker = join(stateDir, 'schema');
  const wanted = await schemaHash();
  const present = await readFile(marker, 'utf8').catch(() => '');
  if (present === wanted) return;
  await applyMigrations(join(root, 'wrangler.toml'), stateDir, 'dev', signal);
  await writePrivate(marker, wanted);
}
