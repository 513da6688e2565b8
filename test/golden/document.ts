// A document of the golden set, and the fingerprint of several.
import type { Mapping } from '../../shared/index-fields/mapping.ts';
import { buildIndexSource } from '../../worker/sandbox/index-source.ts';
import type { Json } from './read.ts';

/** A document as it is indexed. */
export interface GoldenDocument {
  id: string;
  source: Json;
}

/**
 * Gives a record the id under which it is indexed.
 * @throws TypeError where the record has none
 */
export function goldenDocument(record: Json): GoldenDocument {
  const { id } = record;
  if (typeof id !== 'string' && typeof id !== 'number') throw new TypeError('a record without an id');
  return { id: String(id), source: record };
}

/**
 * Gives a record of the service the form and the id under which it is indexed.
 * @param mapping - of the record's family
 */
export function serviceDocument(mapping: Mapping, record: Json): GoldenDocument {
  return goldenDocument(buildIndexSource(mapping, record));
}

/**
 * A fingerprint of documents: answers hold only for the documents of which they were made.
 * @returns SHA-256 in hexadecimal digits
 */
export async function documentsDigest(documents: readonly GoldenDocument[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(documents));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
