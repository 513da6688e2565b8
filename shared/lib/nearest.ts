// Suggests the known name that a mistyped name probably means.

/** Computes the edit distance of two words (optimal string alignment): letters changed, missing, added, or swapped. */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[row - 1] === other[at - 1];
      const swapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      current.push(
        Math.min(
          (above[at] ?? 0) + 1,
          (current[at - 1] ?? 0) + 1,
          (above[at - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = above;
    above = current;
  }
  return above[other.length] ?? 0;
}

/**
 * Finds the known name with the smallest edit distance, ignoring case. On a tie the first one wins.
 * @param known - at least one
 */
export function findNearest(word: string, known: readonly string[]): string {
  const lower = word.toLowerCase();
  let best = '';
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const far = editDistance(lower, name.toLowerCase());
    if (far < least) {
      best = name;
      least = far;
    }
  }
  return best;
}

/** Checks whether a word is probably a misspelling of a name. */
export function isLikelyTypo(word: string, name: string): boolean {
  const allowed = name.length < 5 ? 1 : name.length < 10 ? 2 : 3;
  return editDistance(word.toLowerCase(), name.toLowerCase()) <= allowed;
}

const MAX_COMPARED_LENGTH = 100;

/** Splits a name into lower-case words without a plural s. */
const splitWords = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => (word === '' ? [] : word.replace(/s$/, '')));

/**
 * Suggests the known name that an unknown one probably means. Prefers a misspelling, then the name that shares the most
 * words (`website` → `websites_main`), then the smallest edit distance.
 * @param known - at least one
 */
export function suggestName(name: string, known: readonly string[]): string {
  // The comparison takes quadratic time, and callers choose the length.
  const short = name.slice(0, MAX_COMPARED_LENGTH);
  const closest = findNearest(short, known);
  if (isLikelyTypo(short, closest)) return closest;
  const wanted = new Set(splitWords(short));
  let best = closest;
  let most = 0;
  for (const candidate of known) {
    const words = splitWords(candidate);
    const shared = words.filter((word) => wanted.has(word)).length;
    // One shared word outweighs all words that are not shared. On a tie the shorter name wins.
    const score = shared === 0 ? 0 : shared * 1000 - words.length * 20 - candidate.length / 100;
    if (score > most) {
      best = candidate;
      most = score;
    }
  }
  return best;
}
