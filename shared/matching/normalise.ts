// Normalises company names: case, accents, punctuation, legal forms, "&" and numbers.

import { findCore, removeAttachedForms } from './legal-forms.ts';

/** A company name in a form that can be compared. */
export interface NormalisedName {
  /** Words without legal forms, in small letters without accents. Empty if the name has no letter or digit. */
  words: readonly string[];
  /** The words without blanks. */
  joined: string;
  /** The legal form, in one spelling. */
  form?: string;
  /** The typed text without legal forms and without notes in brackets. */
  core: string;
}

/** Letters that do not decompose into a base letter and an accent. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};

const numbers: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  Object.entries({
    zero: '0',
    one: '1',
    two: '2',
    three: '3',
    four: '4',
    five: '5',
    six: '6',
    seven: '7',
    eight: '8',
    nine: '9',
    ten: '10',
  }),
);

/** Longer names are cut: no company has one, and callers choose the length. */
const MAX_LENGTH = 200;

const BRACKETS = /\([^()]*\)|\[[^[\]]*\]/gu;

/** A word of a name, or a sign that stands for one. Full stops belong to an acronym such as `I.B.M.`. */
const WORD = /(?:\p{L}\p{M}*\.){2,}\p{L}?(?!\p{L})|[\p{L}\p{M}\p{N}]+(?:['’`´][\p{L}\p{M}]+)*|[&+]/gu;

/** Puts a text into small letters without accents. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłı]/gu, (letter) => letters[letter] ?? letter)
    .normalize('NFC');
}

function normaliseWord(text: string): string {
  if (text === '&' || text === '+') return 'and';
  const word = foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
  return numbers.get(word) ?? word;
}

/** Removes notes in brackets, such as a former name, unless nothing else remains. */
function removeNotes(name: string): string {
  const rest = name.replace(BRACKETS, ' ').trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : name;
}

/** Normalises a company name. */
export function normaliseName(name: string): NormalisedName {
  const text = removeNotes(removeAttachedForms(name.normalize('NFC').slice(0, MAX_LENGTH)));
  const found = Array.from(text.matchAll(WORD), (match) => ({
    word: normaliseWord(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  })).filter(({ word }) => word !== '');
  const { start, end, form } = findCore(found.map(({ word }) => word));
  const core = found.slice(start, end);
  // `Acme & Co` keeps its conjunction otherwise, `The Acme` its article.
  while (core.length > 1 && core[core.length - 1]?.word === 'and') core.pop();
  if (core.length > 1 && core[0]?.word === 'the') core.shift();
  const words = core.map(({ word }) => word);
  return {
    words,
    joined: words.filter((word) => word !== 'and').join(''),
    core: text.slice(core[0]?.start ?? 0, core[core.length - 1]?.end ?? 0),
    ...(form === undefined ? {} : { form }),
  };
}
