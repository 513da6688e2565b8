// Documents of the golden set, and their digest.
import type { Mapping } from '../../shared/index-fields/mapping.ts';
import { buildIndexSource } from '../../worker/sandbox/record-repository.ts';
import type { Json } from './read.ts';

/** An indexed document. */
export interface GoldenDocument {
  id: string;
  source: Json;
}

/**
 * Converts a record to a document.
 * @throws TypeError if the record has no id
 */
export function toGoldenDocument(record: Json): GoldenDocument {
  const { id } = record;
  if (typeof id !== 'string' && typeof id !== 'number') throw new TypeError('a record without an id');
  return { id: String(id), source: record };
}

/**
 * Converts a record of the service to a document.
 * @param mapping - mapping of the record's family
 */
export function toServiceDocument(mapping: Mapping, record: Json): GoldenDocument {
  return toGoldenDocument(buildIndexSource(record, mapping.properties));
}

/**
 * Computes a digest of documents: answers are valid only for the documents that they were generated from.
 * @returns SHA-256 in hexadecimal digits
 */
export async function digestDocuments(documents: readonly GoldenDocument[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(documents));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
