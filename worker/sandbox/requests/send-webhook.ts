// Sends the webhook of a data request once. It is a hint: GET files tells the state.
import type { SandboxPlatform } from '../platform.ts';

/** The body of a webhook. Contract, "Assumptions". */
export interface WebhookBody {
  data_request_id: string;
  status: 'ready' | 'failed';
}

/** A receiver that takes longer has failed. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

/** Delays between attempts; there is no attempt after the last delay. */
export const webhookRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * Sends a webhook once. It doesn't follow redirects: they could lead to a forbidden address.
 * @returns whether the receiver accepted it with a 2xx
 */
export async function sendWebhook(
  fetch: SandboxPlatform['fetch'],
  url: string,
  body: WebhookBody,
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
