// Fills the sandbox with fictional records once.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { RecordSender } from '../import/send.ts';
import { generateSample, SAMPLE_SEED } from '../sample/index.ts';
import { fetchIdempotent } from './health.ts';
import type { Session } from './session.ts';

const PROGRESS_EVERY = 5000;
const YIELD_EVERY = 16;

const statusSchema = z.object({ records: z.record(z.string(), z.number()) });

async function isEmpty({ url, provider_key: apikey }: Session, signal?: AbortSignal): Promise<boolean> {
  const response = await fetchIdempotent(`${url}/provider/status`, {
    headers: { apikey },
    signal: signal ?? null,
  });
  return Object.keys(statusSchema.parse(await response.json()).records).length === 0;
}

/**
 * Loads the sample if the sandbox is empty. Repeats a seeding that was interrupted.
 * @param companies - number of companies; their employees, job postings and posts are added in proportion
 * @param log - receives progress lines
 * @param signal - cancels the seeding
 * @returns false if the sandbox has records already
 * @throws Error if the signal is aborted
 */
export async function seedSandbox(
  session: Session,
  dir: string,
  companies: number,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const markerFile = join(dir, 'seeding');
  if (!existsSync(markerFile) && !(await isEmpty(session, signal))) return false;
  log(`Making ${formatNumber(companies)} fictional companies, their employees, jobs and posts …`);
  await writeFile(markerFile, '');
  const sender = new RecordSender(session, () => {}, signal);
  let sentCount = 0;
  for (const { family, record } of generateSample({ seed: SAMPLE_SEED, companies })) {
    await sender.add(family, record);
    sentCount += 1;
    // Yields to the event loop: batches are sent while records are generated.
    if (sentCount % YIELD_EVERY === 0) await setImmediate();
    signal?.throwIfAborted();
    if (sentCount % PROGRESS_EVERY === 0) log(`${formatNumber(sentCount)} records …`);
  }
  await sender.flush();
  await rm(markerFile);
  return true;
}

/** Reports that the sample is loaded. `/health` answers 200 from then on. */
export async function markSeeded({ url, provider_key }: Session): Promise<void> {
  await fetchIdempotent(`${url}/provider/seeded`, { method: 'PUT', headers: { apikey: provider_key } });
}
