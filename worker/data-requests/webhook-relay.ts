// Delivers the caller's webhook when a data request has ended: the provider's body, signed according to Standard Webhooks.
import { Webhook } from 'standardwebhooks';
import type { RequestRow } from '../db/schema.ts';
import { retryDelaysMs, sendWebhook } from '../http/send-webhook.ts';
import type { DeadLetterRepository } from './dead-letters.ts';
import type { DataRequestRepository } from './repository.ts';

const SECRET_BYTES = 32;

/** Creates a webhook secret: `whsec_` and 256 bits in base64. */
export function createWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** Builds the body if the provider has sent none. Provider API, "Assumptions". */
export function buildWebhookBody({ providerId, phase }: RequestRow): string {
  return JSON.stringify({ data_request_id: providerId, status: phase === 'ready' ? 'ready' : 'failed' });
}

/** Delivers webhooks to callers. */
export class WebhookRelay {
  readonly #store: DataRequestRepository;
  readonly #deadLetters: DeadLetterRepository;
  readonly #now: () => number;

  /** @param now - milliseconds since 1970 */
  constructor(store: DataRequestRepository, deadLetters: DeadLetterRepository, now: () => number) {
    this.#store = store;
    this.#deadLetters = deadLetters;
    this.#now = now;
  }

  /**
   * Makes one delivery attempt. After the last one the webhook becomes a dead letter.
   * @returns milliseconds until the next attempt; undefined if there is none
   */
  async deliver(row: RequestRow): Promise<number | undefined> {
    const { id, relayUrl, teamId, relayTries } = row;
    if (relayUrl === null) return undefined;
    const body = (await this.#store.getLatestWebhook(id)) ?? buildWebhookBody(row);
    const secret = await this.#store.getOrCreateWebhookSecret(teamId, createWebhookSecret, this.#now());
    const error = await this.#send(relayUrl, id, body, secret);
    if (error === undefined) return undefined;
    const wait = retryDelaysMs[relayTries ?? 0];
    if (wait === undefined) {
      await this.#deadLetters.insert({
        id: crypto.randomUUID(),
        at: this.#now(),
        kind: 'relay',
        requestId: id,
        body,
        error,
        replayedAt: null,
      });
    }
    return wait;
  }

  /** @returns the error, as {@link sendWebhook} */
  #send(url: string, id: string, body: string, secret: string): Promise<string | undefined> {
    const timestamp = new Date(this.#now());
    // The same in each attempt, so that the receiver recognizes a repetition.
    const messageId = `msg_${id.replaceAll('-', '')}`;
    const headers = {
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(messageId, timestamp, body),
    };
    return sendWebhook({ url, body, headers }, 'webhook_relay_failed', { data_request: id });
  }
}
