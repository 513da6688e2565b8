// Finds texts that name an erased person or company.
import { type Family, families, type Subject, subjects } from '../../../shared/families/index.ts';
import type { RecordKey } from '../cache/cache-keys.ts';

const WORD = '[\\p{L}\\p{N}_-]';
/** Fields that hold ids, besides `id` and `ids` in a text about the same subject. */
const idFields: Readonly<Record<Subject, string>> = {
  company: '(?:\\w+_)?company_ids?',
  employee: '(?:\\w+_)?(?:employee|member|author|parent)_ids?',
  job: 'job_ids?',
  post: 'post_ids?',
};
/** Between a field and its value: punctuation, other ids of a list, and operators of queries. */
const BEFORE_VALUE = `["']?\\s*[:=](?:[\\s"'\\[{(,.*\\d]|"(?:value|query|boost|gte|lte|gt|lt)"\\s*:|\\b(?:or|and|to)\\b)*?`;

/** Recognises texts that name a person or company. */
export interface NameMatcher {
  /** Values of the keys, in lower case. A text without any of them does not match. */
  names: readonly string[];
  /**
   * Returns whether a text names them by a key, for example in a profile URL.
   * @param family - of the records that the text is about, if it is about one: `id` is an id of that family
   * @param isTitle - the text is short, and a number in it may be an id of that family
   */
  matches: (text: string, family?: Family, isTitle?: boolean) => boolean;
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Builds the patterns of a key, for lower-case texts. */
function buildPatterns({
  family,
  kind,
  value,
}: RecordKey): { pattern: string; subject?: Subject; inTitles?: true }[] {
  const { subject } = families[family];
  const text = escapePattern(value.toLowerCase());
  switch (kind) {
    case 'website':
      // A subdomain is another website.
      return [{ pattern: `(?:(?<!${WORD}|\\.)|(?<=\\bwww\\.))${text}(?!${WORD}|\\.${WORD})` }];
    case 'id': {
      const id = `(?<!\\d)${text}(?!\\d)`;
      return [
        { pattern: `(?<!${WORD})${idFields[subject]}${BEFORE_VALUE}${id}` },
        { pattern: `(?<!${WORD})_?ids?${BEFORE_VALUE}${id}`, subject },
        { pattern: `(?<!${WORD}|\\d[.,])${text}(?!${WORD}|[.,]\\d)`, subject, inTitles: true },
      ];
    }
    case 'shorthand_name': {
      const name = `(?<!${WORD})${text}(?!${WORD})`;
      // Other shorthand names may be any word: that of a company, or of a person such as "sales".
      if (subject === 'employee' && /[-_.\d]/.test(value)) return [{ pattern: name }];
      const segments = subjects[subject].profileSegments.join('|');
      return [
        { pattern: `/(?:${segments})/${text}(?!${WORD})` },
        { pattern: `shorthand_names?${BEFORE_VALUE}${name}` },
      ];
    }
    default:
      return [];
  }
}

/**
 * Creates a matcher for the keys of a person or company. Plain names may belong to others, and are not matched.
 * @returns undefined if there are no keys
 */
export function createNameMatcher(keys: Iterable<RecordKey>): NameMatcher | undefined {
  const names = new Set<string>();
  const patterns = new Map<string, { regex: RegExp; subject?: Subject; inTitles?: true }>();
  for (const key of keys) {
    for (const { pattern, ...rest } of buildPatterns(key)) {
      names.add(key.value.toLowerCase());
      patterns.set(`${rest.subject} ${rest.inTitles} ${pattern}`, {
        regex: new RegExp(pattern, 'u'),
        ...rest,
      });
    }
  }
  if (names.size === 0) return undefined;
  return {
    names: [...names],
    matches: (text, family, isTitle = false) =>
      [...patterns.values()].some(
        ({ regex, subject, inTitles = false }) =>
          (isTitle || !inTitles) &&
          (subject === undefined || (family !== undefined && families[family].subject === subject)) &&
          regex.test(text.toLowerCase()),
      ),
  };
}
