// Decides whether a call that failed may have reached the provider. What may have, counts as charged and is not retried.
import { logError } from '../../http/log.ts';

/** Where calls of the provider go. */
export interface ProviderEndpoint {
  /** Address that ends in `/cdapi`. */
  baseUrl: string;
  /** The provider's API key. */
  apiKey: string;
  fetch(request: Request): Promise<Response>;
}

/** `not_sent`: proven that the provider has not received the call, so it is free and may be retried. */
export type Delivery = 'not_sent' | 'unclear';

/** A request that could not be built. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/**
 * Classifies what sending a request threw. The platform's own errors prove nothing: workerd throws the same "Network
 * connection lost." for a refused connection and for one that broke after the provider had read the request, and marks
 * both as retryable.
 */
export function classifyError(error: unknown): Delivery {
  return error instanceof NotSentError ? 'not_sent' : 'unclear';
}

/** Failures that the provider documents (contract, "Errors"): only a 200 is charged. */
const FREE_FAILURES: ReadonlySet<number> = new Set([500, 502, 503]);

/**
 * Statuses that Cloudflare sends where it could not connect to the provider: it was refused, had no route, failed the TLS
 * handshake, rejected the certificate, could not resolve the name. 522 is none of them: it also says that a request was
 * sent and not acknowledged (support/troubleshooting/http-status-codes/cloudflare-5xx-errors/).
 */
const NOT_CONNECTED: ReadonlySet<number> = new Set([521, 523, 525, 526, 530]);

/**
 * Classifies a status by which a server on the way may say that it has no answer of the provider.
 * @param status - of a response
 * @returns undefined where the provider itself answered
 */
export function classifyStatus(status: number): Delivery | undefined {
  if (status < 500 || FREE_FAILURES.has(status)) return undefined;
  return NOT_CONNECTED.has(status) ? 'not_sent' : 'unclear';
}

/**
 * Sends a request to the provider, once, and logs where that fails.
 * @param path - with its query, behind the provider's base URL
 * @throws what {@link classifyError} classifies
 */
export async function sendToProvider(
  endpoint: ProviderEndpoint,
  path: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await endpoint.fetch(buildRequest(endpoint, path, init));
  } catch (error) {
    logError('provider_call_failed', error, { delivery: classifyError(error) });
    throw error;
  }
}

function buildRequest({ baseUrl, apiKey }: ProviderEndpoint, path: string, init: RequestInit): Request {
  try {
    const headers = new Headers(init.headers);
    headers.set('apikey', apiKey);
    headers.set('accept', 'application/json');
    return new Request(baseUrl + path, { ...init, headers, redirect: 'manual' });
  } catch {
    // What the platform throws here may quote the key.
    throw new NotSentError();
  }
}
