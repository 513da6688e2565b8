// Small text tools: sentences with slots and choices, Latin slugs, and numbers in words.
import { AMERICAN } from './data/spelling.ts';
import type { Random } from './random.ts';

/** What the slots of a sentence stand for; a slot without a value makes the sentence unusable. */
export type Slots = Readonly<Record<string, string | undefined>>;

/** A word as it is shown, and as it is written in addresses. */
export interface Word {
  text: string;
  slug: string;
}

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ');

const FOLDED: ReadonlyMap<string, string> = new Map(
  (
    'ä ae ö oe ü ue ß ss à a á a â a ã a å a æ ae ç c è e é e ê e ë e ì i í i î i ï i ı i ñ n ò o ó o ô o ' +
    'õ o ø o ù u ú u û u ý y ÿ y ą a ć c č c ď d ę e ě e ğ g ł l ń n ň n ř r ś s š s ş s ť t ů u ź z ż z ' +
    'ž z ă a đ d ơ o ư u & and'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, item, at, all) => {
      if (at % 2 === 0) pairs.push([item, all[at + 1] ?? '']);
      return pairs;
    }, []),
);

/**
 * Writes a Latin text as part of an address: small letters a to z, digits, single hyphens.
 *
 * @param text words in Latin letters; other letters are left out
 * @returns the slug; empty when nothing is left
 */
export function slugOf(text: string): string {
  let slug = '';
  for (const letter of text.toLowerCase()) {
    const folded = FOLDED.get(letter) ?? letter;
    slug += /^[a-z0-9]+$/.test(folded) ? folded : /['’.]|\u0307/.test(folded) ? '' : '-';
  }
  return slug.replace(/-+/g, '-').replace(/^-|-$/g, '');
}

/**
 * Reads a word of the name tables: `text` or, where the text is not Latin, `text|slug`.
 *
 * @param entry the entry of the table
 * @returns the word with its slug
 */
export function wordOf(entry: string): Word {
  const cut = entry.indexOf('|');
  if (cut < 0) return { text: entry, slug: slugOf(entry) };
  return { text: entry.slice(0, cut), slug: entry.slice(cut + 1) };
}

/**
 * Raises the first letter of a sentence.
 *
 * @param text any text
 * @returns the text with a capital at its start
 */
export function capital(text: string): string {
  const first = [...text][0] ?? '';
  return first.toUpperCase() + text.slice(first.length);
}

/**
 * Writes a whole number in English, in words up to fifteen.
 *
 * @param value a whole number, at least 0
 * @returns `seven`, `16`, `1,250`
 */
export function inWords(value: number): string {
  return NUMBER_WORDS[value] ?? grouped(value);
}

/**
 * Writes a whole number with commas between thousands.
 *
 * @param value a whole number, at least 0
 * @returns such as `12,400`
 */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

const SPELLINGS: ReadonlyMap<string, string> = new Map(AMERICAN);
const SPELLED_APART = new RegExp(AMERICAN.map(([british]) => british).join('|'), 'gi');

/**
 * Writes English as in the United States.
 *
 * @param text British English, without names that must stay as they are
 * @returns American English, capitals kept
 */
export function american(text: string): string {
  return text.replace(SPELLED_APART, (found) => {
    const spelling = SPELLINGS.get(found) ?? SPELLINGS.get(found.toLowerCase()) ?? found;
    return found.charAt(0) === found.charAt(0).toLowerCase() ? spelling : capital(spelling);
  });
}

/** What is spoken with a vowel first. */
const SOUNDED = /^(?:[AEIOÅÄÉÖaeio]|[Uu][lmnpr](?!i)|(?:8\d*|11|18)\b|(?:HR|HVAC|HGV|SEO|MBA|R&D)\b)/;

/**
 * Puts the indefinite article in front.
 *
 * @param noun an English noun phrase
 * @returns such as `an HR Assistant`
 */
export function withArticle(noun: string): string {
  return `${SOUNDED.test(noun) ? 'an' : 'a'} ${noun}`;
}

/**
 * Joins noun phrases in English.
 *
 * @param items one or more phrases
 * @returns `a`, `a and b`, `a, b and c`
 */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`;
}

/**
 * Fills a sentence. `[a|b]` chooses (choices may hold further ones), `{slot}` is replaced, `{Slot}` with a
 * capital, `{n:3-9}` draws a number (`{N:…}` the same), `{w:3-9}` a number in words, `{W:3-9}` with a capital.
 *
 * @param sentence the sentence of a table
 * @param slots values of its slots
 * @param random where choices come from
 * @returns the text, or null when a slot has no value
 */
export function filled(sentence: string, slots: Slots, random: Random): string | null {
  let text = sentence;
  for (let open = /\[([^[\]]*)\]/.exec(text); open !== null; open = /\[([^[\]]*)\]/.exec(text)) {
    const choice = random.pick((open[1] ?? '').split('|'));
    text = text.slice(0, open.index) + choice + text.slice(open.index + open[0].length);
  }
  let complete = true;
  const result = text.replace(
    /\{(\w+)(?::(\d+)-(\d+))?\}/g,
    (_, slot: string, low?: string, high?: string) => {
      if (low !== undefined && high !== undefined) {
        const drawn = random.int(Number(low), Number(high));
        if (slot === 'w') return inWords(drawn);
        return slot === 'W' ? capital(inWords(drawn)) : String(drawn);
      }
      const small = slot.charAt(0).toLowerCase() + slot.slice(1);
      const value = slots[small];
      if (value === undefined) complete = false;
      return value === undefined ? '' : slot === small ? value : capital(value);
    },
  );
  // A value may end in a full stop of its own, such as "Brewing Co.".
  return complete ? result.replace(/\.\.(?!\.)/g, '.') : null;
}

/** What decides whether a sentence is true of a company. */
export interface Standing {
  staff: number;
  /** founding year */
  year: number;
}

/**
 * Checks and strips the conditions in front of a sentence: `#50 ` at least 50 employees, `-50 ` at most 50,
 * `@1985 ` founded in 1985 or earlier, `+1985 ` in 1985 or later.
 *
 * @param sentence the sentence of a table
 * @param standing the company
 * @returns the sentence without conditions, or null when it would not be true
 */
export function allowed(sentence: string, standing: Standing): string | null {
  let rest = sentence;
  for (let mark = /^([#@+-])(\d+) /.exec(rest); mark !== null; mark = /^([#@+-])(\d+) /.exec(rest)) {
    const bound = Number(mark[2]);
    if (mark[1] === '#' && standing.staff < bound) return null;
    if (mark[1] === '-' && standing.staff > bound) return null;
    if (mark[1] === '@' && standing.year > bound) return null;
    if (mark[1] === '+' && standing.year < bound) return null;
    rest = rest.slice(mark[0].length);
  }
  return rest;
}
