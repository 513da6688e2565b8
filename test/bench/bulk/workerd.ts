// The bench's Worker on real workerd, without a proxy in front; its bucket and its database are in a folder.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { bundle } from '../../faults/cluster/bundle.ts';
import { migrate } from '../../faults/cluster/migrate.ts';
import { readMigrations } from '../../faults/cluster/migrations.ts';

const ENTRY = fileURLToPath(new URL('./worker/worker.ts', import.meta.url));
const HOST = '127.0.0.1';

/** A Worker that answers. */
export interface RunningWorker {
  url: URL;
  stop: () => Promise<void>;
}

/** Starts the Worker on an empty bucket and the gateway's tables. @param dir - where they are kept */
export async function startWorker(dir: string): Promise<RunningWorker> {
  const server = new Miniflare(
    convertV4MiniflareOptions({
      name: 'bench',
      modules: true,
      script: await bundle(ENTRY),
      compatibilityDate: '2026-09-01',
      d1Databases: { DB: 'bench' },
      r2Buckets: { FILES: 'bench' },
      resourcePersistencePath: join(dir, 'state'),
      unsafeDirectSockets: [{ host: HOST, port: 0 }],
    }),
  );
  try {
    await migrate(await server.getD1Database('DB'), await readMigrations());
  } catch (error) {
    await server.dispose();
    throw error;
  }
  return { url: await server.unsafeGetDirectURL(), stop: () => server.dispose() };
}
