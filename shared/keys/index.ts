// Normalises keys: typed text becomes a kind and a value, or a reason for its rejection.
import { type Family, families, type KeyFormat, type KeyKind } from '../families/index.ts';
import { getLookupKinds } from '../operations.ts';
import { normaliseWebsiteOrEmail } from './email.ts';
import {
  findUrlOwner,
  looksLikeUrl,
  normaliseId,
  normaliseProfileUrl,
  normaliseShorthandName,
  parseRecordUrl,
  parseShorthandName,
} from './profile.ts';
import { invalidKey, type KeyResult, type NotKey } from './result.ts';
import { isNumber, looksLikeName } from './text.ts';
import { formatWebsite, normaliseWebsite } from './website.ts';

export type { KeyResult, NotKey } from './result.ts';
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

/**
 * Detects the format: a number is an id, a URL of the network a profile, a text with a dot or a path a website or an e-mail
 * address, anything else a shorthand name, if the family has them. A name with a dot, such as E.ON, is none.
 */
function detectKey(text: string, family: Family): KeyResult {
  if (isNumber(text)) return normaliseId(text);
  const kinds = getLookupKinds(family);
  const isProfile = kinds.includes('shorthand_name') && findUrlOwner(text) === 'network';
  if (isProfile) return normaliseProfileUrl(text, family);
  if (looksLikeUrl(text) || (kinds.includes('website') && text.includes('.')))
    return normaliseWebsiteOrEmail(text);
  if (!kinds.includes('shorthand_name')) return normaliseId(text);
  return text.includes('.') && looksLikeName(text)
    ? invalidKey('This is a name, not a profile link.', 'name')
    : normaliseShorthandName(text);
}

/** What a key of another kind than the expected one is, and how kinds are called. */
const kindNames: Readonly<Record<KeyKind, { is: NotKey; name: string }>> = {
  website: { is: 'website', name: 'a website' },
  id: { is: 'id', name: 'an ID' },
  shorthand_name: { is: 'profile', name: 'a profile link' },
};

/**
 * Normalises a key of a family.
 * @param by - format of the text; `auto` detects it
 * @returns the kind and normalised value, or the reason why the text is not a key of this family
 */
export function resolveKey(family: Family, by: KeyFormat, text: string): KeyResult {
  const key = by === 'auto' ? detectKey(text, family) : parsers[by](text, family);
  if (!key.ok) return key;
  const kinds: readonly KeyKind[] = getLookupKinds(family);
  if (kinds.includes(key.kind)) return key;
  const { is, name } = kindNames[key.kind];
  return invalidKey(`This is ${name}. Use ${kinds.map((kind) => kindNames[kind].name).join(' or ')}.`, is);
}

/** Formats a key so that its kind's parser reads it as the same key. */
export const formatKey = ({ kind, value }: { kind: KeyKind; value: string }): string =>
  kind === 'website' ? formatWebsite(value) : value;

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
      looksLikeUrl(text) ? parseRecordUrl(text, family) : parseShorthandName(text),
    ),
  };
}
