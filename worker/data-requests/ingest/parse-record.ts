// Parses a record at an indexed location of a page.
import type { DataRecord } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { parseExactly } from './parse-exactly.ts';

const decoder = new TextDecoder();

/**
 * Parses a record.
 * @param recordId - id of the expected record
 * @returns undefined if another record or none is there, because its page is being rewritten
 */
export function parseRecord(bytes: Uint8Array, recordId: string): DataRecord | undefined {
  try {
    const value = parseExactly(decoder.decode(bytes));
    return isObject(value) && String(value.id).trim() === recordId ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
