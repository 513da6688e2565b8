// Word from the provider that a data request has ended: taken in fast, worked on behind a queue. It is a hint only: what
// counts is what the provider says when it is asked.
import type { Env } from '../env.ts';
import { isSameHash } from '../gateway/auth/tokens.ts';
import { logError } from '../http/log.ts';
import { sha256Hex } from '../lib/hash.ts';
import { DeadLetterRepository } from './dead-letters.ts';
import { type WebhookMessage, webhookMessageSchema } from './messages.ts';
import { DataRequestRepository } from './repository.ts';
import { wakeWorkflow } from './workflow-instances.ts';

/** A hook is a few words; what is longer is none. */
export const MAX_WEBHOOK_BYTES = 64 * 1024;
/** More different texts for one request than that are noise. */
const MAX_WEBHOOKS = 10;
/** The name under which the platform calls this Worker for what failed too often; wrangler.toml has it. */
const DEAD_QUEUE = /-dead$/;

/** Compared where there is no request, so that an unknown one takes as long as a forged secret. */
const NO_HASH = '0'.repeat(64);

/** The provider may come late with its word, but not for ever. */
const VALID_AFTER_END_MS = 86_400_000;

/**
 * Tells whether a hook may come in: its request is there and has not ended long ago, and the secret is its own.
 * @param now - milliseconds since 1970
 */
export async function verifyWebhook(env: Env, id: string, secret: string, now: number): Promise<boolean> {
  const [row, hash] = await Promise.all([new DataRequestRepository(env.DB).get(id), sha256Hex(secret)]);
  const same = isSameHash(row?.hookHash ?? NO_HASH, hash);
  return (
    same && row !== undefined && row.hookHash !== null && now < (row.endedAt ?? now) + VALID_AFTER_END_MS
  );
}

/** Works on a hook: the first of its kind wakes its request. */
export async function handleWebhook(env: Env, { request, body }: WebhookMessage, now: number): Promise<void> {
  const store = new DataRequestRepository(env.DB);
  const row = await store.get(request);
  if (row === undefined || row.dueAt === null) return;
  if ((await store.countWebhooks(request)) >= MAX_WEBHOOKS) return;
  if (await store.insertWebhook(request, await sha256Hex(body), body, now)) await wakeWorkflow(env, row);
}

/** Takes a batch of the queue, or of what failed too often there. */
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
      logError('provider_webhook_failed', error, { data_request: read.data.request });
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
    error: 'It could not be worked on.',
    replayedAt: null,
  });
}
