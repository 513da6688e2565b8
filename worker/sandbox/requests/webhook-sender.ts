// Sends the webhooks that are due, each until it is taken or given up; what is on its way keeps nobody waiting.
import type { SandboxPlatform } from '../platform.ts';
import type { RequestTable } from './request-repository.ts';
import type { DataRequest } from './rows.ts';
import { sendWebhook, WEBHOOK_TIMEOUT_MS, webhookWaitsMs } from './send-webhook.ts';

/** A try of which nothing is known after that time has got lost with its process. */
const LOST_AFTER_MS = WEBHOOK_TIMEOUT_MS + 5_000;

/** The webhooks of data requests that have ended. */
export class Webhooks {
  readonly #table: RequestTable;
  readonly #platform: Pick<SandboxPlatform, 'now' | 'fetch'>;
  readonly #rearm: () => Promise<void>;
  readonly #sending = new Set<Promise<void>>();

  /**
   * @param rearm - called when the time of the next try has been noted
   */
  constructor(
    table: RequestTable,
    platform: Pick<SandboxPlatform, 'now' | 'fetch'>,
    rearm: () => Promise<void>,
  ) {
    this.#table = table;
    this.#platform = platform;
    this.#rearm = rearm;
  }

  /** Begins to send those that are due. */
  start(): void {
    const now = this.#platform.now();
    for (const request of this.#table.webhooksDue(now)) {
      if (request.webhookAttempts > webhookWaitsMs.length) {
        this.#table.webhookNext(request.id, undefined);
        continue;
      }
      this.#table.webhookTried(request.id, now + LOST_AFTER_MS);
      const sending = this.#send(request).finally(() => this.#sending.delete(sending));
      this.#sending.add(sending);
    }
  }

  async #send({ id, webhook, state, webhookAttempts }: DataRequest): Promise<void> {
    if (webhook === undefined) return;
    const taken = await sendWebhook(this.#platform.fetch, webhook, {
      data_request_id: id,
      status: state === 'ready' ? 'ready' : 'failed',
    });
    const wait = taken ? undefined : webhookWaitsMs[webhookAttempts];
    this.#table.webhookNext(id, wait === undefined ? undefined : this.#platform.now() + wait);
    await this.#rearm();
  }

  /** Resolves when none is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending);
  }
}
