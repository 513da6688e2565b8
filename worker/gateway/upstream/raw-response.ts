// Turns a response of the provider into one that may be passed on and stored.
import { redactKey } from './redact-key.ts';
import type { RawResponse } from './upstream.ts';

/**
 * Removes the API key from a response.
 * @param body - text of the response
 */
export function toRawResponse({ status, headers }: Response, body: string, apiKey: string): RawResponse {
  const contentType = redactKey(apiKey, headers.get('content-type') ?? 'text/plain');
  return { status, contentType, body: redactKey(apiKey, body) };
}
