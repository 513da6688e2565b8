// Who is in an answer, as pseudonyms: what an erasure finds it by, and what it is refused by.

import type { RecordKey } from '../../cache/cache-keys.ts';
import type { Content } from '../../cache/envelope.ts';
import type { Pseudonyms } from '../../refusal-list/pseudonyms.ts';
import type { CallRequest } from '../types.ts';

/** Pseudonyms of whoever is in an answer. */
export interface ContentKeys {
  /** Of the key that was asked; absent for pages. */
  requested?: string;
  /** Of the record, or of each item of a page; an item without keys has none. The id comes first. */
  items: string[][];
}

const isRecord = (item: unknown): item is Record<string, unknown> =>
  typeof item === 'object' && item !== null && !Array.isArray(item);

/**
 * Finds out who is in an answer. Pages of ids name nobody.
 * @param read - reads the deployment's pseudonyms
 */
export async function getContentKeys(
  { key, family, operation }: { key?: RecordKey } & Pick<CallRequest, 'family' | 'operation'>,
  content: Content,
  read: () => Promise<Pseudonyms>,
): Promise<ContentKeys> {
  if (key === undefined && operation !== 'preview') return { items: [] };
  const pseudonyms = await read();
  const items = content.kind === 'page' ? content.items : content.kind === 'record' ? [content.record] : [];
  return {
    ...(key === undefined ? {} : { requested: await pseudonyms.forKey(key) }),
    items: await Promise.all(items.map((item) => (isRecord(item) ? pseudonyms.forRecord(family, item) : []))),
  };
}

/**
 * Takes out whoever was erased.
 * @param isErased - is one of these pseudonyms refused?
 * @returns what is left and who is in it; undefined where it is the record of somebody erased
 */
export function removeErased(
  content: Content,
  { requested, items }: ContentKeys,
  isErased: (pseudonyms: readonly string[]) => boolean,
): { content: Content; who: string[][] } | undefined {
  if (content.kind !== 'page') {
    const own = [...new Set([...(requested === undefined ? [] : [requested]), ...items.flat()])];
    return isErased(own) ? undefined : { content, who: [own] };
  }
  const stays = content.items.map((_, at) => !isErased(items[at] ?? []));
  return {
    content: { ...content, items: content.items.filter((_, at) => stays[at]) },
    who: items.filter((own, at) => stays[at] && own.length > 0),
  };
}
