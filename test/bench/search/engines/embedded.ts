// Ours: the embedded engine on D1 in workerd, asked over HTTP.
import * as z from 'zod';
import type { Task, VariantModule } from '../../harness/bench.ts';
import { companyLines, givenSchema } from '../companies.ts';
import { answerAll, drive, type Engine, HITS } from '../drive.ts';
import { NOW, queries } from '../queries.ts';
import { makeDatabase, type RunningWorker, startWorker } from '../workerd.ts';

/** Records that are put in at once, as the importer does. */
const BATCH = 250;

const answerSchema = z.object({
  total: z.number(),
  ids: z.array(z.string()),
  scores: z.array(z.number()),
  inside: z.number(),
  waited: z.number(),
  sql: z.number(),
  calls: z.number(),
});

const asked = [...queries.keys()];

async function post(worker: RunningWorker, path: string, body: string): Promise<unknown> {
  const response = await fetch(new URL(path, worker.url), { method: 'POST', body });
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 2_000)}`);
  return response.json();
}

async function* batches(shared: string): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const line of companyLines(shared)) {
    batch.push(line);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function search(worker: RunningWorker, query: number, size: number, repeat: number) {
  const body = JSON.stringify({ query: queries[query]?.query, now: NOW, size, repeat });
  const start = performance.now();
  const answer = await post(worker, '/search', body);
  const ms = performance.now() - start;
  return { ...answerSchema.parse(answer), ms };
}

async function open({ dir, given }: Task): Promise<Engine> {
  const { count } = givenSchema.parse(given);
  const worker = await startWorker(dir);
  return {
    async ask(query, repeat) {
      const answer = await search(worker, query, HITS, repeat);
      const { total, ids, ms, inside, waited, sql, calls } = answer;
      const parts = { sql, passing: waited - sql, own: inside - waited, http: ms - inside, calls };
      return { total, ids, ms, parts };
    },
    async askAll(query) {
      const { ids, scores } = await search(worker, query, count, 1);
      return { query, ids, scores };
    },
    close: worker.stop,
  };
}

async function fill({ dir, shared }: Task): Promise<void> {
  const worker = await startWorker(dir);
  try {
    for await (const batch of batches(shared)) await post(worker, '/records', `[${batch.join(',')}]`);
  } finally {
    await worker.stop();
  }
}

export const variant: VariantModule = {
  async prepare(task) {
    await makeDatabase(task.dir);
    await fill(task);
    const engine = await open(task);
    try {
      await answerAll(engine, { name: 'ours', asked, shared: task.shared });
    } finally {
      await engine.close();
    }
  },
  async measure(task) {
    const engine = await open(task);
    try {
      return await drive(engine, asked, task.quick);
    } finally {
      await engine.close();
    }
  },
};
