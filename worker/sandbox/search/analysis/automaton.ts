// Compiles patterns over character sets to minimal table-driven automata. Used only to generate the analyzer's tables.

/** A regular pattern over named character sets. */
export type Pattern =
  | { kind: 'empty' }
  | { kind: 'character'; setName: string }
  | { kind: 'sequence'; first: Pattern; then: Pattern }
  | { kind: 'choice'; options: readonly Pattern[] }
  | { kind: 'repeat'; part: Pattern };

const EMPTY: Pattern = { kind: 'empty' };

function concatenate(first: Pattern, then: Pattern): Pattern {
  if (first.kind === 'empty') return then;
  return then.kind === 'empty' ? first : { kind: 'sequence', first, then };
}

/** Matches one character of the named set. */
export const character = (setName: string): Pattern => ({ kind: 'character', setName });

/** Matches the patterns one after another. */
export const sequence = (...parts: readonly Pattern[]): Pattern =>
  parts.reduceRight((rest, part) => concatenate(part, rest), EMPTY);

/** Matches one of the patterns. */
export const choice = (...options: readonly Pattern[]): Pattern => ({ kind: 'choice', options });

/** Matches the pattern any number of times, including none. */
export const zeroOrMore = (part: Pattern): Pattern => ({ kind: 'repeat', part });

/** Matches the pattern once or more. */
export const oneOrMore = (part: Pattern): Pattern => concatenate(part, zeroOrMore(part));

/** Matches the pattern once or not at all. */
export const optional = (part: Pattern): Pattern => choice(part, EMPTY);

/** A deterministic automaton. State 0 is dead, state 1 is the start. */
export interface Automaton {
  /** `next[state][letter]`: the next state after a character of class `letter`. */
  next: readonly (readonly number[])[];
  accepts: readonly boolean[];
}

function matchesEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'empty':
    case 'repeat':
      return true;
    case 'character':
      return false;
    case 'sequence':
      return matchesEmpty(pattern.first) && matchesEmpty(pattern.then);
    case 'choice':
      return pattern.options.some(matchesEmpty);
  }
}

/** Returns the possible remainders after one character of `letter` (Antimirov's partial derivatives). */
function derive(pattern: Pattern, letter: ReadonlySet<string>): Pattern[] {
  switch (pattern.kind) {
    case 'empty':
      return [];
    case 'character':
      return letter.has(pattern.setName) ? [EMPTY] : [];
    case 'repeat':
      return derive(pattern.part, letter).map((remainder) => concatenate(remainder, pattern));
    case 'choice':
      return pattern.options.flatMap((option) => derive(option, letter));
    case 'sequence': {
      const inFirst = derive(pattern.first, letter).map((rest) => concatenate(rest, pattern.then));
      return matchesEmpty(pattern.first) ? [...inFirst, ...derive(pattern.then, letter)] : inFirst;
    }
  }
}

/** Numbers values in order of first appearance, from 0, beginning with `first`. Values with equal keys are equal. */
export function createInterner<T>(
  first: readonly T[],
  getKey: (value: T) => string,
): { values: T[]; intern: (value: T) => number } {
  const numbers = new Map<string, number>();
  const values: T[] = [];
  const intern = (value: T): number => {
    const key = getKey(value);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, values.length);
    return values.push(value) - 1;
  };
  first.forEach(intern);
  return { values, intern };
}

/** Merges equivalent states (Moore's algorithm). States 0 and 1 keep their numbers. */
function mergeStates({ next, accepts }: Automaton): Automaton {
  let groups = accepts.map(Number);
  for (let count = 0; ; ) {
    const signature = (state: number) =>
      [groups[state], ...(next[state] ?? []).map((to) => groups[to])].join();
    const { values, intern } = createInterner<number>([], signature);
    const refined = accepts.map((_, state) => intern(state));
    if (values.length === count) {
      return {
        next: values.map((state) => (next[state] ?? []).map((to) => groups[to] ?? 0)),
        accepts: values.map((state) => accepts[state] ?? false),
      };
    }
    count = values.length;
    groups = refined;
  }
}

/**
 * Compiles a pattern.
 * @param pattern must not match the empty text.
 * @param letters the character classes, each as the names of the sets that contain it.
 */
export function compile(pattern: Pattern, letters: readonly ReadonlySet<string>[]): Automaton {
  const unique = (patterns: readonly Pattern[]): Pattern[] => [
    ...new Map(patterns.map((each) => [JSON.stringify(each), each])).values(),
  ];
  const getKey = (patterns: readonly Pattern[]): string =>
    patterns
      .map((each) => JSON.stringify(each))
      .sort()
      .join();
  const states = createInterner<Pattern[]>([[], [pattern]], getKey);
  const next: number[][] = [];
  for (const state of states.values) {
    next.push(letters.map((letter) => states.intern(unique(state.flatMap((each) => derive(each, letter))))));
  }
  return mergeStates({ next, accepts: states.values.map((state) => state.some(matchesEmpty)) });
}
