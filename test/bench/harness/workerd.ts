// A bench's own Worker on real workerd: without a proxy in front, its database in a folder.
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { bundle } from '../../faults/cluster/bundle.ts';

const HOST = '127.0.0.1';

/** A database of D1, from outside of workerd. */
export type BenchDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** A Worker that answers. */
export interface RunningWorker {
  url: URL;
  stop: () => Promise<void>;
}

/**
 * Starts a Worker with the database `DB`.
 * @param entry - its source
 * @param dir - where it is kept
 * @param makeTables - makes the database's tables, where it is new
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
