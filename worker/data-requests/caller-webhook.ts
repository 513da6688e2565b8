// Delivers the caller's webhook when a data request has ended: the provider's body, signed according to Standard Webhooks.
import { Webhook } from 'standardwebhooks';
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { decryptStored } from '../http/secrets.ts';
import { retryDelaysMs, sendWebhook } from '../http/send-webhook.ts';
import { DeadLetterRepository } from '../queue/dead-letters.ts';
import { DataRequestRepository } from './repository.ts';
import { getWebhookUrlPlace, listSigningSecrets } from './webhook-secrets.ts';

/** Builds the body if the provider has sent none. Provider API, "Assumptions". */
function buildWebhookBody({ providerId, phase }: RequestRow): string {
  return JSON.stringify({ data_request_id: providerId, status: phase === 'ready' ? 'ready' : 'failed' });
}

/**
 * Makes one delivery attempt. After the last one the webhook becomes a dead letter.
 * @param at - milliseconds since 1970
 * @returns milliseconds until the next attempt; undefined if there is none
 */
export async function sendCallerWebhook(env: Env, row: RequestRow, at: number): Promise<number | undefined> {
  const { id: requestId, teamId, webhookUrl, webhookAttempts } = row;
  if (webhookUrl === null) return undefined;
  const body = (await new DataRequestRepository(env.DB).getLatestWebhook(requestId)) ?? buildWebhookBody(row);
  const failure = await sendWebhook(
    async () => ({
      url: await decryptStored(env, webhookUrl, getWebhookUrlPlace(row)),
      body,
      headers: signWebhook(requestId, body, await listSigningSecrets(env, teamId, at), new Date(at)),
    }),
    'caller_webhook_failed',
    { data_request: requestId },
  );
  if (failure === undefined) return undefined;
  const wait = retryDelaysMs[webhookAttempts ?? 0];
  if (wait === undefined) {
    const letter = {
      id: crypto.randomUUID(),
      at,
      kind: 'webhook',
      teamId,
      requestId,
      body,
      ...failure,
    } as const;
    await new DeadLetterRepository(env.DB).insert(letter);
  }
  return wait;
}

function signWebhook(id: string, body: string, secrets: readonly string[], timestamp: Date) {
  // The same in each attempt, so that the receiver recognizes a repetition.
  const messageId = `msg_${id.replaceAll('-', '')}`;
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
    // One for each secret: the receiver accepts the message if one of them is right.
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(messageId, timestamp, body))
      .join(' '),
  };
}
