// Webhooks of the provider. A webhook is only a hint: the data request polls the provider for the truth.
import type { Env } from '../env.ts';
import { isSameHash } from '../gateway/auth/tokens.ts';
import { sha256Hex } from '../lib/hash.ts';
import { wakeJobs } from '../queue/jobs.ts';
import { DataRequestRepository } from './repository.ts';

/** A webhook body has a few hundred bytes. */
export const MAX_WEBHOOK_BYTES = 20 * 1024;
/** Distinct webhook bodies that are stored per data request. */
const MAX_WEBHOOKS = 10;
/** Compared for an unknown data request, so that it takes as long as a wrong secret. */
const NO_HASH = '0'.repeat(64);

/** How long after its end a data request still accepts webhooks. */
const VALID_AFTER_END_MS = 86_400_000;

/** Returns whether a webhook is accepted: the data request exists, has not ended long ago, and the secret is correct. */
export async function verifyWebhook(env: Env, id: string, secret: string, now: number): Promise<boolean> {
  const [row, hash] = await Promise.all([new DataRequestRepository(env.DB).get(id), sha256Hex(secret)]);
  const isMatch = isSameHash(row?.webhookHash ?? NO_HASH, hash);
  return (
    isMatch &&
    row !== undefined &&
    row.webhookHash !== null &&
    now < (row.endedAt ?? now) + VALID_AFTER_END_MS
  );
}

/** Stores a webhook: each new body wakes the data request. @param now - milliseconds since 1970 */
export async function handleWebhook(env: Env, id: string, body: string, now: number): Promise<void> {
  const store = new DataRequestRepository(env.DB);
  if ((await store.countWebhooks(id)) >= MAX_WEBHOOKS) return;
  if (await store.insertWebhook(id, await sha256Hex(body), body, now))
    await wakeJobs(env, 'data_request', [id], now);
}
