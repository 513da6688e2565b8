// Parses a record at an indexed location of a page.
import type { DataRecord } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { parseExactly } from '../../lib/exact-json.ts';

const decoder = new TextDecoder();

/**
 * Parses a record.
 * @param recordId - id of the expected record
 * @param toValue - integers beyond 2^53 become bigints with it, otherwise strings
 * @returns undefined if another record or none is there, because its page is being rewritten
 */
export function parseRecord(
  bytes: Uint8Array,
  recordId: string,
  toValue?: typeof BigInt,
): DataRecord | undefined {
  try {
    const value = parseExactly(decoder.decode(bytes), toValue);
    return isObject(value) && String(value.id).trim() === recordId ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
