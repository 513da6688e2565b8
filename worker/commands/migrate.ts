// Brings the stored databases of a development instance up to the schema, when the schema has changed.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.ts';
import { writePrivate } from './session.ts';
import { runWrangler } from './wrangler.ts';

const databases = [
  { binding: 'DB', migrations: 'worker/migrations' },
  { binding: 'PROVIDER_DB', migrations: 'worker/provider/migrations' },
] as const;

async function schemaHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const { migrations } of databases) {
    for (const name of (await readdir(join(root, migrations))).sort()) {
      hash.update(name).update(await readFile(join(root, migrations, name)));
    }
  }
  return hash.digest('hex');
}

/**
 * Applies the migrations that a stored instance lacks.
 * @param stateDir - where the platform keeps its data
 * @param signal - stops it; what was not applied then is applied the next time
 */
export async function migrate(stateDir: string, signal?: AbortSignal): Promise<void> {
  const marker = join(stateDir, 'schema');
  const wanted = await schemaHash();
  const present = await readFile(marker, 'utf8').catch(() => '');
  if (present === wanted) return;
  for (const { binding } of databases) {
    const target = ['--local', '--env', 'dev', '--persist-to', stateDir];
    await runWrangler(['d1', 'migrations', 'apply', binding, ...target], signal);
  }
  await writePrivate(marker, wanted);
}
