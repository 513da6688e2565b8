// Normalises keys: typed text becomes a kind and a value, or a reason for its rejection.
import { type Family, families, type KeyFormat, type KeyKind } from '../families/index.ts';
import { getLookupKinds } from '../operations.ts';
import { normaliseWebsiteOrEmail } from './email.ts';
import {
  looksLikeUrl,
  normaliseId,
  normaliseProfileUrl,
  normaliseShorthandName,
  parseProfileUrl,
  parseShorthandName,
} from './profile.ts';
import { invalidKey, type KeyResult } from './result.ts';
import { normaliseWebsite } from './website.ts';

export type { KeyResult } from './result.ts';
export {
  normaliseId,
  normaliseProfileUrl,
  normaliseShorthandName,
  normaliseWebsite,
  normaliseWebsiteOrEmail,
};

const parsers: Record<Exclude<KeyFormat, 'auto'>, (text: string, family: Family) => KeyResult> = {
  website: normaliseWebsiteOrEmail,
  id: normaliseId,
  shorthand_name: normaliseShorthandName,
  url: normaliseProfileUrl,
};

/** Detects the format: digits are an id, a text with a dot is a website or an e-mail address, anything else is a profile URL or shorthand name. */
function detectKey(text: string, family: Family): KeyResult {
  if (/^\s*\d+\s*$/.test(text)) return normaliseId(text);
  const kinds = getLookupKinds(family);
  const profile = kinds.includes('shorthand_name') ? normaliseProfileUrl(text, family) : undefined;
  if (profile?.ok) return profile;
  const website = kinds.includes('website') && text.includes('.');
  return website || looksLikeUrl(text) ? normaliseWebsiteOrEmail(text) : normaliseShorthandName(text);
}

/**
 * Normalises a key of a family.
 * @param by - format of the text; `auto` detects it
 * @returns the kind and normalised value, or the reason why the text is not a key of this family
 */
export function resolveKey(family: Family, by: KeyFormat, text: string): KeyResult {
  const key = by === 'auto' ? detectKey(text, family) : parsers[by](text, family);
  if (!key.ok) return key;
  const kinds: readonly KeyKind[] = getLookupKinds(family);
  return kinds.includes(key.kind)
    ? key
    : invalidKey(`Records of ${family} are looked up by ${kinds.join(' or ')}.`);
}

/** Collects the texts of a field: a text, a list of texts, or a list of objects with a `shorthand_name`. */
function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  return typeof value === 'object' && value !== null && 'shorthand_name' in value
    ? collectTexts(value.shorthand_name)
    : [];
}

/**
 * Extracts the keys in a record, except its id.
 * @returns unique hosts of its websites and unique shorthand names, the primary one first
 */
export function extractKeys(
  family: Family,
  record: Readonly<Record<string, unknown>>,
): Record<Exclude<KeyKind, 'id'>, string[]> {
  const all = (fields: readonly string[], read: (text: string) => KeyResult): string[] => {
    const keys = fields.flatMap((field) => collectTexts(record[field])).map(read);
    return [...new Set(keys.flatMap((key) => (key.ok ? [key.value] : [])))];
  };
  const { keyFields } = families[family];
  return {
    website: all(keyFields.website, normaliseWebsite),
    shorthand_name: all(keyFields.shorthand_name, (text) =>
      looksLikeUrl(text) ? parseProfileUrl(text, family) : parseShorthandName(text),
    ),
  };
}
