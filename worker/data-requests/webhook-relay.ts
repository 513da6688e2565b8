// Delivers the caller's webhook when a data request has ended: the provider's body, signed according to Standard Webhooks.
import { Webhook } from 'standardwebhooks';
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { logError } from '../http/log.ts';
import { ProblemError } from '../http/problem-error.ts';
import { retryDelaysMs, sendWebhook } from '../http/send-webhook.ts';
import { DeadLetterRepository } from './dead-letters.ts';
import { decryptRelayUrl } from './relay-secrets.ts';
import type { DataRequestRepository } from './repository.ts';
import { listSigningSecrets } from './webhook-secrets.ts';

/** Builds the body if the provider has sent none. Provider API, "Assumptions". */
function buildWebhookBody({ providerId, phase }: RequestRow): string {
  return JSON.stringify({ data_request_id: providerId, status: phase === 'ready' ? 'ready' : 'failed' });
}

/** Delivers webhooks to callers. */
export class WebhookRelay {
  readonly #env: Env;
  readonly #store: DataRequestRepository;
  readonly #deadLetters: DeadLetterRepository;
  readonly #now: () => number;

  constructor(env: Env, store: DataRequestRepository, now: () => number) {
    this.#env = env;
    this.#store = store;
    this.#deadLetters = new DeadLetterRepository(env.DB);
    this.#now = now;
  }

  /**
   * Makes one delivery attempt. After the last one the webhook becomes a dead letter.
   * @returns milliseconds until the next attempt; undefined if there is none
   */
  async deliver(row: RequestRow): Promise<number | undefined> {
    const { id, relayUrl, relayTries } = row;
    if (relayUrl === null) return undefined;
    const body = (await this.#store.getLatestWebhook(id)) ?? buildWebhookBody(row);
    const error = await this.#send({ ...row, relayUrl }, body);
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

  /** @returns the error, as {@link sendWebhook}; also if the address or the secret can't be decrypted */
  async #send(row: RequestRow & { relayUrl: string }, body: string): Promise<string | undefined> {
    try {
      const url = await decryptRelayUrl(this.#env, row.relayUrl, row);
      const secrets = await listSigningSecrets(this.#env, row.teamId, this.#now());
      return await this.#sign(url, row.id, body, secrets);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      logError('webhook_relay_failed', error, { data_request: row.id });
      return error.message;
    }
  }

  #sign(url: string, id: string, body: string, secrets: readonly string[]): Promise<string | undefined> {
    const timestamp = new Date(this.#now());
    // The same in each attempt, so that the receiver recognizes a repetition.
    const messageId = `msg_${id.replaceAll('-', '')}`;
    const headers = {
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
      // One for each secret: the receiver accepts the message if one of them is right.
      'webhook-signature': secrets
        .map((secret) => new Webhook(secret).sign(messageId, timestamp, body))
        .join(' '),
    };
    return sendWebhook({ url, body, headers }, 'webhook_relay_failed', { data_request: id });
  }
}
