// Webhooks of the provider, processed through a queue. A webhook is only a hint: the workflow polls the provider for the truth.
import type { Env } from '../env.ts';
import { isSameHash } from '../gateway/auth/tokens.ts';
import { logError } from '../http/log.ts';
import { sha256Hex } from '../lib/hash.ts';
import { DeadLetterRepository } from './dead-letters.ts';
import { type WebhookMessage, webhookMessageSchema } from './messages.ts';
import { DataRequestRepository } from './repository.ts';
import { wakeWorkflow } from './workflow-instances.ts';

/** A webhook body has a few hundred bytes. In JSON a byte becomes six at most, and a queue message has at most 128 KB. */
export const MAX_WEBHOOK_BYTES = 20 * 1024;
/** Distinct webhook bodies that are stored per data request. */
const MAX_WEBHOOKS = 10;
/** Name of the dead-letter queue in wrangler.toml. */
const DEAD_QUEUE = /-dead$/;

/** Compared for an unknown data request, so that it takes as long as a wrong secret. */
const NO_HASH = '0'.repeat(64);

/** How long after its end a data request still accepts webhooks. */
const VALID_AFTER_END_MS = 86_400_000;

/** Returns whether a webhook is accepted: the data request exists, has not ended long ago, and the secret is correct. */
export async function verifyWebhook(env: Env, id: string, secret: string, now: number): Promise<boolean> {
  const [row, hash] = await Promise.all([new DataRequestRepository(env.DB).get(id), sha256Hex(secret)]);
  const isMatch = isSameHash(row?.hookHash ?? NO_HASH, hash);
  return (
    isMatch && row !== undefined && row.hookHash !== null && now < (row.endedAt ?? now) + VALID_AFTER_END_MS
  );
}

/** Processes a webhook: each new body wakes the data request. */
export async function handleWebhook(env: Env, { request, body }: WebhookMessage, now: number): Promise<void> {
  const store = new DataRequestRepository(env.DB);
  const row = await store.get(request);
  if (row === undefined || row.dueAt === null) return;
  if ((await store.countWebhooks(request)) >= MAX_WEBHOOKS) return;
  if (await store.insertWebhook(request, await sha256Hex(body), body, now)) await wakeWorkflow(env, row);
}

/** Consumes a batch of the webhook queue or of its dead-letter queue. */
export async function consumeWebhooks(batch: MessageBatch, env: Env, now: () => number): Promise<void> {
  for (const message of batch.messages) {
    const parsed = webhookMessageSchema.safeParse(message.body);
    if (!parsed.success) {
      message.ack();
      continue;
    }
    try {
      if (DEAD_QUEUE.test(batch.queue)) await deadLetter(env, message.id, parsed.data, now());
      else await handleWebhook(env, parsed.data, now());
      message.ack();
    } catch (error) {
      logError('provider_webhook_failed', error, { data_request: parsed.data.request });
      message.retry();
    }
  }
}

async function deadLetter(
  env: Env,
  id: string,
  { request, body }: WebhookMessage,
  at: number,
): Promise<void> {
  await new DeadLetterRepository(env.DB).insert({
    id,
    at,
    kind: 'hook',
    requestId: request,
    body,
    error: 'Processing failed too often.',
    replayedAt: null,
  });
}
