// Sends a message to a webhook address: an alert, or the end of a data request.
import { type FailureCode, type LogFields, logError } from './log.ts';
import { ProblemError } from './problem-error.ts';

/** Deadline of the receiver. */
const TIMEOUT_MS = 10_000;

/** Delays between attempts, in milliseconds. After the last attempt, a message is dropped. */
export const retryDelaysMs: readonly number[] = [2_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000];

export interface OutgoingWebhook {
  /** Verified by webhook-address.ts. */
  url: string;
  /** JSON. */
  body: string;
  /** In addition to the content type. */
  headers?: Readonly<Record<string, string>>;
}

export interface DeliveryFailure {
  /** `http_` and the status of the receiver, `no_answer`, or the code of a problem. */
  code: string;
  /** Never contains the address or the response. */
  error: string;
}

/**
 * Sends a message once.
 * @param create - decrypts the address; a ProblemError of it is a failure
 * @param event - code for the log if the receiver does not respond
 * @returns undefined if the message was delivered
 * @throws other errors of `create`
 */
export async function sendWebhook(
  create: () => OutgoingWebhook | Promise<OutgoingWebhook>,
  event: FailureCode,
  details: LogFields,
): Promise<DeliveryFailure | undefined> {
  let message: OutgoingWebhook;
  try {
    message = await create();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    logError(event, error, details);
    return { code: error.problem.code, error: error.message };
  }
  const { url, body, headers = {} } = message;
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
    const { ok, status } = response;
    return ok ? undefined : { code: `http_${status}`, error: `The receiver answered ${status}.` };
  } catch (error) {
    logError(event, error, details);
    return { code: 'no_answer', error: 'The receiver did not answer.' };
  }
}
