// The rows of the ladder, each a server on one workerd that answers 2 KB.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Task, VariantModule } from '../harness/bench.ts';
import { byName } from '../harness/by-name.ts';
import { drive } from '../load/drive.ts';
import { startProvider } from '../load/provider.ts';
import { FAMILY } from '../load/records.ts';
import { collectText } from '../load/request-text.ts';
import { copyStock, REMEMBERED, readStock, startStocked } from '../load/stocked.ts';
import { type Plain, type RunningWorkerd, startPlain } from '../load/workerd.ts';

const SERVER = 'workerd';
/** What a spreadsheet of a few people has in use. */
const IN_MEMORY = 100;
/** Ids that no round comes to the end of. */
const NEVER_ASKED = { from: 10_000_000, count: 1_000_000_000 };

const numbers = {
  memory: { from: 1, count: IN_MEMORY },
  kv: { from: 1, count: REMEMBERED },
  fresh: NEVER_ASKED,
} as const;

/** Answers until a row is warm: for a miss, until each of its objects has answered often. */
const WARM = { memory: 10_000, kv: 4_000, fresh: 3_000 } as const;

/** Which records are asked: few, all that are remembered, or none twice. */
type Numbers = keyof typeof numbers;

type PlainName = 'hello' | 'hono' | 'proxy' | 'kv';

function identityOf(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}

async function startRow(name: PlainName, { dir, shared }: Task): Promise<RunningWorkerd> {
  const kept = await readStock(shared);
  const origin = `http://127.0.0.1:${kept.port}`;
  const plain: Plain = {
    entry: fileURLToPath(new URL(`./workers/${name}.ts`, import.meta.url)),
    vars: {
      ORIGIN: origin,
      KEY: kept.apiKey,
      PLACE: `record:${identityOf(`${origin}/cdapi`)}:${FAMILY}:id:`,
    },
  };
  const endCopy = name === 'kv' ? await copyStock(shared, dir) : async (): Promise<void> => {};
  const provider = name === 'proxy' ? await startProvider(kept.port) : undefined;
  const worker = await startPlain(dir, plain);
  return {
    ...worker,
    stop: async () => {
      await worker.stop();
      provider?.stop();
      await endCopy();
    },
  };
}

/** A row with a Worker that is no gateway. */
function plainRow(name: PlainName, asked: Numbers): VariantModule {
  return {
    async measure(task) {
      const { host, port, stop } = await startRow(name, task);
      try {
        const question = { host, port, text: collectText('none'), ...numbers[asked] };
        return await drive({ question, server: SERVER, warmUpAnswers: WARM[asked] }, task.quick);
      } finally {
        await stop();
      }
    },
  };
}

/** How a row with this gateway differs from a deployment. */
interface Differently {
  /** Settings. */
  vars?: Readonly<Record<string, string>>;
  /** Is everything stored in memory, as if a disk took no time? */
  withoutDisk?: boolean;
}

/** Linux keeps what stands here in memory. */
const MEMORY_FOLDER = '/dev/shm';

/**
 * A row with this gateway.
 * @param cache - what every answer says of itself
 */
function gatewayRow(
  asked: Numbers,
  cache: string,
  { vars = {}, withoutDisk = false }: Differently = {},
): VariantModule {
  return {
    async missing() {
      if (!withoutDisk || existsSync(MEMORY_FOLDER)) return undefined;
      return `It stores in ${MEMORY_FOLDER}, which Linux has.`;
    },
    async measure({ dir, shared, quick }) {
      const folder = withoutDisk ? await mkdtemp(join(MEMORY_FOLDER, 'bench-')) : dir;
      try {
        const { host, port, token, stop } = await startStocked(shared, folder, 0, vars);
        try {
          const question = { host, port, text: collectText(token), ...numbers[asked] };
          return await drive({ question, server: SERVER, cache, warmUpAnswers: WARM[asked] }, quick);
        } finally {
          await stop();
        }
      } finally {
        if (withoutDisk) await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

export const variant = byName({
  hello: plainRow('hello', 'memory'),
  hono: plainRow('hono', 'memory'),
  'memory-hit': gatewayRow('memory', 'hit'),
  'memory-hit-logged': gatewayRow('memory', 'hit', { vars: { REQUEST_LOG: 'all' } }),
  kv: plainRow('kv', 'kv'),
  'kv-hit': gatewayRow('kv', 'hit'),
  proxy: plainRow('proxy', 'fresh'),
  miss: gatewayRow('fresh', 'miss'),
  'miss-without-disk': gatewayRow('fresh', 'miss', { withoutDisk: true }),
});
