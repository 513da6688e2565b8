// Reads what identifies a company from a record or a preview row.
import { isObject } from '../lib/is-object.ts';
import type { CandidateFacts } from './decide.ts';
import { factFields, type MatchFamily } from './families.ts';

export function listFactFields(family: MatchFamily): string[] {
  return Object.values(factFields[family]).flat();
}

function readText(item: unknown, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = isObject(item) ? item[field] : undefined;
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
  }
  return undefined;
}

/**
 * Reads the facts of a company.
 * @returns undefined if it has no name
 */
export function readFacts(family: MatchFamily, item: unknown): CandidateFacts | undefined {
  const fields = factFields[family];
  const name = readText(item, fields.name);
  if (name === undefined) return undefined;
  return {
    name,
    country: readText(item, fields.country),
    city: readText(item, fields.city),
    website: readText(item, fields.website),
    size: readText(item, fields.size),
  };
}
