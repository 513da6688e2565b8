// Invalidates an instance's cached records, so that it buys every record again.
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import type { Session } from '../worker/commands/instance/session.ts';

/** Above all ids of the sample. */
const NEW_IDS = 10 ** 12;

/** Adds a job posting to the sandbox, which changes the identity of the provider for the gateway. */
export async function invalidateCache({ url, provider_key: apikey }: Session): Promise<void> {
  const record = { id: NEW_IDS + randomInt(NEW_IDS), title: 'Keeper of keys' };
  const response = await fetch(`${url}/provider/records/job_base`, {
    method: 'POST',
    headers: { apikey },
    body: JSON.stringify({ records: [record] }),
  });
  expect(response.status).toBe(200);
}
