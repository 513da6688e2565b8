// Sends a request to the provider. Decides whether a call that failed may have reached it: such a call counts as charged and
// is not retried.
import { logError } from '../../http/log.ts';
import type { ProviderEndpoint } from './upstream.ts';

/** `not_sent`: the provider has provably not received the call, so it is free and may be retried. */
export type SendOutcome = 'not_sent' | 'unclear';

/** Thrown for a request that could not be built. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/**
 * Classifies the error of a request. The platform's own errors prove nothing: workerd throws the same "Network connection
 * lost." for a refused connection and for one that broke after the provider had read the request, and marks both as
 * retryable.
 */
export function classifyError(error: unknown): SendOutcome {
  return error instanceof NotSentError ? 'not_sent' : 'unclear';
}

/** Failures that the provider documents (provider API, "Errors"). Only a 200 is charged. */
const FREE_FAILURES: ReadonlySet<number> = new Set([500, 502, 503]);

/**
 * Statuses that Cloudflare responds with if it could not connect to the provider: connection refused, no route, TLS
 * handshake failed, certificate rejected, name not resolved. 522 is not among them: it also stands for a request that was
 * sent and not acknowledged (support/troubleshooting/http-status-codes/cloudflare-5xx-errors/).
 */
const NOT_CONNECTED: ReadonlySet<number> = new Set([521, 523, 525, 526, 530]);

/**
 * Classifies a status that a server between gateway and provider may have produced.
 * @returns undefined if the provider itself responded
 */
export function classifyStatus(status: number): SendOutcome | undefined {
  if (status < 500 || FREE_FAILURES.has(status)) return undefined;
  return NOT_CONNECTED.has(status) ? 'not_sent' : 'unclear';
}

/**
 * Sends a request to the provider, once. Logs a failure and throws it again.
 * @param path - path and query, relative to the provider's base URL
 * @throws errors for {@link classifyError}
 */
export async function sendToProvider(
  endpoint: ProviderEndpoint,
  path: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await endpoint.fetch(buildRequest(endpoint, path, init));
  } catch (error) {
    logError('provider_call_failed', error, { outcome: classifyError(error) });
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
    // The platform's error may quote the API key.
    throw new NotSentError();
  }
}
