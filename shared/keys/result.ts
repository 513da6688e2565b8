// The result of parsing a key: its kind and normalised value, or what the text is instead.
import type { KeyKind } from '../families/index.ts';

/**
 * What a text is that is no key:
 * - `name`: a company name
 * - `mail`: an address at a host where anybody has one
 * - `page`: a page on a host of many owners
 * - `profile`, `website`, `id`: another kind of key than the expected one
 * - `number`: a number that is no id
 * - `other`: anything else
 */
export const notKeys = ['name', 'mail', 'page', 'profile', 'website', 'id', 'number', 'other'] as const;
export type NotKey = (typeof notKeys)[number];

export type KeyResult =
  | { ok: true; kind: KeyKind; value: string }
  | { ok: false; is: NotKey; reason: string };

/**
 * Creates a rejection.
 * @param reason - one sentence or two for the user
 */
export function invalidKey(reason: string, is: NotKey = 'other'): KeyResult {
  return { ok: false, is, reason };
}
