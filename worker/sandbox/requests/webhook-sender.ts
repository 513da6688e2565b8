// Sends the webhooks that are due, each until it is taken or given up; what is on its way keeps nobody waiting.
import type { SandboxPlatform } from '../platform.ts';
import type { RequestRepository } from './request-repository.ts';
import type { DataRequest } from './rows.ts';
import { sendWebhook, WEBHOOK_TIMEOUT_MS, webhookRetryDelaysMs } from './send-webhook.ts';

/** A try of which nothing is known after that time has got lost with its process. */
const LEASE_MS = WEBHOOK_TIMEOUT_MS + 5_000;

/** The webhooks of data requests that have ended. */
export class WebhookSender {
  readonly #repository: RequestRepository;
  readonly #platform: Pick<SandboxPlatform, 'now' | 'fetch'>;
  readonly #scheduleNext: () => Promise<void>;
  readonly #sending = new Set<Promise<void>>();

  /**
   * @param rearm - called when the time of the next try has been noted
   */
  constructor(
    table: RequestRepository,
    platform: Pick<SandboxPlatform, 'now' | 'fetch'>,
    rearm: () => Promise<void>,
  ) {
    this.#repository = table;
    this.#platform = platform;
    this.#scheduleNext = rearm;
  }

  /** Begins to send those that are due. */
  sendDue(): void {
    const now = this.#platform.now();
    for (const request of this.#repository.listDueWebhooks(now)) {
      if (request.webhookAttempts > webhookRetryDelaysMs.length) {
        this.#repository.scheduleWebhook(request.id, undefined);
        continue;
      }
      this.#repository.startWebhookAttempt(request.id, now + LEASE_MS);
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
    const wait = taken ? undefined : webhookRetryDelaysMs[webhookAttempts];
    this.#repository.scheduleWebhook(id, wait === undefined ? undefined : this.#platform.now() + wait);
    await this.#scheduleNext();
  }

  /** Resolves when none is on its way. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.#sending);
  }
}
