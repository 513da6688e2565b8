// Sends a message to a webhook address: an alert, or a relayed webhook of the provider.
import { type FailureCode, type LogFields, logError } from './log.ts';

/** Deadline of the receiver. */
const TIMEOUT_MS = 10_000;

/** Delays between attempts, in milliseconds. After the last attempt, a message is dropped. */
export const retryDelaysMs: readonly number[] = [2_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000];

/** A message to send. */
export interface OutgoingWebhook {
  /** Verified by webhook-address.ts. */
  url: string;
  /** JSON. */
  body: string;
  /** In addition to the content type. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a message once. Never throws.
 * @param event - code for the log if the receiver does not respond
 * @returns the error message, which never contains the response; undefined if the message was delivered
 */
export async function sendWebhook(
  { url, body, headers = {} }: OutgoingWebhook,
  event: FailureCode,
  details: LogFields,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      // A redirect could lead to a forbidden address.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `The receiver answered ${response.status}.`;
  } catch (error) {
    logError(event, error, details);
    return 'The receiver did not answer.';
  }
}
