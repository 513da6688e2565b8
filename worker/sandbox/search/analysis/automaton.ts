// Turns a pattern over sets of characters into the smallest table-driven automaton that finds its longest match.
// Used where the tables of the analyzer are generated, not where they are read.

/** A regular pattern whose letters are names of sets. */
export type Pattern =
  | { kind: 'empty' }
  | { kind: 'one'; set: string }
  | { kind: 'sequence'; first: Pattern; then: Pattern }
  | { kind: 'choice'; options: readonly Pattern[] }
  | { kind: 'many'; of: Pattern };

const EMPTY: Pattern = { kind: 'empty' };

function join(first: Pattern, then: Pattern): Pattern {
  if (first.kind === 'empty') return then;
  return then.kind === 'empty' ? first : { kind: 'sequence', first, then };
}

/** One character of the named set. */
export const one = (set: string): Pattern => ({ kind: 'one', set });

/** The patterns one after another. */
export const sequence = (...parts: readonly Pattern[]): Pattern =>
  parts.reduceRight((rest, part) => join(part, rest), EMPTY);

/** One of the patterns. */
export const choice = (...options: readonly Pattern[]): Pattern => ({ kind: 'choice', options });

/** The pattern any number of times, none included. */
export const many = (of: Pattern): Pattern => ({ kind: 'many', of });

/** The pattern once or more. */
export const some = (of: Pattern): Pattern => join(of, many(of));

/** The pattern once or not at all. */
export const optional = (of: Pattern): Pattern => choice(of, EMPTY);

/** States are numbered from 0, where nothing matches any more; 1 is the start. */
export interface Automaton {
  /** `next[state][letter]`: the state after one more character of that class. */
  next: readonly (readonly number[])[];
  /** Whether what was read so far is a match. */
  accepts: readonly boolean[];
}

function matchesEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'empty':
    case 'many':
      return true;
    case 'one':
      return false;
    case 'sequence':
      return matchesEmpty(pattern.first) && matchesEmpty(pattern.then);
    case 'choice':
      return pattern.options.some(matchesEmpty);
  }
}

/** What may follow one character of `letter`: Antimirov's partial derivatives. */
function derive(pattern: Pattern, letter: ReadonlySet<string>): Pattern[] {
  switch (pattern.kind) {
    case 'empty':
      return [];
    case 'one':
      return letter.has(pattern.set) ? [EMPTY] : [];
    case 'many':
      return derive(pattern.of, letter).map((rest) => join(rest, pattern));
    case 'choice':
      return pattern.options.flatMap((option) => derive(option, letter));
    case 'sequence': {
      const inFirst = derive(pattern.first, letter).map((rest) => join(rest, pattern.then));
      return matchesEmpty(pattern.first) ? [...inFirst, ...derive(pattern.then, letter)] : inFirst;
    }
  }
}

/** Numbers values from 0 in order of first appearance, those of `first` at once; equal keys are one value. */
export function createNumbering<T>(
  first: readonly T[],
  keyOf: (value: T) => string,
): { values: T[]; numberOf: (value: T) => number } {
  const numbers = new Map<string, number>();
  const values: T[] = [];
  const numberOf = (value: T): number => {
    const key = keyOf(value);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, values.length);
    return values.push(value) - 1;
  };
  first.forEach(numberOf);
  return { values, numberOf };
}

/** Merges states that no text can tell apart (Moore's algorithm); the numbers of the first two stay. */
function merge({ next, accepts }: Automaton): Automaton {
  let groups = accepts.map(Number);
  for (let count = 0; ; ) {
    const signature = (state: number) =>
      [groups[state], ...(next[state] ?? []).map((to) => groups[to])].join();
    const { values, numberOf } = createNumbering<number>([], signature);
    const refined = accepts.map((_, state) => numberOf(state));
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
 * The automaton of a pattern.
 * @param pattern must not match the empty text.
 * @param letters the classes of characters, each as the names of the sets that it lies in.
 */
export function compile(pattern: Pattern, letters: readonly ReadonlySet<string>[]): Automaton {
  const unique = (patterns: readonly Pattern[]): Pattern[] => [
    ...new Map(patterns.map((each) => [JSON.stringify(each), each])).values(),
  ];
  const keyOf = (patterns: readonly Pattern[]): string =>
    patterns
      .map((each) => JSON.stringify(each))
      .sort()
      .join();
  const states = createNumbering<Pattern[]>([[], [pattern]], keyOf);
  const next: number[][] = [];
  for (const state of states.values) {
    next.push(
      letters.map((letter) => states.numberOf(unique(state.flatMap((each) => derive(each, letter))))),
    );
  }
  return merge({ next, accepts: states.values.map((state) => state.some(matchesEmpty)) });
}
