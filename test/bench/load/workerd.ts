// Runs Workers on workerd without a proxy, with their data in a folder.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { root } from '../../../worker/commands/paths.ts';
import { applyMigrations } from '../../../worker/commands/runtime/migrations.ts';
import { bundle, fronts } from '../../faults/cluster/bundle.ts';
import type { PlatformOptions } from '../../faults/cluster/messages.ts';
import { readDeployment } from '../../faults/cluster/services.ts';

const HOST = '127.0.0.1';
const NAME = 'bench';

/** Running Workers. */
export interface RunningWorkerd {
  host: string;
  port: number;
  stop: () => Promise<void>;
}

/** A Worker that is simpler than the gateway: a script with the gateway's KV, and with the names of its objects if it has any. */
export interface PlainWorker {
  /** Its source file. */
  entry: string;
  /** Its settings. */
  vars: Readonly<Record<string, string>>;
  hasObjects?: boolean;
}

async function startPlatform(
  options: PlatformOptions & { inspectorPort?: number },
  folder: string,
): Promise<Miniflare> {
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      ...options,
      resourcePersistencePath: join(folder, 'state'),
      unsafeDirectSockets: [{ host: HOST, port: 0 }],
      // Request logs are read as on the platform, then discarded.
      handleStructuredLogs: () => {},
    }),
  );
  await platform.ready;
  return platform;
}

/** A running gateway. */
export interface RunningGateway extends RunningWorkerd {
  /** Resolves when KV contains a number of records: the single flight writes them after its answers. */
  waitForRecords: (records: number) => Promise<void>;
  /** Returns the address of the inspector of its isolate. */
  getInspectorUrl: () => Promise<URL>;
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
 * Starts the gateway as it is deployed, with its Durable Objects, KV and database.
 * @param folder - its stored data
 * @param vars - settings and secrets in addition to those of wrangler.toml
 * @param entry - source file of the Worker. Default: the deployed one
 * @param isInspected - makes its isolate available to an inspector
 */
export async function startGateway(
  folder: string,
  vars: Readonly<Record<string, string>>,
  entry: string = fronts.gateway,
  isInspected = false,
): Promise<RunningGateway> {
  const { bindings, ...deployed } = readDeployment();
  const platform = await startPlatform(
    {
      ...deployed,
      name: NAME,
      modules: true,
      script: await bundle(entry),
      bindings: { ...bindings, ENVIRONMENT: 'development', ...vars },
      ...(isInspected && { inspectorPort: 0 }),
    },
    folder,
  );
  try {
    await applyMigrations(await platform.getD1Database('DB'), join(root, 'worker', 'db', 'migrations'));
  } catch (error) {
    await platform.dispose();
    throw error;
  }
  return {
    ...(await toRunningWorkerd(platform)),
    waitForRecords: async (records) => {
      while ((await countRecords(platform)) < records) await setTimeout(POLL_MS);
    },
    getInspectorUrl: () => platform.getInspectorURL(),
  };
}

/** Starts a simpler Worker than the gateway, on the gateway's stored data if the folder has any. */
export async function startPlainWorker(
  folder: string,
  { entry, vars, hasObjects = false }: PlainWorker,
): Promise<RunningWorkerd> {
  const { compatibilityDate, compatibilityFlags, kvNamespaces, durableObjects } = readDeployment();
  return toRunningWorkerd(
    await startPlatform(
      {
        compatibilityDate,
        compatibilityFlags,
        kvNamespaces,
        ...(hasObjects && { durableObjects }),
        name: NAME,
        modules: true,
        script: await bundle(entry),
        bindings: vars,
      },
      folder,
    ),
  );
}
