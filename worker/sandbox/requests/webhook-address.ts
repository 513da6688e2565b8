// Which addresses a data request's webhook may have: public ones by https; and this machine, as the provider is one for
// development.
import { parseWebhookAddress as addressOf } from '../../lib/webhook-address.ts';

/**
 * Reads the address of a webhook. What a name leads to is not looked up.
 * @returns the address in its one spelling; undefined if it is none, carries credentials, or is neither public https nor
 * on this machine
 */
export function parseWebhookAddress(text: string): string | undefined {
  return addressOf(text, true);
}
