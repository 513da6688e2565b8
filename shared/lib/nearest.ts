// The known name that a mistyped one is closest to.

/**
 * How many letters two words differ by: changed, missing, added, or two neighbours swapped (optimal string alignment).
 */
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
 * Finds the name that is closest to a word, whatever the case; of several the first.
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

/**
 * Tells whether a word is so close to a name that it was probably meant.
 */
export function isLikelyTypo(word: string, name: string): boolean {
  const allowed = name.length < 5 ? 1 : name.length < 10 ? 2 : 3;
  return editDistance(word.toLowerCase(), name.toLowerCase()) <= allowed;
}

const MAX_COMPARED_LENGTH = 100;

/** The words of a name, in small letters and without the s of a plural. */
const splitWords = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => (word === '' ? [] : word.replace(/s$/, '')));

/**
 * Finds the known name that an unknown one probably means: one that is spelt alike, else one that has most of its words and
 * few others (`website` → `websites_main`), else the closest.
 * @param known - at least one
 */
export function suggestName(name: string, known: readonly string[]): string {
  // Comparing takes time by length, and callers send names of any.
  const short = name.slice(0, MAX_COMPARED_LENGTH);
  const closest = findNearest(short, known);
  if (isLikelyTypo(short, closest)) return closest;
  const asked = new Set(splitWords(short));
  let best = closest;
  let most = 0;
  for (const candidate of known) {
    const words = splitWords(candidate);
    const shared = words.filter((word) => asked.has(word)).length;
    // A shared word counts more than all others that a name has besides; among equals the shorter name.
    const score = shared === 0 ? 0 : shared * 1000 - words.length * 20 - candidate.length / 100;
    if (score > most) {
      best = candidate;
      most = score;
    }
  }
  return best;
}
