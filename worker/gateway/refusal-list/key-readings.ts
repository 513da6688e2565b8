// Other spellings of keys: the provider may read ` 555`, `5_55` or `name/` as a key that was erased.
import type { Family, KeyKind } from '../../../shared/families/index.ts';
import { normaliseId, normaliseWebsite } from '../../../shared/keys/index.ts';
import { parseShorthandName } from '../../../shared/keys/profile.ts';
import type { KeyResult } from '../../../shared/keys/result.ts';
import { type RecordKey, toCacheName } from '../cache/cache-keys.ts';

/** Texts that have no other reading. */
const ORDINARY = /^(?:[1-9]\d*|[a-z][a-z\d-]*(?:\.[a-z\d-]+)*)$/;
/** Longer texts name nobody. */
const MAX_CHARACTERS = 4096;
const MAX_WORDS = 50;
/** Text that is percent-encoded more often names nobody. */
const MAX_DECODINGS = 3;
const NOT_IN_WORDS = /[^\p{L}\p{N}\p{M}._+-]+/u;
const PUNCTUATION_AROUND = /^[._+-]+|(?<![._+-])[._+-]+$/g;

function decodeRepeatedly(text: string): string {
  let decoded = text;
  for (let left = MAX_DECODINGS; left > 0 && decoded.includes('%'); left -= 1) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return decoded;
    }
  }
  return decoded;
}

/** Reads digits as programs do: with a sign, leading zeros, underscores and a fraction of zeros. */
const readId = (word: string): KeyResult =>
  normaliseId(
    word
      .replaceAll('_', '')
      .replace(/^\+?0*/, '')
      .replace(/\.0*$/, ''),
  );

const readers: Readonly<Record<KeyKind, (word: string) => KeyResult>> = {
  id: readId,
  website: (word) => normaliseWebsite(word.replace(PUNCTUATION_AROUND, '')),
  shorthand_name: (word) => parseShorthandName(word),
};

/**
 * Lists the keys that the provider may read in a text, whatever else is in it. If one of them is erased, the text is refused
 * before it is bought.
 * @param kinds - that the provider may read there
 * @returns distinct keys; none for an ordinary text
 */
export function listKeyReadings(family: Family, text: string, kinds: readonly KeyKind[]): RecordKey[] {
  if (ORDINARY.test(text)) return [];
  const plain = decodeRepeatedly(text.slice(0, MAX_CHARACTERS))
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
  const words = new Set(
    plain
      .split(NOT_IN_WORDS, MAX_WORDS)
      .flatMap((word) => [word, word.replace(PUNCTUATION_AROUND, '')])
      .filter((word) => word !== ''),
  );
  const readings = new Map<string, RecordKey>();
  for (const word of words)
    for (const kind of kinds) {
      const read = readers[kind](word);
      const key = read.ok ? { family, kind: read.kind, value: read.value } : undefined;
      if (key !== undefined) readings.set(toCacheName(key), key);
    }
  return [...readings.values()];
}
