// Turns a response of the provider into one that may be passed on and stored.
import { redactKey } from './redact-key.ts';
import type { RawResponse } from './upstream.ts';

/**
 * Removes the API key from a response.
 * @param body - text of the response
 */
export function toRawResponse({ status }: Response, body: string, apiKey: string): RawResponse {
  return { status, body: redactKey(apiKey, body) };
}
