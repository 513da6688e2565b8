// Tells the caller of a data request that it has ended. A hint only: what counts is what GET files says.
import type { SandboxPlatform } from '../platform.ts';

/** What a webhook carries. Contract, "Assumptions". */
export interface WebhookBody {
  data_request_id: string;
  status: 'ready' | 'failed';
}

/** A receiver that takes longer has not heard it. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

/** Milliseconds from a try that failed to the next; after the last there is none. */
export const webhookRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * Sends a webhook once. Redirects are not followed: they could lead to an address that would have been refused.
 * @returns whether the receiver took it: any 2xx
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
