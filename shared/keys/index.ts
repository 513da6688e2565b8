// One spelling for each key: what a person typed becomes a kind and a value, or a reason why not.
import { type Family, families, type KeyKind, type KeySpelling } from '../families.ts';
import { lookupKinds } from '../operations.ts';
import { looksLikeUrl, normaliseId, normaliseProfileUrl, normaliseShorthandName } from './profile.ts';
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
  const profile = normaliseProfileUrl(text, family);
  if (profile.ok) return profile;
  const website = lookupKinds(family).includes('website');
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

/**
 * The keys that a record carries itself.
 * @returns its website's host and its shorthand name, each where it has a usable one, the first field that does wins
 */
export function keysOfRecord(
  family: Family,
  record: Readonly<Record<string, unknown>>,
): { website?: string; shorthand_name?: string } {
  const first = (fields: readonly string[], read: (text: string) => KeyResult): string | undefined => {
    for (const field of fields) {
      const text = record[field];
      const key = typeof text === 'string' ? read(text) : undefined;
      if (key?.ok) return key.value;
    }
    return undefined;
  };
  const { keyFields } = families[family];
  const website = first(keyFields.website, normaliseWebsite);
  const shorthandName = first(keyFields.shorthand_name, (text) =>
    looksLikeUrl(text) ? normaliseProfileUrl(text, family) : normaliseShorthandName(text),
  );
  return {
    ...(website === undefined ? {} : { website }),
    ...(shorthandName === undefined ? {} : { shorthand_name: shorthandName }),
  };
}
