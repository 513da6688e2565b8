// Fills the sandbox with fictional records, once.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { Sender } from '../import/send.ts';
import { SAMPLE_SEED, sample } from '../sample/index.ts';
import { fetchIdempotent } from './fetch-idempotent.ts';
import type { Session } from './session.ts';

const PROGRESS_EVERY = 5000;
const BREATH_EVERY = 16;

const status = z.object({ records: z.record(z.string(), z.number()) });

async function isEmpty({ url, provider_key }: Session): Promise<boolean> {
  const response = await fetchIdempotent(`${url}/provider/status`, { headers: { apikey: provider_key } });
  return Object.keys(status.parse(await response.json()).records).length === 0;
}

/**
 * Puts the sample records in, where there are none at all; a seeding that was cut off is done again.
 * @param session - of the running instance
 * @param dir - the instance's folder
 * @param companies - how many; their employees, job postings and posts come along
 * @param log - told about progress, a line each time
 */
export async function seed(
  session: Session,
  dir: string,
  companies: number,
  log: (line: string) => void,
): Promise<void> {
  const unfinished = join(dir, 'seeding');
  if (!existsSync(unfinished) && !(await isEmpty(session))) return;
  log(`Making ${companies.toLocaleString('en')} fictional companies, their employees, jobs and posts …`);
  await writeFile(unfinished, '');
  const senders = new Map<Family, Sender<undefined>>();
  const senderOf = (family: Family): Sender<undefined> => {
    const sender = senders.get(family) ?? new Sender<undefined>(session, family, () => {});
    senders.set(family, sender);
    return sender;
  };
  let made = 0;
  for (const { family, record } of sample({ seed: SAMPLE_SEED, companies })) {
    await senderOf(family).add(record, undefined);
    made += 1;
    // Batches are sent while records are made, and making them never pauses by itself.
    if (made % BREATH_EVERY === 0) await setImmediate();
    if (made % PROGRESS_EVERY === 0) log(`${made.toLocaleString('en')} records …`);
  }
  for (const sender of senders.values()) await sender.flush();
  await rm(unfinished);
}

/** Reports that the sample records are in: `/health` answers 200 from now on. */
export async function reportSeeded({ url, provider_key }: Session): Promise<void> {
  await fetchIdempotent(`${url}/provider/seeded`, { method: 'PUT', headers: { apikey: provider_key } });
}
