// Compares names of people: accents, order, initials, further names and titles, blanks and typing errors.
import { foldDigraphs, foldText } from '../../../shared/lib/fold-text.ts';
import { compareSpelling, SAME_WORD } from '../../../shared/matching/spelling-errors.ts';

/** A word in its two usual spellings without accents: `muller` and `mueller`. */
interface NameWord {
  text: string;
  long: string;
}

type PersonName = readonly NameWord[];

const APOSTROPHES = /['’ʼ`´]/gu;
const WORD = /[\p{L}\p{M}]+/gu;

/** Splits a name into words. `O'Brien` is one, `Anne-Marie` are two. */
function parseName(name: string): PersonName {
  const words = name.replace(APOSTROPHES, '').match(WORD) ?? [];
  return words.map((word) => ({ text: foldText(word), long: foldDigraphs(word) }));
}

const isSameWord = (one: NameWord, other: NameWord): boolean =>
  [one.text, one.long].some((text) => text === other.text || text === other.long) ||
  compareSpelling(one.text, other.text) >= SAME_WORD;

const isInitial = (one: NameWord, other: NameWord): boolean =>
  (one.text.length === 1 || other.text.length === 1) && one.text[0] === other.text[0];

const join = (name: PersonName, spelling: keyof NameWord): string =>
  name.map((word) => word[spelling]).join('');

/** Checks whether each word of the shorter name is in the longer one, at least one of them in full. */
function isPart(shorter: PersonName, longer: PersonName): boolean {
  const left = [...longer];
  const take = (word: NameWord, isEqual: typeof isSameWord): boolean => {
    const at = left.findIndex((other) => isEqual(word, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  const others = shorter.filter((word) => !take(word, isSameWord));
  return others.length < shorter.length && others.every((word) => take(word, isInitial));
}

function isSameName(wanted: PersonName, stored: PersonName): boolean {
  if (wanted.length === 0 || stored.length === 0) return false;
  if (join(wanted, 'text') === join(stored, 'text') || join(wanted, 'long') === join(stored, 'long'))
    return true;
  if (wanted.length <= stored.length) return isPart(wanted, stored);
  // A stored first name alone would fit too many people.
  return stored.length > 1 && isPart(stored, wanted);
}

/** Checks whether one word is made of a name: `janedoe`, `doejane`, `jdoe`, `janed`, `jane` or `doe`. */
function isMadeOf({ text: handle }: NameWord, stored: PersonName): boolean {
  const spellings = stored.flatMap(({ text, long }, at) => [
    { text, at },
    { text: long, at },
  ]);
  return spellings.some(
    (one) =>
      one.text === handle ||
      spellings.some(
        (other) =>
          other.at !== one.at &&
          [one.text + other.text, one.text.charAt(0) + other.text, one.text + other.text.charAt(0)].includes(
            handle,
          ),
      ),
  );
}

/** Tells whether a stored name may be that of the person. */
export type NameTest = (stored: string) => boolean;

/** @returns undefined if the text has no letter */
export function createNameTest(name: string): NameTest | undefined {
  const wanted = parseName(name);
  return wanted.length === 0 ? undefined : (stored) => isSameName(wanted, parseName(stored));
}

/**
 * Creates the test for the words before the `@` of an address.
 * @returns undefined if they have no word of two letters
 */
export function createHandleTest(handle: string): NameTest | undefined {
  const wanted = parseName(handle);
  const [first] = wanted;
  if (first === undefined || wanted.every(({ text }) => text.length < 2)) return undefined;
  return (stored) => {
    const name = parseName(stored);
    return isSameName(wanted, name) || (wanted.length === 1 && isMadeOf(first, name));
  };
}
