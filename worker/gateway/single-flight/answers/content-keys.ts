// Pseudonyms of the people and companies in an answer. Erasures find answers by them.

import type { RecordKey } from '../../cache/cache-keys.ts';
import type { Content } from '../../cache/envelope.ts';
import type { Pseudonyms } from '../../refusal-list/pseudonyms.ts';
import type { CallRequest } from '../types.ts';

/** The pseudonyms of an answer. */
export interface ContentKeys {
  /** Pseudonym of the requested key; absent for pages. */
  requested?: string;
  /** Pseudonyms of the record or of each item of a page, the id first; empty for an item without keys. */
  items: string[][];
}

const isRecord = (item: unknown): item is Record<string, unknown> =>
  typeof item === 'object' && item !== null && !Array.isArray(item);

/** Creates the pseudonyms of an answer. Pages of ids have none. */
export async function getContentKeys(
  { key, family, operation }: Pick<CallRequest, 'family' | 'operation'> & { key?: RecordKey },
  content: Content,
  getPseudonyms: () => Promise<Pseudonyms>,
): Promise<ContentKeys> {
  if (key === undefined && operation !== 'preview') return { items: [] };
  const pseudonyms = await getPseudonyms();
  const items = content.kind === 'page' ? content.items : content.kind === 'record' ? [content.record] : [];
  return {
    ...(key === undefined ? {} : { requested: await pseudonyms.forKey(key) }),
    items: await Promise.all(items.map((item) => (isRecord(item) ? pseudonyms.forRecord(family, item) : []))),
  };
}

/**
 * Removes erased people and companies from an answer.
 * @param isErased - is one of these pseudonyms erased?
 * @returns the remaining content and its pseudonyms; undefined if the record itself is erased
 */
export function removeErased(
  content: Content,
  { requested, items }: ContentKeys,
  isErased: (pseudonyms: readonly string[]) => boolean,
): { content: Content; pseudonyms: string[][] } | undefined {
  if (content.kind !== 'page') {
    const keys = [...new Set([...(requested === undefined ? [] : [requested]), ...items.flat()])];
    return isErased(keys) ? undefined : { content, pseudonyms: [keys] };
  }
  const isKept = content.items.map((_, index) => !isErased(items[index] ?? []));
  return {
    content: { ...content, items: content.items.filter((_, index) => isKept[index]) },
    pseudonyms: items.filter((keys, index) => isKept[index] && keys.length > 0),
  };
}
