// Normalises company names: letters, legal forms, initials, numbers, conjunctions, places and notes.

import { foldDigraphs, foldToKey } from '../lib/fold-text.ts';
import { cleanName } from './clean.ts';
import { detachForms, findCore, isBracketedForm } from './legal-forms.ts';
import { findPlace, type Place } from './places.ts';
import { getWeight, isConjunction, isFiller, toNumber } from './words.ts';

export interface NameWord {
  /** As typed, in small letters. Initials have no full stops. */
  typed: string;
  /** Folded, numbers as digits. */
  text: string;
  /** The same with `ue` for `ü`. */
  long: string;
  /** It ends with a full stop: `Tech.` is the beginning of a word. */
  isCut: boolean;
}

/** A place at the end of a name, such as `Deutschland` in `Acme Deutschland GmbH`. */
export interface NamePlace extends Place {
  /** It is in brackets or behind a separator, so that it is no part of the name. */
  isNote: boolean;
}

/** A company name in a form that can be compared. */
export interface NormalisedName {
  /** Words without legal forms and places. Empty if the name has no letter or digit. */
  words: readonly NameWord[];
  /** The words without blanks and conjunctions. */
  joined: string;
  /** The numbers in the words, in their order. */
  numbers: readonly string[];
  /** Legal forms in their usual spelling. */
  forms: readonly string[];
  /** Countries of these forms (ISO 3166-1), if only some countries have them. */
  formCountries: ReadonlySet<string>;
  place?: NamePlace;
  /** Texts in brackets, folded. */
  notes: readonly string[];
  otherNames: readonly string[];
  /** The name before the first separator, which may be the whole name. */
  head: string;
  /** The name as typed, without additions; the same without legal forms; the same without the place. */
  phrases: readonly string[];
}

/**
 * A word of a name, or a sign that stands for one. Full stops belong to an acronym such as `I.B.M.`, apostrophes to the
 * word that they are in, and so does the quotation mark of Hebrew acronyms.
 */
const WORD =
  /(?:\p{L}\p{M}*\.){2,}(?:\p{L}(?![\p{L}\p{M}\p{N}]))?|[\p{L}\p{M}\p{N}]+(?:(?:'|(?<=\p{Script=Hebrew})["״׳])[\p{L}\p{M}]+)*|[&+]/gu;

/** The separator of thousands: `1,000` is one number. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;

const MAX_PLACE_WORDS = 3;

/** A token: where a word stands, and what it says. */
interface Token extends NameWord {
  key: string;
  start: number;
  end: number;
  isInitial: boolean;
}

/** A letter of an acronym: `A` or `A.`, or several with full stops. */
const INITIAL = /^(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\p{M}*|(?:\p{L}\p{M}*\.)+\p{L}?)$/u;

function toToken(text: string, raw: string, start: number): Token {
  const end = start + raw.length;
  // `Disney+` has a plus, `Tom + Jerry` a conjunction.
  const isPlus = raw === '+' && !/^\s*[\p{L}\p{N}]/u.test(text.slice(end));
  const key = isPlus ? 'plus' : raw === '&' || raw === '+' ? 'and' : foldToKey(raw);
  const number = toNumber(key);
  const word = isConjunction(key) ? 'and' : (number ?? key);
  const isInitial = INITIAL.test(raw);
  return {
    ...{ key, text: word, typed: isInitial ? key : raw.toLowerCase(), start, end, isInitial },
    long: word === key ? foldToKey(foldDigraphs(raw)) || key : word,
    isCut: text[end] === '.' && !isInitial,
  };
}

/** Finds the place at the end of a name. A proper name remains before it: `Air France`, but not `Bank of America`. */
function findTrailingPlace(
  text: string,
  tokens: readonly Token[],
): { place: Place; length: number } | undefined {
  for (let length = Math.min(MAX_PLACE_WORDS, tokens.length - 1); length > 0; length -= 1) {
    const rest = tokens.slice(0, -length);
    const isName =
      rest.some((token) => getWeight(token.text) === 1) && !isFiller(rest[rest.length - 1]?.text ?? '');
    const part = tokens.slice(-length);
    const place = findPlace(text.slice(part[0]?.start, part[length - 1]?.end));
    if (isName && place !== undefined) return { place, length };
  }
  return undefined;
}

/** Joins neighbouring initials: `A B C Tooling`, `A-B-C Tooling` and `A.B.C. Tooling` become `abc tooling`. */
function joinInitials(tokens: readonly Token[]): NameWord[] {
  const words: (NameWord & { isInitial: boolean })[] = [];
  for (const token of tokens) {
    const last = words[words.length - 1];
    if (last?.isInitial === true && token.isInitial) {
      last.text += token.text;
      last.long += token.long;
      last.typed = last.text;
    } else words.push({ ...token });
  }
  return words.map(({ typed, text, long, isCut }) => ({
    typed,
    text: toNumber(text) ?? text,
    long: toNumber(text) ?? long,
    isCut,
  }));
}

const NO_COUNTRY: ReadonlySet<string> = new Set();

/**
 * Normalises a company name.
 * @param countries - where the company is (ISO 3166-1), if known; {@link anyCountry} assumes each one. Legal forms that are
 *   also words, and forms before the name, depend on it
 */
export function normaliseName(name: string, countries = NO_COUNTRY): NormalisedName {
  const cleaned = cleanName(name);
  const text = detachForms(cleaned.text).replace(THOUSANDS, '');
  const all = Array.from(text.matchAll(WORD), ({ 0: raw, index }) => toToken(text, raw, index));
  const first = findCore(text, all, countries);
  const forms = [...first.forms];
  let tokens = all.slice(first.start, first.end);
  const notes: string[] = [];
  let place: NamePlace | undefined;
  for (const note of cleaned.notes) {
    const noted = findPlace(note);
    if (noted !== undefined) place = { ...noted, isNote: true };
    else if (!isBracketedForm(note)) notes.push(foldToKey(note));
  }
  const slice = (): string => text.slice(tokens[0]?.start ?? 0, tokens[tokens.length - 1]?.end ?? 0);
  const placed = slice();
  const trailing = findTrailingPlace(text, tokens);
  if (trailing !== undefined) {
    const rest = tokens.slice(0, -trailing.length);
    const core = findCore(text, rest, countries);
    tokens = rest.slice(core.start, core.end);
    forms.push(...core.forms);
    place = { ...(place ?? trailing.place), isNote: core.end < rest.length };
  }
  // `Acme & Co` keeps its conjunction otherwise, `The Acme` its article.
  while (tokens.length > 1 && tokens[tokens.length - 1]?.text === 'and') tokens.pop();
  while (tokens.length > 1 && tokens[0]?.text === 'the') tokens.shift();
  const words = joinInitials(tokens);
  return {
    words,
    joined: words.flatMap((word) => (word.text === 'and' ? [] : word.text)).join(''),
    numbers: words.flatMap((word) => word.text.match(/\d+/g) ?? []),
    ...{ forms, formCountries: first.countries, notes, otherNames: cleaned.otherNames, head: cleaned.head },
    ...(place === undefined ? {} : { place }),
    phrases: [text, placed, slice()],
  };
}
