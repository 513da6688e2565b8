// Compares company names: words with weights, typing errors, abbreviations, initials, joined words, numbers and forms.

import { type NameWord, type NormalisedName, normaliseName } from './normalise.ts';
import { compareSpelling, SAME_WORD } from './spelling-errors.ts';
import { expandAbbreviation, getWeight, isFiller } from './words.ts';

/** Names above it are the same company, names up to it may be. */
const UNCERTAIN = 0.8;

/** Names with other numbers are other companies: `Fund II` and `Fund III`. */
const OTHER_NUMBER = 0.6;

/** Similarity of a word and its usual abbreviation: `international` and `intl`. */
const KNOWN_ABBREVIATION = 0.95;

/** Similarity of a word and its start with a full stop: `systems` and `syst.`. */
const CUT_WORD = 0.8;

/** The same without a full stop, which may be another name: `Nova Bio` and `Nova Biologics`. */
const SHORTER_WORD = 0.6;

/** The same if no other word agrees: `circuit` and `circuithub` are different companies. */
const LONE_CUT_WORD = 0.5;

const MIN_CUT_LENGTH = 3;

/** Letters that a cut leaves out. One letter more is another word, such as a plural. */
const MIN_CUT = 2;

/** A word below this similarity deviates. One does in many names; two rarely mean the same company. */
const DEVIATION = 0.9;

/** A word that only one of the names has usually makes it another company: `Acme` and `Acme Ventures`. */
const OTHER_WORD = 0.9;

/** Names that differ by blanks: `CircuitHub` and `Circuit Hub`. */
const OTHER_BLANKS = 0.97;

/** Companies change their form, and lists have wrong ones. The company with the right form comes first. */
const OTHER_FORM = 0.95;

/** A text in brackets that only one of the names has: `Talkray (TiKL)`. */
const OTHER_NOTE = 0.95;

/** Two letters stand for too many companies. */
const MIN_INITIALS = 3;
const MAX_INITIALS = 6;
const INITIALS = 0.75;
/** The same if the record has them in brackets, or as its website. */
const CONFIRMED_INITIALS = 0.9;

interface WordSimilarity {
  similarity: number;
  /** One is only the start of the other. */
  isCut?: boolean;
  /** They may be different words. */
  isDoubtful?: boolean;
}

/** Two words, by their positions. */
interface WordPair extends WordSimilarity {
  left: number;
  right: number;
}

/** Checks whether a word has all letters of an abbreviation in order, beginning with the same: `mfg`. */
function isContraction(short: string, long: string): boolean {
  if (short.length < MIN_CUT_LENGTH || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length && /^[b-df-hj-np-tv-z]+$/.test(short.slice(1));
}

const areEqual = (one: NameWord, other: NameWord): boolean =>
  one.text === other.text || one.long === other.long;

function compareWords(one: NameWord, other: NameWord): WordSimilarity {
  if (areEqual(one, other)) return { similarity: 1 };
  const [short, long] = one.text.length < other.text.length ? [one, other] : [other, one];
  const expansions = expandAbbreviation(short.text);
  if (expansions.includes(long.text)) return { similarity: KNOWN_ABBREVIATION };
  const spelling = Math.max(compareSpelling(one.text, other.text), compareSpelling(one.long, other.long));
  if (spelling >= SAME_WORD) return { similarity: spelling };
  const isCut =
    short.text.length >= MIN_CUT_LENGTH &&
    long.text.length >= short.text.length + MIN_CUT &&
    long.text.startsWith(short.text) &&
    // `netw` stands for `network`, not for any word with this start.
    expansions.length === 0;
  if (isCut || isContraction(short.text, long.text)) {
    return { similarity: short.isCut ? CUT_WORD : SHORTER_WORD, isCut: true, isDoubtful: !short.isCut };
  }
  return { similarity: spelling, isDoubtful: true };
}

/** Assigns words of two names to each other, the most similar ones first. */
function pairWords(left: readonly NameWord[], right: readonly NameWord[]): WordPair[] {
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

const sumWeights = (words: readonly NameWord[]): number =>
  words.reduce((sum, { text }) => sum + getWeight(text), 0);

function compareByWords(left: readonly NameWord[], right: readonly NameWord[]): number {
  const pairs = pairWords(left, right);
  const weigh = ({ left: at, right: to }: WordPair): number =>
    getWeight(left[at]?.text ?? '') + getWeight(right[to]?.text ?? '');
  const hasWhole = pairs.some(({ left: at, isCut }) => isCut !== true && !isFiller(left[at]?.text ?? ''));
  const shared = pairs.reduce((sum, pair) => {
    const similarity = pair.isCut === true && !hasWhole ? LONE_CUT_WORD : pair.similarity;
    return sum + weigh(pair) * similarity;
  }, 0);
  const similarity = shared / (sumWeights(left) + sumWeights(right));
  const isPaired = (side: 'left' | 'right') => (word: NameWord, at: number) =>
    isFiller(word.text) || pairs.some((pair) => pair[side] === at);
  if (!left.every(isPaired('left')) || !right.every(isPaired('right'))) {
    return Math.min(UNCERTAIN, similarity * OTHER_WORD);
  }
  const isInOrder = pairs.every(({ left: at, right: to }) =>
    pairs.every((other) => at < other.left === to < other.right),
  );
  const isDoubtful =
    pairs.some((pair) => pair.isDoubtful) ||
    pairs.filter((pair) => pair.similarity < DEVIATION).length > 1 ||
    // An article distinguishes short names: `Los Andes` and `Andes`.
    (left.length !== right.length && Math.min(left.length, right.length) === 1);
  return isInOrder && !isDoubtful ? similarity : Math.min(UNCERTAIN, similarity);
}

/**
 * Checks whether two names correct a word of the typed name in different ways: `Honydue` may be `Honeydue` or `Honpydue`.
 * Then neither is certain, whatever their other words are.
 */
export function correctDifferently(
  typed: NormalisedName,
  one: NormalisedName,
  other: NormalisedName,
): boolean {
  const findCorrections = (word: NameWord, { words }: NormalisedName): string[] =>
    words.flatMap(({ text }) => {
      const similarity = compareSpelling(word.text, text);
      // A letter more or less may distinguish names, and still be the error.
      const isCorrection = similarity >= SAME_WORD || (similarity > 0 && word.text.length !== text.length);
      return isCorrection ? text : [];
    });
  return typed.words.some((word) => {
    const corrections = findCorrections(word, one);
    if (corrections.length === 0 || corrections.includes(word.text)) return false;
    return findCorrections(word, other).some((text) => !corrections.includes(text));
  });
}

/** Lists the initials of a name: `ibm` for International Business Machines. */
function listInitials({ words }: NormalisedName): string[] {
  const proper = words.filter(({ text }) => !isFiller(text));
  return [proper, words].map((each) => each.map(({ text }) => text[0]).join(''));
}

/** Scores a name that consists of the initials of the other one. */
function compareInitials(one: NormalisedName, other: NormalisedName, website: string | undefined): number {
  const { joined, words } = one;
  if (words.length > 1 || joined.length < MIN_INITIALS || joined.length > MAX_INITIALS) return 0;
  if (!listInitials(other).includes(joined)) return 0;
  return website === joined || other.notes.includes(joined) ? CONFIRMED_INITIALS : INITIALS;
}

const joinOtherNames = ({ otherNames }: NormalisedName): string[] =>
  otherNames.map((name) => normaliseName(name).joined);

/** Scores a name that is another name of the other company: `Beta` of `Acme (formerly Beta)`. */
const compareOtherNames = ({ joined }: NormalisedName, other: NormalisedName): number =>
  [...other.notes, ...joinOtherNames(other)].includes(joined) ? UNCERTAIN : 0;

/** Returns how much different legal forms reduce a similarity. A form that is a part of the other one does not differ. */
function compareForms(one: NormalisedName, other: NormalisedName): number {
  const [first, second] = [one.forms.join(''), other.forms.join('')];
  return first.endsWith(second) || second.endsWith(first) ? 1 : OTHER_FORM;
}

/** Returns the most that different texts in brackets and other names allow. */
function compareNotes(one: NormalisedName, other: NormalisedName): number {
  const [first, second] = [joinOtherNames(one), joinOtherNames(other)];
  if (first.length > 0 && second.length > 0 && first.join() !== second.join()) return UNCERTAIN;
  const [left, right] = [one.notes, other.notes];
  const different = [
    ...left.filter((note) => !right.includes(note)),
    ...right.filter((note) => !left.includes(note)),
  ];
  if (different.length === 0) return 1;
  const isOther = (left.length > 0 && right.length > 0) || different.some((note) => /\d/.test(note));
  return isOther ? UNCERTAIN : OTHER_NOTE;
}

/**
 * Compares two company names without their places.
 * @param website - the name in the website of one of them, such as `acme` of `www.acme.co.uk`, folded
 * @returns 0 to 1. 1: the same name apart from case, accents, punctuation and legal form; above 0.85: probably the same
 *   company; symmetric
 */
export function compareNames(one: NormalisedName, other: NormalisedName, website?: string): number {
  // Which words are paired can depend on the order, if several are equally similar.
  if (one.joined > other.joined) return compareNames(other, one, website);
  if (one.words.length === 0 || other.words.length === 0) return 0;
  const areSame =
    one.words.length === other.words.length &&
    one.words.every((word, at) => areEqual(word, other.words[at] ?? word));
  const similarity = Math.min(
    Math.max(
      areSame ? 1 : compareByWords(one.words, other.words),
      one.joined === other.joined
        ? OTHER_BLANKS
        : Math.min(UNCERTAIN, compareSpelling(one.joined, other.joined)),
      compareInitials(one, other, website),
      compareInitials(other, one, website),
      compareOtherNames(one, other),
      compareOtherNames(other, one),
    ),
    compareNotes(one, other),
    one.numbers.join(' ') === other.numbers.join(' ') ? 1 : OTHER_NUMBER,
  );
  return similarity * compareForms(one, other);
}
