// Workers on real workerd, without a proxy in front; what they store is in a folder.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { bundle, fronts } from '../../faults/cluster/bundle.ts';
import type { PlatformOptions } from '../../faults/cluster/messages.ts';
import { migrate } from '../../faults/cluster/migrate.ts';
import { readMigrations } from '../../faults/cluster/migrations.ts';
import { readDeployment } from '../../faults/cluster/services.ts';

const HOST = '127.0.0.1';
const NAME = 'bench';

/** Workers that answer. */
export interface RunningWorkerd {
  host: string;
  port: number;
  stop: () => Promise<void>;
}

/** A Worker that is compared with the gateway: a script with the gateway's KV. */
export interface PlainWorker {
  /** Its source. */
  entry: string;
  /** Settings. */
  vars: Readonly<Record<string, string>>;
}

async function startPlatform(options: PlatformOptions, folder: string): Promise<Miniflare> {
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      ...options,
      resourcePersistencePath: join(folder, 'state'),
      unsafeDirectSockets: [{ host: HOST, port: 0 }],
      // The log has a line for each request: read, as a platform reads it, and thrown away.
      handleStructuredLogs: () => {},
    }),
  );
  await platform.ready;
  return platform;
}

/** A gateway that answers. */
export interface RunningGateway extends RunningWorkerd {
  /** Resolves when so many records stand in KV: flights write them behind their answers. */
  waitForRecords: (records: number) => Promise<void>;
}

const POLL_MS = 200;

async function countRecords(platform: Miniflare): Promise<number> {
  const kv = await platform.getKVNamespace('RECORDS');
  let count = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await kv.list({ prefix: 'record:', ...(cursor === undefined ? {} : { cursor }) });
    count += page.keys.length;
    if (page.list_complete) return count;
    cursor = page.cursor;
  }
}

async function toRunningWorkerd(platform: Miniflare): Promise<RunningWorkerd> {
  const { port } = await platform.unsafeGetDirectURL(NAME);
  return { host: HOST, port: Number(port), stop: () => platform.dispose() };
}

/**
 * Starts the gateway as it is deployed, with its objects, KV and database.
 * @param folder - where everything is stored
 * @param vars - settings and secrets in addition to those of wrangler.toml
 */
export async function startGateway(
  folder: string,
  vars: Readonly<Record<string, string>>,
): Promise<RunningGateway> {
  const { bindings, ...deployed } = readDeployment();
  const platform = await startPlatform(
    {
      ...deployed,
      name: NAME,
      modules: true,
      script: await bundle(fronts.gateway),
      bindings: { ...bindings, ENVIRONMENT: 'development', ...vars },
    },
    folder,
  );
  try {
    await migrate(await platform.getD1Database('DB'), await readMigrations());
  } catch (error) {
    await platform.dispose();
    throw error;
  }
  return {
    ...(await toRunningWorkerd(platform)),
    waitForRecords: async (records) => {
      while ((await countRecords(platform)) < records) await setTimeout(POLL_MS);
    },
  };
}

/** Starts a Worker that is compared with the gateway, on what the gateway has stored in that folder. */
export async function startPlainWorker(
  folder: string,
  { entry, vars }: PlainWorker,
): Promise<RunningWorkerd> {
  const { compatibilityDate, compatibilityFlags, kvNamespaces } = readDeployment();
  return toRunningWorkerd(
    await startPlatform(
      {
        compatibilityDate,
        compatibilityFlags,
        kvNamespaces,
        name: NAME,
        modules: true,
        script: await bundle(entry),
        bindings: vars,
      },
      folder,
    ),
  );
}
