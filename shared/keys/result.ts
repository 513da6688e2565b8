// The result of parsing a key: its kind and normalised value, or the reason for its rejection.
import type { KeyKind } from '../families/index.ts';

export type KeyResult = { ok: true; kind: KeyKind; value: string } | { ok: false; reason: string };

/**
 * Creates a rejection.
 * @param reason - one sentence for the user
 */
export function invalidKey(reason: string): KeyResult {
  return { ok: false, reason };
}
