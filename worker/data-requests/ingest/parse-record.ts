// Reads the record that the index says stands in some bytes of a page.
import type { DataRecord } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { parseExactly } from './parse-exactly.ts';

const decoder = new TextDecoder();

/**
 * Reads a record.
 * @param recordId - of the record that is to stand there
 * @returns undefined where another one does, or none: its page is just being written again
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
