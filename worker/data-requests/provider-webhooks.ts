// Webhooks of the provider. They are stored in a queue first. A webhook is only a hint to poll: its content is never
// trusted.
import type { Env } from '../env.ts';
import { isSameHash } from '../gateway/auth/tokens.ts';
import { logError } from '../http/log.ts';
import { sha256Hex } from '../lib/hash.ts';
import { DeadLetterRepository } from './dead-letters.ts';
import { type WebhookMessage, webhookMessageSchema } from './messages.ts';
import { DataRequestRepository } from './repository.ts';
import { wakeWorkflow } from './workflow-instances.ts';

/** The provider's webhooks are far shorter. */
export const MAX_WEBHOOK_BYTES = 64 * 1024;
/** Distinct webhooks that are stored of a request. */
const MAX_WEBHOOKS = 10;
/** Suffix of dead-letter queues in wrangler.toml. */
const DEAD_QUEUE = /-dead$/;

/** Compared for unknown requests, so that they take as long as a wrong secret. */
const NO_HASH = '0'.repeat(64);

/** How long after its end a request accepts webhooks. */
const VALID_AFTER_END_MS = 86_400_000;

/**
 * Verifies the secret of a webhook. The request must exist and must not have ended long ago.
 * @param now - milliseconds since 1970
 */
export async function verifyWebhook(env: Env, id: string, secret: string, now: number): Promise<boolean> {
  const [row, hash] = await Promise.all([new DataRequestRepository(env.DB).get(id), sha256Hex(secret)]);
  const same = isSameHash(row?.hookHash ?? NO_HASH, hash);
  return (
    same && row !== undefined && row.hookHash !== null && now < (row.endedAt ?? now) + VALID_AFTER_END_MS
  );
}

/** Handles a webhook: each distinct one wakes the Workflow of its request. */
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
    const read = webhookMessageSchema.safeParse(message.body);
    if (!read.success) {
      message.ack();
      continue;
    }
    try {
      if (DEAD_QUEUE.test(batch.queue)) await deadLetter(env, message.id, read.data, now());
      else await handleWebhook(env, read.data, now());
      message.ack();
    } catch (error) {
      logError('webhook_failed', error, { data_request: read.data.request });
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
    error: 'The webhook could not be processed.',
    replayedAt: null,
  });
}
