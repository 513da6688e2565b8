// Variants of the ladder bench: servers on workerd that answer with 2 KB.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Task, VariantModule } from '../harness/bench.ts';
import { dispatchByName } from '../harness/by-name.ts';
import { measureLoad } from '../load/measure.ts';
import { CACHED_RECORDS, copyState, readPreload, startPreloadedGateway } from '../load/preloaded-gateway.ts';
import { startProvider } from '../load/provider.ts';
import { FAMILY, SHORTHAND_NAME_PREFIX } from '../load/records.ts';
import { formatCollect } from '../load/request-text.ts';
import { type PlainWorker, type RunningWorkerd, startPlainWorker } from '../load/workerd.ts';
import { DISTANCE_MS } from './report.ts';

const SERVER_COMMAND = 'workerd';
/** Records that a few people's spreadsheets use. */
const RECORDS_IN_MEMORY = 100;
/** Ids that no round exhausts. */
const UNUSED_IDS = { from: 10_000_000, count: 1_000_000_000 };

const idRanges = {
  memory: { from: 1, count: RECORDS_IN_MEMORY },
  kv: { from: 1, count: CACHED_RECORDS },
  fresh: UNUSED_IDS,
} as const;

/** Responses until a variant is warm; a miss must warm up all its Durable Objects. */
const WARM_UP_RESPONSES = { memory: 10_000, kv: 4_000, fresh: 3_000 } as const;

/** Requested records: a few, all cached ones, or each only once. */
type IdRange = keyof typeof idRanges;

type PlainName = 'hello' | 'hono' | 'proxy' | 'kv';

function hashProviderUrl(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}

async function startPlainRow(name: PlainName, { dir, sharedDir }: Task): Promise<RunningWorkerd> {
  const preload = await readPreload(sharedDir);
  const origin = `http://127.0.0.1:${preload.port}`;
  const plain: PlainWorker = {
    entry: fileURLToPath(new URL(`./workers/${name}.ts`, import.meta.url)),
    vars: {
      ORIGIN: origin,
      KEY: preload.apiKey,
      PLACE: `record:${hashProviderUrl(`${origin}/cdapi`)}:${FAMILY}:id:`,
    },
  };
  const removeCopy = name === 'kv' ? await copyState(sharedDir, dir) : async (): Promise<void> => {};
  const provider = name === 'proxy' ? await startProvider(preload.port) : undefined;
  const worker = await startPlainWorker(dir, plain);
  return {
    ...worker,
    stop: async () => {
      await worker.stop();
      provider?.stop();
      await removeCopy();
    },
  };
}

/** Creates a variant with a minimal Worker. */
function createPlainRow(name: PlainName, idRange: IdRange): VariantModule {
  return {
    async measure(task) {
      const { host, port, stop } = await startPlainRow(name, task);
      try {
        const template = { host, port, text: formatCollect('none'), ...idRanges[idRange] };
        return await measureLoad(
          { template, server: SERVER_COMMAND, warmUpResponses: WARM_UP_RESPONSES[idRange] },
          task.quick,
        );
      } finally {
        await stop();
      }
    },
  };
}

/** Differences from a deployment. */
interface GatewayOptions {
  /** Settings. */
  vars?: Readonly<Record<string, string>>;
  /** Stores everything in memory, as if the disk took no time. */
  withoutDisk?: boolean;
  /** Source file of the Worker. */
  entry?: string;
  /** Prefix of the requested keys. */
  keyPrefix?: string;
  /** Responses until the variant is warm. */
  warmUpResponses?: number;
}

/** A memory file system on Linux. */
const MEMORY_FOLDER = '/dev/shm';

/** Creates a variant with the gateway. @param cache - expected `x-cache` header of every response */
function createGatewayRow(
  idRange: IdRange,
  cache: string,
  {
    vars = {},
    withoutDisk = false,
    entry,
    keyPrefix,
    warmUpResponses = WARM_UP_RESPONSES[idRange],
  }: GatewayOptions = {},
): VariantModule {
  return {
    async missing() {
      if (!withoutDisk || existsSync(MEMORY_FOLDER)) return undefined;
      return `It stores in ${MEMORY_FOLDER}, which Linux has.`;
    },
    async measure({ dir, sharedDir, quick }) {
      const folder = withoutDisk ? await mkdtemp(join(MEMORY_FOLDER, 'bench-')) : dir;
      try {
        const { host, port, token, stop } = await startPreloadedGateway(sharedDir, folder, 0, vars, entry);
        try {
          const template = { host, port, text: formatCollect(token, keyPrefix), ...idRanges[idRange] };
          return await measureLoad({ template, server: SERVER_COMMAND, cache, warmUpResponses }, quick);
        } finally {
          await stop();
        }
      } finally {
        if (withoutDisk) await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

export const variant = dispatchByName({
  hello: createPlainRow('hello', 'memory'),
  hono: createPlainRow('hono', 'memory'),
  'memory-hit': createGatewayRow('memory', 'hit'),
  'memory-hit-logged': createGatewayRow('memory', 'hit', { vars: { REQUEST_LOG: 'all' } }),
  kv: createPlainRow('kv', 'kv'),
  'kv-hit': createGatewayRow('kv', 'hit'),
  'cold-hit': createGatewayRow('memory', 'hit', {
    entry: fileURLToPath(new URL('./workers/cold.ts', import.meta.url)),
    vars: { DISTANCE_MS: String(DISTANCE_MS) },
    keyPrefix: SHORTHAND_NAME_PREFIX,
    warmUpResponses: 100,
  }),
  proxy: createPlainRow('proxy', 'fresh'),
  miss: createGatewayRow('fresh', 'miss'),
  'miss-without-disk': createGatewayRow('fresh', 'miss', { withoutDisk: true }),
});
