// Sends a message to an address that a team has named: the one way for alerts and for callers' own webhooks.
import { type FailureCode, type LogFields, logError } from './log.ts';

/** A receiver that takes longer has not heard it. */
const TIMEOUT_MS = 10_000;

/** Milliseconds from a try that failed to the next; after the last a message is given up. */
export const retryDelaysMs: readonly number[] = [2_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000];

/** A message on its way. */
export interface OutgoingWebhook {
  /** As webhook-address.ts lets it pass. */
  url: string;
  /** JSON. */
  body: string;
  /** Beside its content type. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a message once. Never throws.
 * @param event - what the log calls a receiver that did not answer
 * @param facts - what the log says of it
 * @returns what went wrong, in words without anything that the receiver said; undefined where it was taken
 */
export async function sendWebhook(
  { url, body, headers = {} }: OutgoingWebhook,
  event: FailureCode,
  facts: LogFields,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      // A redirect could lead to an address that would have been refused.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `The receiver answered ${response.status}.`;
  } catch (error) {
    logError(event, error, facts);
    return 'The receiver did not answer.';
  }
}
