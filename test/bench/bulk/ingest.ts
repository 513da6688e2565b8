// A variant of the bulk bench: workerd downloads and ingests a file while its memory is sampled.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { VariantModule } from '../harness/bench.ts';
import { measureUsage } from '../harness/usage.ts';
import { startPlainWorker } from '../load/workerd.ts';
import { parametersSchema } from './data.ts';
import { type FakeServices, startFakeServices } from './fake-services.ts';
import type { Figure } from './figures.ts';

const ENTRY = fileURLToPath(new URL('./worker/worker.ts', import.meta.url));
const SERVER_COMMAND = 'workerd';
const SAMPLE_MS = 200;

const reportSchema = z.object({ rows: z.number(), bytes: z.number(), truncation: z.null() });

/** Samples the memory. @returns a function that stops sampling and returns the peak */
function watchMemory(): () => Promise<number | undefined> {
  let peak: number | undefined;
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const usage = await measureUsage(SERVER_COMMAND);
      if (usage !== undefined) peak = Math.max(peak ?? 0, usage.bytes);
      await pause(SAMPLE_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return async () => {
    ending.abort();
    await watching;
    return peak;
  };
}

async function measureIngest(
  folder: string,
  records: number,
  { fileUrl, storageUrl, getPageBytes }: FakeServices,
): Promise<Figure> {
  const { host, port, stop } = await startPlainWorker(folder, { entry: ENTRY, vars: {} });
  const url = `http://${host}:${port}`;
  process.once('SIGTERM', () => void stop().finally(() => process.exit(1)));
  try {
    await (await fetch(url)).text();
    const before = await measureUsage(SERVER_COMMAND);
    const endWatch = watchMemory();
    const start = performance.now();
    const order = { url: fileUrl(records), storageUrl };
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(order) });
    const text = await response.text();
    const seconds = (performance.now() - start) / 1000;
    const after = await measureUsage(SERVER_COMMAND);
    const peak = await endWatch();
    if (!response.ok) throw new Error(text);
    const { rows, bytes } = reportSchema.parse(JSON.parse(text));
    if (rows !== records) throw new Error(`${rows} rows of ${records} records`);
    if (getPageBytes() !== bytes) throw new Error(`${getPageBytes()} bytes of pages of ${bytes}`);
    const used = before && after && { processor: after.seconds - before.seconds, idle: before.bytes };
    return { records, bytes, seconds, ...used, ...(peak !== undefined && { peak }) };
  } finally {
    await stop();
  }
}

/** Memory limit of a deployed Worker. It forces V8 to collect garbage, which it otherwise defers. */
const WORKER_MEMORY_MB = 128;

/** Ingests each file on a new workerd. */
export const variant: VariantModule = {
  async measure({ dir, sharedDir, parameters }): Promise<Figure[]> {
    process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${WORKER_MEMORY_MB}`;
    const figures: Figure[] = [];
    for (const records of parametersSchema.parse(parameters).counts) {
      const folder = join(dir, String(records));
      const services = await startFakeServices(sharedDir);
      try {
        figures.push(await measureIngest(folder, records, services));
      } finally {
        await services.stop();
        await rm(folder, { recursive: true, force: true });
      }
    }
    return figures;
  },
};
