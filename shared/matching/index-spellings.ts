// Lists the spellings under which the index may have a name: the index folds the case only.

import { foldDigraphs, foldText } from '../lib/fold-text.ts';
import { ACCENTS, VIETNAMESE } from './data/accents.ts';
import type { NameWord, NormalisedName } from './normalise.ts';
import { listNumberWords } from './words.ts';

type Alphabet = ReadonlyMap<string, readonly string[]>;

const parseAlphabet = (groups: readonly string[]): Alphabet =>
  new Map(groups.map((group) => [group[0] ?? '', [...group].slice(1)]));

const alphabets = /* @__PURE__ */ ACCENTS.trim()
  .split('\n')
  .map((line) => {
    const [countries = '', ...groups] = line.split(' ');
    return { countries: countries.split(','), letters: parseAlphabet(groups) };
  });
const vietnamese = /* @__PURE__ */ parseAlphabet(VIETNAMESE.letters.split(' '));

/** Variants of a word in an alphabet of another country. */
const MAX_PER_ALPHABET = 30;

/** `Łódź` lacks three of four accents. */
const MAX_ACCENTS = 4;

/** Pairs of letters that stand for one letter of German and Nordic names. */
const digraphs = [
  [
    ['ae', 'ä'],
    ['oe', 'ö'],
    ['ue', 'ü'],
  ],
  [
    ['ae', 'æ'],
    ['oe', 'ø'],
    ['aa', 'å'],
  ],
] as const;

const replaceAll = (text: string, part: string, by: string): string => text.split(part).join(by);

/**
 * Adds accents to a word.
 * @returns the words by the number of accents that were added, without the word itself
 */
function addAccents(word: string, alphabet: Alphabet, limit: number): string[][] {
  const letters = [...word];
  let level = [{ text: letters, from: 0 }];
  const levels: string[][] = [];
  let count = 0;
  for (let accents = 1; accents <= MAX_ACCENTS && count < limit && level.length > 0; accents += 1) {
    level = level
      .flatMap(({ text, from }) =>
        text.flatMap((letter, at) =>
          at < from
            ? []
            : (alphabet.get(letter) ?? []).map((variant) => ({
                text: [...text.slice(0, at), variant, ...text.slice(at + 1)],
                from: at + 1,
              })),
        ),
      )
      .slice(0, limit - count);
    count += level.length;
    levels.push(level.map(({ text }) => text.join('')));
  }
  return levels;
}

/** Adds a tone to one vowel of a Vietnamese syllable. */
const addTones = (syllable: string): string[] =>
  Array.from(syllable.matchAll(VIETNAMESE.vowels), ({ index }) =>
    [...VIETNAMESE.tones].map((tone) =>
      (syllable.slice(0, index + 1) + tone + syllable.slice(index + 1)).normalize('NFC'),
    ),
  ).flat();

function listAccented(word: string, countries: ReadonlySet<string>, limit: number): string[] {
  if (countries.has(VIETNAMESE.country)) {
    const syllables = [word, ...addAccents(word, vietnamese, limit).flat()];
    return [...syllables, ...syllables.flatMap(addTones)];
  }
  const all = alphabets.map(({ countries: homes, letters }) => {
    const isLocal = homes.some((country) => countries.has(country));
    return { isLocal, levels: addAccents(word, letters, isLocal ? limit : MAX_PER_ALPHABET) };
  });
  const list = (some: typeof all): string[] =>
    Array.from({ length: MAX_ACCENTS }, (_, at) => some.flatMap(({ levels }) => levels[at] ?? [])).flat();
  return [...list(all.filter(({ isLocal }) => isLocal)), ...list(all)];
}

function joinDigraphs(word: string): string[] {
  return digraphs.flatMap((pairs) => {
    const single = pairs.map(([two, one]) => replaceAll(word, two, one));
    return [...single, pairs.reduce((text, [two, one]) => replaceAll(text, two, one), word)];
  });
}

/** Letters that may be initials: the index has `a.b.c` as one term. */
const INITIALS_WORD = /^\p{L}{2,4}$/u;

/**
 * Lists the terms that the index may have for a word, the likeliest first.
 * @param countries - where the company may be (ISO 3166-1): their letters come first
 * @param limit - maximum number of terms
 */
export function listTerms(
  { typed, text }: NameWord,
  countries: ReadonlySet<string>,
  limit: number,
): string[] {
  const plain = replaceAll(typed, "'", '');
  const bases = plain.includes('ss') ? [plain, replaceAll(plain, 'ss', 'ß')] : [plain];
  const terms = [
    ...[typed, foldText(typed), text, foldDigraphs(typed), plain, replaceAll(typed, "'", '’')],
    ...(INITIALS_WORD.test(text) ? [[...text].join('.')] : []),
    ...bases,
    ...bases.flatMap(joinDigraphs),
    ...listNumberWords(text),
    ...bases.flatMap((base) => listAccented(base, countries, Math.floor(limit / bases.length))),
  ];
  return [...new Set(terms)].filter((term) => term !== '').slice(0, limit);
}

/** Letters of an acronym in capitals: `ABC` of `ABC Tooling`. */
const ACRONYM = /(?<![\p{L}\p{N}.])\p{Lu}{2,4}(?![\p{L}\p{N}]|\.\p{L})/gu;
/** Separated letters of an acronym: `A.B.C.`, `A-B-C`, `A B C`. */
const INITIALS = /(?<![\p{L}\p{N}])\p{L}(?:(?:[.\s-]|\.\s)\p{L})+(?![\p{L}\p{N}])\.?/gu;

/** Names of one word that the index may have as two: `CircuitHub` and `Circuit Hub`. */
const SPLITTABLE =
  /^(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{6,20}|\p{Script=Hangul}{4,12})$/u;

function splitWord(word: string): string[] {
  if (!SPLITTABLE.test(word)) return [];
  const least = /\p{Script=Hangul}/u.test(word) ? 2 : 3;
  return Array.from({ length: word.length - 2 * least + 1 }, (_, at) => {
    const end = at + least;
    return `${word.slice(0, end)} ${word.slice(end)}`;
  });
}

/**
 * Lists texts whose words the index may have one after the other: as typed, without legal form and place, and with other
 * blanks and full stops.
 */
export function listPhrases({ phrases, words, joined }: NormalisedName): string[] {
  const [core = ''] = phrases.slice(-1);
  const initials = (separator: string) => (text: string) =>
    text
      .replace(/[^\p{L}]+/gu, '')
      .split('')
      .join(separator);
  const isMixed = core !== core.toUpperCase();
  const others = [
    words.map(({ typed }) => typed).join(' '),
    joined,
    ...[' ', '.'].flatMap((separator) => [
      core.replace(INITIALS, initials(separator)),
      isMixed ? core.replace(ACRONYM, initials(separator)) : '',
    ]),
    core.replace(/(?<=\p{L})\.\s+(?=\p{L})/gu, '.'),
    core.replace(/(?<=\p{L})\.(?=\p{L})/gu, ' '),
    ...(words.length === 1 ? splitWord(core) : []),
    replaceAll(core, "'", '’'),
  ];
  const texts = [...phrases, ...others].map((text) => text.trim()).filter((text) => text !== '');
  // The index folds the case.
  return [...new Map(texts.map((text) => [text.toLowerCase(), text])).values()];
}
