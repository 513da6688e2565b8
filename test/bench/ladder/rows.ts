// Variants of the ladder bench that run on workerd.
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { Task, VariantModule } from '../harness/bench.ts';
import { startGenerator } from '../load/load.ts';
import { measureLoad } from '../load/measure.ts';
import { CACHED_RECORDS, copyState, readPreload, startPreloadedGateway } from '../load/preloaded-gateway.ts';
import { startProvider } from '../load/provider.ts';
import { FAMILY, SHORTHAND_NAME_PREFIX } from '../load/records.ts';
import { formatCollect, formatPost } from '../load/request-text.ts';
import { type PlainWorker, type RunningWorkerd, startPlainWorker } from '../load/workerd.ts';
import { type Counts, countsSchema, DISTANCE_MS, MISS_COUNTS } from './report.ts';

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

type PlainName = 'hono' | 'floor' | 'proxy' | 'kv' | 'miss-floor';

/** Measures one round of a variant. */
type Measure = VariantModule['measure'];

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
    hasObjects: name === 'miss-floor',
  };
  const removeCopy = name === 'kv' ? await copyState(sharedDir, dir) : async (): Promise<void> => {};
  const callsProvider = name === 'proxy' || name === 'miss-floor';
  const provider = callsProvider ? await startProvider(preload.port) : undefined;
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

/** Creates a variant with a minimal Worker. @param cache - `x-cache` header of its responses */
function createPlainRow(name: PlainName, idRange: IdRange, cache?: string): Measure {
  return async (task) => {
    const { host, port, stop } = await startPlainRow(name, task);
    try {
      const template = { host, port, text: formatCollect('none'), ...idRanges[idRange] };
      const warmUpResponses = WARM_UP_RESPONSES[idRange];
      const target = { template, server: SERVER_COMMAND, warmUpResponses, ...(cache && { cache }) };
      return await measureLoad(target, task.quick);
    } finally {
      await stop();
    }
  };
}

/** Differences from a deployment, and from single calls. */
interface GatewayOptions {
  /** Settings. */
  vars?: Readonly<Record<string, string>>;
  /** Source file of the Worker. */
  entry?: string;
  /** Prefix of the requested keys. */
  keyPrefix?: string;
  /** Responses until the variant is warm. */
  warmUpResponses?: number;
}

/** Creates a variant with the gateway. @param cache - expected `x-cache` header of every response */
function createGatewayRow(
  idRange: IdRange,
  cache: string,
  { vars = {}, entry, keyPrefix, warmUpResponses = WARM_UP_RESPONSES[idRange] }: GatewayOptions = {},
): Measure {
  return async ({ dir, sharedDir, quick }) => {
    const { host, port, token, stop } = await startPreloadedGateway(sharedDir, dir, vars, entry);
    try {
      const template = { host, port, text: formatCollect(token, keyPrefix), ...idRanges[idRange] };
      return await measureLoad({ template, server: SERVER_COMMAND, cache, warmUpResponses }, quick);
    } finally {
      await stop();
    }
  };
}

/** Records of a lookup: the maximum. */
export const LOOKUP_SIZE = 1_000;

/** One lookup of many records from memory, as the add-on sends it. */
const measureLookup: Measure = async ({ dir, sharedDir, quick }) => {
  const { host, port, token, lookup, stop } = await startPreloadedGateway(sharedDir, dir);
  try {
    const keys = Array.from({ length: LOOKUP_SIZE }, (_, at) => String(1 + at));
    const body: LookupRequest = { family: FAMILY, by: 'id', keys };
    const bad = (await lookup(body)).rows.find(({ status }) => status !== 'hit');
    if (bad !== undefined) throw new Error(`${bad.key} is not cached: ${bad.status}`);
    const text = formatPost('/sheets/v1/lookup', { authorization: `Bearer ${token}` }, body);
    const template = { host, port, text, ...idRanges.memory };
    return await measureLoad({ template, server: SERVER_COMMAND, warmUpResponses: 100 }, quick);
  } finally {
    await stop();
  }
};

/** Misses that are counted, after as many that create tables and rows of the day. */
const COUNTED_MISSES = 200;
/** The work after a response ends when nothing is counted for so long. */
const QUIET_MS = 3_000;

/** Counts what misses use, one after the other, with the work after their responses. */
const countMisses: Measure = async ({ dir, sharedDir }) => {
  const entry = fileURLToPath(new URL('./workers/counted.ts', import.meta.url));
  const { host, port, token, stop } = await startPreloadedGateway(sharedDir, dir, {}, entry);
  const readCounts = async (): Promise<Counts> =>
    countsSchema.parse(await (await fetch(`http://${host}:${port}/counts`)).json());
  const count = async (): Promise<Counts> => {
    await generator.run({ connections: 1, requests: COUNTED_MISSES });
    const sum: Counts = {};
    for (let isQuiet = false; !isQuiet; ) {
      await setTimeout(QUIET_MS);
      const more = Object.entries(await readCounts());
      for (const [name, amount] of more) sum[name] = (sum[name] ?? 0) + amount / COUNTED_MISSES;
      isQuiet = more.length === 0;
    }
    return sum;
  };
  const template = { host, port, text: formatCollect(token), ...idRanges.fresh };
  const generator = await startGenerator(template, SERVER_COMMAND);
  try {
    await count();
    return await count();
  } finally {
    generator.stop();
    await stop();
  }
};

const rows: Readonly<Record<string, Measure>> = {
  hono: createPlainRow('hono', 'memory'),
  floor: createPlainRow('floor', 'memory', 'hit'),
  'memory-hit': createGatewayRow('memory', 'hit'),
  lookup: measureLookup,
  kv: createPlainRow('kv', 'kv'),
  'kv-hit': createGatewayRow('kv', 'hit'),
  'cold-hit': createGatewayRow('memory', 'hit', {
    entry: fileURLToPath(new URL('./workers/cold.ts', import.meta.url)),
    vars: { DISTANCE_MS: String(DISTANCE_MS) },
    keyPrefix: SHORTHAND_NAME_PREFIX,
    warmUpResponses: 100,
  }),
  proxy: createPlainRow('proxy', 'fresh'),
  'miss-floor': createPlainRow('miss-floor', 'fresh'),
  miss: createGatewayRow('fresh', 'miss'),
  [MISS_COUNTS]: countMisses,
};

export const variant: VariantModule = {
  async measure(task) {
    const measure = rows[task.name];
    if (measure === undefined) throw new Error(`there is no variant ${task.name}`);
    return measure(task);
  },
};
