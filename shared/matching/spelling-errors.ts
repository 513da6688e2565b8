// Estimates how likely one word is a mistyped other word.

/** Rows of a keyboard; the rows of other layouts differ in a few letters only. */
const KEYBOARD = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Cost of a slip that people often make: two letters swapped, one missing, doubled or one key beside it. */
const SLIP = 0.1;

/** Cost of any other difference, which usually means another name. */
const DIFFERENCE = 0.25;

/** Words from this similarity on are the same word, one of them mistyped. */
export const SAME_WORD = 0.85;

/** Words up to this length differ by a letter too often: `Wave` and `Weave`. */
const SHORT_WORD = 5;

/** Alphabets, whose letters are keys. A character of other scripts is a syllable or a word. */
const ALPHABETIC =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]+$/u;

/**
 * Spellings that distinguish surnames: Thomson and Thompson, Fisher and Fischer, Johnson and Johnston, Nicolson and Nicholson,
 * Davison and Davidson, Robison and Robinson.
 */
const surnamePairs: readonly (readonly [string, string])[] = [
  ['mps', 'ms'],
  ['mpt', 'mt'],
  ['sch', 'sh'],
  ['nst', 'ns'],
  ['ck', 'k'],
  ['th', 't'],
  ['cho', 'co'],
  ['phe', 'pe'],
  ['ids', 'is'],
  ['nds', 'ns'],
  ['ins', 'is'],
  ['ings', 'ins'],
  ['ohn', 'on'],
  ['aun', 'an'],
];

/**
 * A consonant that names have once or twice, before and after the second one: Hansen and Hanssen, Philips and Phillips,
 * Hofmann and Hoffmann, Mathews and Matthews.
 */
const BEFORE_DOUBLE = /(?:[aeiouy][bdfgklmnprstz]|[lnr]s)$/;
const AFTER_DOUBLE = /^(?:[aeiouyh]|man|$)/;

const positions: ReadonlyMap<string, readonly [row: number, column: number]> = /* @__PURE__ */ new Map(
  KEYBOARD.flatMap((keys, row) =>
    Array.from(keys, (key, at): [string, [number, number]] => [key, [row, at + row * 0.5]]),
  ),
);

function areNeighbours(one: string, other: string): boolean {
  const [first, second] = [positions.get(one), positions.get(other)];
  if (first === undefined || second === undefined) return false;
  return Math.abs(first[0] - second[0]) <= 1 && Math.abs(first[1] - second[1]) <= 1;
}

/** Checks whether the letter that only one word has distinguishes names. */
const distinguishesNames = (long: string, at: number, short: string): boolean =>
  long[at - 1] === long[at]
    ? BEFORE_DOUBLE.test(short.slice(0, at)) && AFTER_DOUBLE.test(short.slice(at))
    : surnamePairs.some(([more, less]) => long.replace(more, less) === short);

/** Cost of a letter that only one word has. People leave letters out, double them, and hit two keys at once. */
function getLetterCost(word: string, at: number, short: string): number {
  const letter = word[at] ?? '';
  if (distinguishesNames(word, at, short)) return DIFFERENCE;
  const isSlip =
    at > 0 &&
    [word[at - 1], word[at + 1]].some((beside) => beside === letter || areNeighbours(letter, beside ?? ''));
  return isSlip ? SLIP : SLIP * 1.2;
}

/** Length of the common start of two words. */
function countCommonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Computes the cost of the one slip between two words. @returns undefined if they differ by more */
function getSlipCost(one: string, other: string): number | undefined {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  const at = countCommonStart(long, short);
  // The first letter is rarely wrong, and a wrong one is seen at once.
  const factor = at === 0 ? 2 : 1;
  if (long.length === short.length + 1) {
    // An additional last letter is more often another name, such as a plural.
    const isLast = at === short.length && long[at] !== long[at - 1];
    const isSlip = long.slice(at + 1) === short.slice(at);
    return isSlip ? getLetterCost(long, at, short) * (isLast ? 2 : factor) : undefined;
  }
  if (long.length !== short.length) return undefined;
  const [first = '', second = ''] = long.slice(at, at + 2);
  if (long.slice(at + 2) === short.slice(at + 2) && second + first === short.slice(at, at + 2)) {
    return SLIP * factor;
  }
  if (long.slice(at + 1) !== short.slice(at + 1)) return undefined;
  return areNeighbours(first, short[at] ?? '') ? SLIP * 1.3 * factor : DIFFERENCE;
}

/** Checks whether a word is long enough to be recognised with a typing error. */
export const acceptsErrors = (word: string): boolean => word.length > SHORT_WORD && ALPHABETIC.test(word);

/**
 * Compares two words that may differ by one slip of the keyboard.
 * @returns 1 for equal words, 0 for different ones; about 0.9 if one is probably the mistyped other
 */
export function compareSpelling(one: string, other: string): number {
  if (one === other) return 1;
  if (!acceptsErrors(one) || !acceptsErrors(other)) return 0;
  const cost = getSlipCost(one, other);
  return cost === undefined ? 0 : 1 - cost;
}
