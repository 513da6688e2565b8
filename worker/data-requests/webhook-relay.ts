// Tells a caller that its data request has ended: what the provider sent, unchanged, signed as Standard Webhooks has it.
import { Webhook } from 'standardwebhooks';
import type { RequestRow } from '../db/schema.ts';
import { retryDelaysMs, sendWebhook } from '../http/send-webhook.ts';
import type { DeadLetterRepository } from './dead-letters.ts';
import type { DataRequestRepository } from './repository.ts';

const SECRET_BYTES = 32;

/** Makes the secret of a team's webhooks: `whsec_` and 256 bits in base64. */
export function createWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** The body where the provider itself has sent nothing. Contract, "Assumptions". */
export function buildWebhookBody({ providerId, phase }: RequestRow): string {
  return JSON.stringify({ data_request_id: providerId, status: phase === 'ready' ? 'ready' : 'failed' });
}

/** The webhooks of callers. */
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
   * Tells the caller of a request once.
   * @returns when to try again, in milliseconds; undefined where it was taken, or is given up and among the dead letters
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

  /** @returns what went wrong, as {@link sendWebhook} */
  #send(url: string, id: string, body: string, secret: string): Promise<string | undefined> {
    const timestamp = new Date(this.#now());
    // The same for each try, so that the receiver can tell a repetition.
    const message = `msg_${id.replaceAll('-', '')}`;
    const headers = {
      'webhook-id': message,
      'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(message, timestamp, body),
    };
    return sendWebhook({ url, body, headers }, 'webhook_relay_failed', { data_request: id });
  }
}
