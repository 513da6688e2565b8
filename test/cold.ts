// Makes an instance buy everything anew: what was remembered of other records than its provider has now is found no more.
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import type { Session } from '../worker/commands/instance/session.ts';

/** Ids above those of every sample. */
const NEW_IDS = 10 ** 12;

/** Adds a job posting, so that the sandbox is another one to the gateway: design, "Freshness and money". */
export async function invalidateCache({ url, provider_key: apikey }: Session): Promise<void> {
  const record = { id: NEW_IDS + randomInt(NEW_IDS), title: 'Keeper of keys' };
  const response = await fetch(`${url}/provider/records/job_base`, {
    method: 'POST',
    headers: { apikey },
    body: JSON.stringify({ records: [record] }),
  });
  expect(response.status).toBe(200);
}
