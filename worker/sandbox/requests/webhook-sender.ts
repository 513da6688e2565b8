// Sends due webhooks with retries, without blocking other work.
import type { SandboxPlatform } from '../platform.ts';
import type { RequestRepository } from './request-repository.ts';
import type { DataRequest } from './rows.ts';

/** A receiver that takes longer has failed. */
const WEBHOOK_TIMEOUT_MS = 10_000;

/** Delays between attempts; there is no attempt after the last delay. */
const webhookRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * Sends a webhook once. It doesn't follow redirects: they could lead to a forbidden address.
 * @param body - contract, "Assumptions"
 * @returns whether the receiver accepted it with a 2xx
 */
async function sendWebhook(
  fetch: SandboxPlatform['fetch'],
  url: string,
  body: { data_request_id: string; status: 'ready' | 'failed' },
): Promise<boolean> {
  try {
    const response = await fetch(
      new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
      }),
    );
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** An attempt without a result after this time was lost with its process. */
const LEASE_MS = WEBHOOK_TIMEOUT_MS + 5_000;

/** Sends the webhooks of ended data requests. */
export class WebhookSender {
  readonly #repository: RequestRepository;
  readonly #platform: Pick<SandboxPlatform, 'now' | 'fetch'>;
  readonly #scheduleNext: () => Promise<void>;
  readonly #sending = new Set<Promise<void>>();

  /** @param scheduleNext - called when the next attempt is scheduled */
  constructor(
    repository: RequestRepository,
    platform: Pick<SandboxPlatform, 'now' | 'fetch'>,
    scheduleNext: () => Promise<void>,
  ) {
    this.#repository = repository;
    this.#platform = platform;
    this.#scheduleNext = scheduleNext;
  }

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
    if (webhook === null) return;
    const isAccepted = await sendWebhook(this.#platform.fetch, webhook, {
      data_request_id: id,
      status: state === 'ready' ? 'ready' : 'failed',
    });
    const retryDelay = isAccepted ? undefined : webhookRetryDelaysMs[webhookAttempts];
    this.#repository.scheduleWebhook(
      id,
      retryDelay === undefined ? undefined : this.#platform.now() + retryDelay,
    );
    await this.#scheduleNext();
  }

  /** Resolves when no webhook is in flight. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.#sending);
  }
}
