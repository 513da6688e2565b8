// The bench's Worker on real workerd: without a proxy in front, its database in a folder.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_splitSqlQuery as statementsOf } from 'wrangler';
import { root } from '../../../worker/commands/paths.ts';

const ENTRY = fileURLToPath(new URL('./worker/worker.ts', import.meta.url));
const MIGRATIONS = join(root, 'worker', 'provider', 'migrations');
const HOST = '127.0.0.1';

/** A Worker that answers. */
export interface RunningWorker {
  url: URL;
  stop: () => Promise<void>;
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    write: false,
    logLevel: 'error',
  });
  return outputFiles.map((file) => file.text).join('\n');
}

/** @param dir - where its database is kept */
async function start(dir: string): Promise<Miniflare> {
  return new Miniflare(
    convertV4MiniflareOptions({
      name: 'bench',
      modules: true,
      script: await bundle(),
      compatibilityDate: '2026-09-01',
      d1Databases: { DB: 'bench' },
      resourcePersistencePath: join(dir, 'state'),
      unsafeDirectSockets: [{ host: HOST, port: 0 }],
    }),
  );
}

/** Makes the database's tables. */
export async function makeDatabase(dir: string): Promise<void> {
  const server = await start(dir);
  try {
    const db = await server.getD1Database('DB');
    for (const name of (await readdir(MIGRATIONS)).sort()) {
      const sql = await readFile(join(MIGRATIONS, name), 'utf8');
      await db.batch(statementsOf(sql).map((statement) => db.prepare(statement)));
    }
  } finally {
    await server.dispose();
  }
}

/** Starts the Worker on a database that was made. */
export async function startWorker(dir: string): Promise<RunningWorker> {
  const server = await start(dir);
  await server.ready;
  return { url: await server.unsafeGetDirectURL(), stop: () => server.dispose() };
}
