// One spelling for each key: what a person typed becomes a kind and a value, or a reason why not.
import { type Family, families, type KeyKind, type KeySpelling } from '../families/index.ts';
import { lookupKinds } from '../operations.ts';
import {
  looksLikeUrl,
  normaliseId,
  normaliseProfileUrl,
  normaliseShorthandName,
  readProfileUrl,
  readShorthandName,
} from './profile.ts';
import { invalid, type KeyResult } from './result.ts';
import { normaliseWebsite } from './website.ts';

export type { KeyResult } from './result.ts';
export { normaliseId, normaliseProfileUrl, normaliseShorthandName, normaliseWebsite };

const readers: Record<Exclude<KeySpelling, 'auto'>, (text: string, family: Family) => KeyResult> = {
  website: normaliseWebsite,
  id: normaliseId,
  shorthand_name: normaliseShorthandName,
  url: normaliseProfileUrl,
};

/** Digits are an id, a profile URL is one, a text with a dot a website, the rest a shorthand name. */
function guess(text: string, family: Family): KeyResult {
  if (/^\s*\d+\s*$/.test(text)) return normaliseId(text);
  const kinds = lookupKinds(family);
  const profile = kinds.includes('shorthand_name') ? normaliseProfileUrl(text, family) : undefined;
  if (profile?.ok) return profile;
  const website = kinds.includes('website') && text.includes('.');
  return website || looksLikeUrl(text) ? normaliseWebsite(text) : normaliseShorthandName(text);
}

/**
 * Reads a key of a family as it was spelt.
 * @param by - how it is spelt; `auto` tells by its look
 * @returns the kind and the one spelling of it under which records are remembered, or the reason why it is no key of
 * this family
 */
export function resolveKey(family: Family, by: KeySpelling, text: string): KeyResult {
  const key = by === 'auto' ? guess(text, family) : readers[by](text, family);
  if (!key.ok) return key;
  const kinds: readonly KeyKind[] = lookupKinds(family);
  return kinds.includes(key.kind)
    ? key
    : invalid(`Records of ${family} are looked up by ${kinds.join(' or ')}.`);
}

/** Every text in a field: the field itself, a list of texts, or a list of objects that hold one. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === 'object' && value !== null && 'shorthand_name' in value
    ? textsIn(value.shorthand_name)
    : [];
}

/**
 * The keys that a record carries itself, beside its id.
 * @returns the hosts of its websites and its shorthand names, each once, the one that it goes by first
 */
export function keysOfRecord(
  family: Family,
  record: Readonly<Record<string, unknown>>,
): Record<Exclude<KeyKind, 'id'>, string[]> {
  const all = (fields: readonly string[], read: (text: string) => KeyResult): string[] => {
    const keys = fields.flatMap((field) => textsIn(record[field])).map(read);
    return [...new Set(keys.flatMap((key) => (key.ok ? [key.value] : [])))];
  };
  const { keyFields } = families[family];
  return {
    website: all(keyFields.website, normaliseWebsite),
    shorthand_name: all(keyFields.shorthand_name, (text) =>
      looksLikeUrl(text) ? readProfileUrl(text, family) : readShorthandName(text),
    ),
  };
}
