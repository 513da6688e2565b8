// Finds texts that name an erased person.
import { families } from '../../../shared/families/index.ts';
import type { RecordKey } from '../cache/cache-keys.ts';

const WORD_CHARACTER = /[\p{L}\p{N}_-]/u;

/** Returns whether a text contains these characters as a whole word. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + word.length)];
    if (!WORD_CHARACTER.test(before) && !WORD_CHARACTER.test(after)) return true;
  }
  return false;
}

/** Recognises texts that name a person. */
export interface NameMatcher {
  /** Shorthand names, in lower case. A text without any of them does not match. */
  names: readonly string[];
  /** Returns whether a text contains one of the names as a whole word, for example in a profile URL. */
  matches: (text: string) => boolean;
}

/**
 * Creates a matcher for the shorthand names of a person, which nobody else has.
 * Plain names may belong to others, and the shorthand name of a company may be any word: these are not matched.
 * @returns undefined if no key is a person's shorthand name
 * @returns undefined where no key is a person's shorthand name
 */
export function createNameMatcher(keys: Iterable<RecordKey>): NameMatcher | undefined {
  const found = new Set<string>();
  for (const { family, kind, value } of keys) {
    if (families[family].subject === 'employee' && kind === 'shorthand_name') found.add(value.toLowerCase());
  }
  if (found.size === 0) return undefined;
  const names = [...found];
  return { names, matches: (text) => names.some((name) => hasWord(text.toLowerCase(), name)) };
}
