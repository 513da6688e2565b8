// Fills the embedded provider with fictional records, once.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { companies, SAMPLE_SEED } from '../provider/sample/companies.ts';
import { Sender } from './import/send.ts';
import type { Session } from './session.ts';

const COMPANIES = 600;

const status = z.object({ records: z.record(z.string(), z.number()) });

async function isEmpty({ url, provider_key }: Session): Promise<boolean> {
  const response = await fetch(`${url}/provider/status`, { headers: { apikey: provider_key } });
  return Object.keys(status.parse(await response.json()).records).length === 0;
}

/**
 * Puts the sample records in, where there are none at all; a seeding that was cut off is done again.
 * @param session - of the running instance
 * @param dir - the instance's folder
 * @param log - told about progress, a line each time
 */
export async function seed(session: Session, dir: string, log: (line: string) => void): Promise<void> {
  const unfinished = join(dir, 'seeding');
  if (!existsSync(unfinished) && !(await isEmpty(session))) return;
  log(`Making ${COMPANIES} fictional companies …`);
  await writeFile(unfinished, '');
  const clean = new Sender(session, 'company_clean', () => {});
  const base = new Sender(session, 'company_base', () => {});
  for (const company of companies({ seed: SAMPLE_SEED, count: COMPANIES })) {
    await clean.add(company.clean, undefined);
    await base.add(company.base, undefined);
  }
  await clean.flush();
  await base.flush();
  await rm(unfinished);
}
