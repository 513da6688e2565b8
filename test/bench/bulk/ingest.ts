// The file comes over HTTP, as from the provider, and becomes rows; workerd's memory is watched from outside.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { VariantModule } from '../harness/bench.ts';
import { residentMemory } from '../harness/memory.ts';
import { processSeconds } from '../load/processor.ts';
import { givenSchema } from './data.ts';
import type { Figure } from './figures.ts';
import { type Surroundings, surround } from './surroundings.ts';
import { startWorker } from './workerd.ts';

const SERVER = 'workerd';
const WATCH_MS = 200;

const reportSchema = z.object({ rows: z.number(), bytes: z.number(), cut: z.null() });

/** Looks at the memory until told to stop. @returns what ends it and answers with the most that was seen */
function watchMemory(): () => Promise<number | undefined> {
  let peak: number | undefined;
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const memory = await residentMemory(SERVER);
      if (memory !== undefined) peak = Math.max(peak ?? 0, memory);
      await pause(WATCH_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return async () => {
    ending.abort();
    await watching;
    return peak;
  };
}

/** @param isLocal - whether pages and index go to the bucket and the database that workerd has itself */
async function ingest(
  folder: string,
  records: number,
  { fileUrl, elsewhere, pageBytes }: Surroundings,
  isLocal: boolean,
): Promise<Figure> {
  const { url, stop } = await startWorker(folder);
  process.once('SIGTERM', () => void stop().finally(() => process.exit(1)));
  try {
    await (await fetch(url)).text();
    const idle = await residentMemory(SERVER);
    const before = await processSeconds(SERVER);
    const endWatch = watchMemory();
    const start = performance.now();
    const order = { url: fileUrl(records), ...(!isLocal && { elsewhere }) };
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(order) });
    const text = await response.text();
    const seconds = (performance.now() - start) / 1000;
    const after = await processSeconds(SERVER);
    const peak = await endWatch();
    if (!response.ok) throw new Error(text);
    const { rows, bytes } = reportSchema.parse(JSON.parse(text));
    if (rows !== records) throw new Error(`${rows} rows of ${records} records`);
    if (!isLocal && pageBytes() !== bytes) throw new Error(`${pageBytes()} bytes of pages of ${bytes}`);
    return {
      records,
      bytes,
      seconds,
      ...(before !== undefined && after !== undefined && { processor: after - before }),
      ...(idle !== undefined && { idle }),
      ...(peak !== undefined && { peak }),
    };
  } finally {
    await stop();
  }
}

/**
 * The variant that puts the files in, each on a workerd of its own.
 * @param flags - of V8, with which workerd is started
 * @param isLocal - whether pages and index go to the stand-ins for R2 and D1 that work inside workerd; else they go elsewhere
 */
export function ingesting(flags: readonly string[], isLocal: boolean): VariantModule {
  return {
    async measure({ dir, shared, given }): Promise<Figure[]> {
      process.env.MINIFLARE_WORKERD_V8_FLAGS = flags.join(' ');
      const figures: Figure[] = [];
      for (const records of givenSchema.parse(given).counts) {
        const folder = join(dir, String(records));
        const surroundings = await surround(shared);
        try {
          figures.push(await ingest(folder, records, surroundings, isLocal));
        } finally {
          surroundings.stop();
          await rm(folder, { recursive: true, force: true });
        }
      }
      return figures;
    },
  };
}

export const variant = ingesting([], false);
