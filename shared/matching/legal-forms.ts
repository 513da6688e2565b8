// Finds the legal forms of companies in their names.

import { foldDigraphs, foldToKey } from '../lib/fold-text.ts';
import { once } from '../lib/once.ts';
import { BRACKETED_FORMS, LEGAL_FORMS } from './data/legal-forms.ts';

interface FormSpelling {
  /** The usual spelling, folded. */
  form: string;
  /** Countries that put it before the name. */
  before: Set<string>;
  /** Countries that put it after the name. */
  after: Set<string>;
  /** It is a form only in its countries, unless it is written with full stops or slashes. */
  isWord: boolean;
}

const ANY_COUNTRY = '*';

/** Every country: all forms are removed, although some may be words. */
export const anyCountry: ReadonlySet<string> = new Set([ANY_COUNTRY]);

const getSpellings = once((): ReadonlyMap<string, FormSpelling> => {
  const spellings = new Map<string, FormSpelling>();
  for (const line of LEGAL_FORMS.trim().split('\n')) {
    const [countries = '', position = '', ...rest] = line.split(' ');
    for (const group of rest.join(' ').split(';')) {
      const [usual = '', ...others] = group.split('=');
      const form = foldToKey(usual);
      for (const text of [usual, ...others]) {
        for (const key of [foldToKey(text), foldToKey(foldDigraphs(text))]) {
          const known = spellings.get(key) ?? { form, before: new Set(), after: new Set(), isWord: false };
          spellings.set(key, known);
          known.isWord ||= text.includes('?');
          for (const country of countries.split(',')) {
            if (position.includes('<')) known.before.add(country);
            if (position.includes('>')) known.after.add(country);
          }
        }
      }
    }
  }
  return spellings;
});

const bracketedForms: ReadonlySet<string> = /* @__PURE__ */ new Set(BRACKETED_FORMS.split(' '));

/** A longer form before a name is no other word: `Công ty TNHH Sao Mai`. */
const MAX_AMBIGUOUS_LENGTH = 6;

/** Words of the longest spelling, with blanks between all letters. */
const MAX_WORDS = 8;

/** Scripts that may put a form beside the name without a blank. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}]{2,}/gu;
const getAttachedForms = once(() => {
  const forms = [...new Set(LEGAL_FORMS.match(UNSPACED))].sort((one, other) => other.length - one.length);
  const any = forms.join('|');
  return { before: new RegExp(`^(?:${any})`, 'u'), after: new RegExp(`(?:${any})$`, 'u') };
});

/** Puts blanks between a name and the legal forms that are attached to it, as in 株式会社トヨタ. */
export function detachForms(name: string): string {
  const { before, after } = getAttachedForms();
  return name
    .split(/(\s+)/)
    .map((part) => part.replace(before, (form) => `${form} `).replace(after, (form) => ` ${form}`))
    .join('')
    .trim();
}

/** Checks whether a text in brackets is a form, or a part of one: 株 or `Pty`. */
export function isBracketedForm(text: string): boolean {
  const key = foldToKey(text);
  return bracketedForms.has(key) || getSpellings().has(key);
}

/** A word of a name, and where it stands. */
export interface FormWord {
  /** Folded to letters and digits. */
  key: string;
  start: number;
  end: number;
}

/** The part of a name without its legal forms. */
export interface NameCore {
  /** Positions of its first word and after its last word. At least one word remains. */
  start: number;
  end: number;
  /** The forms, in their usual spelling. */
  forms: readonly string[];
  /** Countries that have one of the forms (ISO 3166-1), without forms that any country has. */
  countries: ReadonlySet<string>;
}

/** Conjunctions between two forms: `GmbH u. Co. KG`. */
const conjunctions: ReadonlySet<string> = new Set(['and', 'und', 'u', 'et', 'y', 'e', 'og', 'och', 'i']);

/** Words that introduce the owners of a company. */
const ownerWords: ReadonlySet<string> = new Set(['di', 'inh', 'inhaber', 'inhaberin']);

const hasAny = (set: ReadonlySet<string>, countries: ReadonlySet<string>): boolean =>
  set.has(ANY_COUNTRY) ||
  (countries.has(ANY_COUNTRY) && set.size > 0) ||
  [...countries].some((country) => set.has(country));

/** Finds the longest form that consists of whole words at an end of a name. */
function findForm(
  words: readonly FormWord[],
  isForm: (spelling: FormSpelling, words: readonly FormWord[]) => boolean,
  slice: (length: number) => readonly FormWord[],
): { spelling: FormSpelling; length: number } | undefined {
  for (let length = Math.min(MAX_WORDS, words.length - 1); length > 0; length -= 1) {
    const part = slice(length);
    const spelling = getSpellings().get(part.map(({ key }) => key).join(''));
    if (spelling !== undefined && isForm(spelling, part)) return { spelling, length };
  }
  return undefined;
}

/**
 * Finds the part of a name without its legal forms.
 * @param text - the name that the words are in
 * @param countries - where the company is (ISO 3166-1). Empty if that is not known: then ambiguous forms stay
 */
export function findCore(text: string, words: readonly FormWord[], countries: ReadonlySet<string>): NameCore {
  const found: FormSpelling[] = [];
  const findTrailing = (end: number) =>
    findForm(
      words.slice(0, end),
      ({ after, isWord }, part) => {
        if (after.size === 0) return false;
        const raw = text.slice(part[0]?.start, part[part.length - 1]?.end);
        return !isWord || /[./]/.test(raw) || hasAny(after, countries);
      },
      (length) => words.slice(end - length, end),
    );
  // `Salumi S.n.c. di Mario Rossi & C.` names the owners behind the form, `Salumi di Rossi & C. S.n.c.` before it.
  const owners = words.findIndex(
    ({ key }, at) =>
      at > 0 &&
      ownerWords.has(key) &&
      (findTrailing(at) !== undefined ||
        words.some((word, next) => next > at && word.key === 'c' && words[next - 1]?.key === 'and')),
  );
  let end = owners < 0 ? words.length : owners;
  for (let last = findTrailing(end); last !== undefined; last = findTrailing(end)) {
    found.unshift(last.spelling);
    end -= last.length;
    const isConjunction = conjunctions.has(words[end - 1]?.key ?? '');
    if (isConjunction && end > 2 && findTrailing(end - 1) !== undefined) end -= 1;
  }
  const findLeading = (start: number) =>
    findForm(
      words.slice(start, end),
      ({ before }, part) => {
        const key = part.map((word) => word.key).join('');
        // `A B C Tooling` is an acronym.
        if (part.length > 1 && words[start + part.length]?.key.length === 1) return false;
        const isClear = key.length > MAX_AMBIGUOUS_LENGTH || !/^\p{Script=Latin}/u.test(key);
        return hasAny(before, countries) || (isClear && before.size > 0);
      },
      (length) => words.slice(start, start + length),
    );
  let start = 0;
  for (let first = findLeading(start); first !== undefined; first = findLeading(start)) {
    found.unshift(first.spelling);
    start += first.length;
  }
  const local = found.flatMap(({ before, after }) => (after.has(ANY_COUNTRY) ? [] : [...before, ...after]));
  return { start, end, forms: found.map(({ form }) => form), countries: new Set(local) };
}
