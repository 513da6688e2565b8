// Compares company names: words with weights, typing errors, abbreviations, initials and joined words.

import { compareSpelling } from './edit-cost.ts';
import type { NormalisedName } from './normalise.ts';
import { expandAbbreviation, getWeight, isFiller } from './words.ts';

/** Similarity of a word and its usual abbreviation: `international` and `intl`. */
const KNOWN_ABBREVIATION = 0.95;

/** Similarity of a word and its start: `systems` and `syst`. */
const CUT_WORD = 0.8;

/** The same if no other word agrees: `circuit` and `circuithub` are different companies. */
const LONE_CUT_WORD = 0.5;

const MIN_CUT_LENGTH = 3;

/** Letters that a cut leaves out. One letter more is another word, such as a plural. */
const MIN_CUT = 2;

/** A word below this similarity deviates. One does in many names; two rarely mean the same company. */
const DEVIATION = 0.9;
const SEVERAL_DEVIATIONS = 0.9;

/** A word that only one of the names has usually makes it another company: `Acme` and `Acme Ventures`. */
const OTHER_WORD = 0.9;

/** Names with the same words in another order. */
const OTHER_ORDER = 0.95;

/** Names that differ by blanks: `CircuitHub` and `Circuit Hub`. */
const OTHER_BLANKS = 0.97;

/** A difference between legal forms is weak evidence. */
const OTHER_FORM = 0.98;

/** Two letters stand for too many companies. */
const MIN_INITIALS = 3;
const MAX_INITIALS = 6;
const INITIALS = 0.75;

/** The similarity of two words, and whether one is only the start of the other. */
interface WordPair {
  left: number;
  right: number;
  similarity: number;
  isCut: boolean;
}

/** Checks whether a word has all letters of an abbreviation in order, beginning and ending with the same: `mfg`. */
function isContraction(short: string, long: string): boolean {
  if (short.length < MIN_CUT_LENGTH || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length && !/[aeiou]/.test(short.slice(1));
}

function compareWords(one: string, other: string): Pick<WordPair, 'similarity' | 'isCut'> {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (expandAbbreviation(short).includes(long)) return { similarity: KNOWN_ABBREVIATION, isCut: false };
  const spelling = compareSpelling(one, other);
  if (spelling > CUT_WORD) return { similarity: spelling, isCut: false };
  const isCut =
    short.length >= MIN_CUT_LENGTH &&
    long.length >= short.length + MIN_CUT &&
    long.startsWith(short) &&
    // `netw` stands for `network`, not for any word with this start.
    expandAbbreviation(short).length === 0;
  if (isCut || isContraction(short, long)) return { similarity: CUT_WORD, isCut: true };
  return { similarity: spelling, isCut: false };
}

/** Assigns words of two names to each other, the most similar ones first. */
function pairWords(left: readonly string[], right: readonly string[]): WordPair[] {
  const pairs = left
    .flatMap((one, at) => right.map((other, to) => ({ left: at, right: to, ...compareWords(one, other) })))
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity);
  const usedLeft = new Set<number>();
  const usedRight = new Set<number>();
  return pairs.filter((pair) => {
    if (usedLeft.has(pair.left) || usedRight.has(pair.right)) return false;
    usedLeft.add(pair.left);
    usedRight.add(pair.right);
    return true;
  });
}

const sumWeights = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + getWeight(word), 0);

function compareByWords(left: readonly string[], right: readonly string[]): number {
  const pairs = pairWords(left, right);
  const weigh = ({ left: at, right: to }: WordPair): number =>
    getWeight(left[at] ?? '') + getWeight(right[to] ?? '');
  const hasWhole = pairs.some(({ left: at, isCut }) => !isCut && !isFiller(left[at] ?? ''));
  const shared = pairs.reduce((sum, pair) => {
    const similarity = pair.isCut && !hasWhole ? LONE_CUT_WORD : pair.similarity;
    return sum + weigh(pair) * similarity;
  }, 0);
  const isPaired = (side: 'left' | 'right') => (word: string, at: number) =>
    isFiller(word) || pairs.some((pair) => pair[side] === at);
  const hasOtherWord = !left.every(isPaired('left')) || !right.every(isPaired('right'));
  const deviations = pairs.filter((pair) => pair.similarity < DEVIATION).length;
  const similarity =
    (shared / (sumWeights(left) + sumWeights(right))) *
    (hasOtherWord ? OTHER_WORD : 1) *
    (deviations > 1 ? SEVERAL_DEVIATIONS : 1);
  const isInOrder = pairs.every(({ left: at, right: to }) =>
    pairs.every((other) => at < other.left === to < other.right),
  );
  return isInOrder ? similarity : similarity * OTHER_ORDER;
}

/** Returns the initials of a name: `ibm` for International Business Machines. */
function getInitials(words: readonly string[]): string {
  return words.flatMap((word) => (isFiller(word) ? [] : (word[0] ?? ''))).join('');
}

/** Checks whether one name consists of the initials of the other one. */
function isInitials({ words: [only = '', ...more] }: NormalisedName, other: NormalisedName): boolean {
  if (more.length > 0 || only.length < MIN_INITIALS || only.length > MAX_INITIALS) return false;
  return only === getInitials(other.words) || only === other.words.map((word) => word[0]).join('');
}

/**
 * Compares two company names.
 * @returns 0 to 1. 1: the same name apart from case, accents, punctuation and legal form; above 0.85: probably the same
 *   company; symmetric
 */
export function compareNames(one: NormalisedName, other: NormalisedName): number {
  // Which words are paired can depend on the order, if several are equally similar.
  if (one.joined > other.joined) return compareNames(other, one);
  if (one.words.length === 0 || other.words.length === 0) return 0;
  const hasOtherForm = one.form !== undefined && other.form !== undefined && one.form !== other.form;
  const factor = hasOtherForm ? OTHER_FORM : 1;
  if (one.words.join(' ') === other.words.join(' ')) return factor;
  if (one.joined === other.joined) return OTHER_BLANKS * factor;
  const similarities = [
    compareByWords(one.words, other.words),
    compareSpelling(one.joined, other.joined) * OTHER_BLANKS,
    isInitials(one, other) || isInitials(other, one) ? INITIALS : 0,
  ];
  return Math.max(...similarities) * factor;
}
