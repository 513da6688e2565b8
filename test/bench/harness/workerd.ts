// Runs a bench's own Worker on workerd without a proxy, with its database in a folder.
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { bundle } from '../../faults/cluster/bundle.ts';

const HOST = '127.0.0.1';

/** A D1 database as Miniflare exposes it outside workerd. */
export type BenchDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** A running Worker. */
export interface RunningWorker {
  url: URL;
  stop: () => Promise<void>;
}

/**
 * Starts a Worker with the database `DB`.
 * @param entry - its source file
 * @param dir - folder of its database
 * @param makeTables - creates the tables of a new database
 */
export async function startBenchWorker(
  entry: string,
  dir: string,
  makeTables?: (db: BenchDatabase) => Promise<void>,
): Promise<RunningWorker> {
  const server = new Miniflare(
    convertV4MiniflareOptions({
      name: 'bench',
      modules: true,
      script: await bundle(entry),
      compatibilityDate: '2026-09-01',
      d1Databases: { DB: 'bench' },
      resourcePersistencePath: join(dir, 'state'),
      unsafeDirectSockets: [{ host: HOST, port: 0 }],
    }),
  );
  try {
    await makeTables?.(await server.getD1Database('DB'));
    return { url: await server.unsafeGetDirectURL(), stop: () => server.dispose() };
  } catch (error) {
    await server.dispose();
    throw error;
  }
}
