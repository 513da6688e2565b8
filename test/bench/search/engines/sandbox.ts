// The sandbox's engine on D1 in workerd, called over HTTP.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unstable_splitSqlQuery as statementsOf } from 'wrangler';
import * as z from 'zod';
import { root } from '../../../../worker/commands/paths.ts';
import { type BenchDatabase, type RunningWorker, startBenchWorker } from '../../harness/workerd.ts';
import { readCompanies } from '../companies.ts';
import { createEngineVariant } from '../measure.ts';
import { queries } from '../queries.ts';

const ENTRY = fileURLToPath(new URL('../worker/worker.ts', import.meta.url));
const MIGRATIONS = join(root, 'worker', 'sandbox', 'migrations');
/** Records per request. */
const BATCH = 250;

const answerSchema = z.object({ total: z.number(), ids: z.array(z.string()), scores: z.array(z.number()) });

async function createTables(db: BenchDatabase): Promise<void> {
  for (const name of (await readdir(MIGRATIONS)).sort()) {
    const sql = await readFile(join(MIGRATIONS, name), 'utf8');
    await db.batch(statementsOf(sql).map((statement) => db.prepare(statement)));
  }
}

async function post({ url }: RunningWorker, path: string, body: string): Promise<unknown> {
  const response = await fetch(new URL(path, url), { method: 'POST', body });
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 2_000)}`);
  return response.json();
}

export const variant = createEngineVariant(
  async ({ dir, sharedDir }) => {
    const worker = await startBenchWorker(ENTRY, dir, createTables);
    try {
      const lines: string[] = [];
      for await (const line of readCompanies(sharedDir)) lines.push(line);
      for (let at = 0; at < lines.length; at += BATCH)
        await post(worker, '/records', `[${lines.slice(at, at + BATCH).join(',')}]`);
    } finally {
      await worker.stop();
    }
  },
  async ({ dir }) => {
    const worker = await startBenchWorker(ENTRY, dir);
    return {
      async search(query, size, repeat) {
        const body = JSON.stringify({ query: queries[query]?.query, size, repeat });
        const start = performance.now();
        const answer = await post(worker, '/search', body);
        return { ...answerSchema.parse(answer), ms: performance.now() - start };
      },
      close: worker.stop,
    };
  },
);
