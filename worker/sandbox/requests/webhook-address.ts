// Validates webhook addresses of data requests: public https addresses, and this machine for development.
import { parseWebhookAddress as addressOf } from '../../lib/webhook-address.ts';

/**
 * Parses the address of a webhook. Host names are not resolved.
 * @returns the normalised address; undefined if it is invalid, carries credentials, or is neither public https nor on
 * this machine
 */
export function parseWebhookAddress(text: string): string | undefined {
  return addressOf(text, true);
}
