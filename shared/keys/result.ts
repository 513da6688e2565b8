// What comes of reading a key: its kind and one spelling, or why it is none.
import type { KeyKind } from '../families/index.ts';

export type KeyResult = { ok: true; kind: KeyKind; value: string } | { ok: false; reason: string };

/**
 * Says why a text is no key.
 * @param reason - one sentence for a person
 */
export function invalidKey(reason: string): KeyResult {
  return { ok: false, reason };
}
