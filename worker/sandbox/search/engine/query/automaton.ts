// Regular expressions without backtracking: the derivative of an expression by a character is computed on demand.

/** An invalid pattern, or one that needs too many states. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Ranges of code points, ascending and separate: from, to, from, to, … */
export type Ranges = readonly number[];

/** A regular expression. Equal expressions are one object and have one `id`. */
export interface Expression {
  id: number;
  matchesEmpty: boolean;
  shape: Shape;
}

type Shape =
  | { kind: 'never' }
  | { kind: 'empty' }
  | { kind: 'character'; ranges: Ranges }
  | { kind: 'sequence'; first: Expression; rest: Expression }
  | { kind: 'union'; parts: readonly Expression[] }
  | { kind: 'intersection'; parts: readonly Expression[] }
  | { kind: 'complement'; part: Expression }
  | { kind: 'repeat'; part: Expression; min: number; max: number };

/** The limit of Elasticsearch. */
const MAX_STATES = 10_000;
const LAST_POINT = 0x10ffff;
export const ANY_CHARACTER: Ranges = [0, LAST_POINT];

/** Creates the expressions of one pattern and their derivatives (Brzozowski). */
export class Expressions {
  readonly #interned = new Map<string, Expression>();
  readonly #derivatives = new Map<number, Expression>();
  readonly never = this.#intern('0', false, { kind: 'never' });
  readonly empty = this.#intern('1', true, { kind: 'empty' });
  readonly anything = this.repeat(this.character(ANY_CHARACTER), 0, Number.POSITIVE_INFINITY);

  #intern(key: string, matchesEmpty: boolean, shape: Shape): Expression {
    const existing = this.#interned.get(key);
    if (existing !== undefined) return existing;
    if (this.#interned.size >= MAX_STATES) throw new PatternError('the pattern is too complex');
    const node = { id: this.#interned.size, matchesEmpty, shape };
    this.#interned.set(key, node);
    return node;
  }

  /** Matches one character in the ranges. */
  character(ranges: Ranges): Expression {
    return ranges.length === 0
      ? this.never
      : this.#intern(`c${ranges.join()}`, false, { kind: 'character', ranges });
  }

  sequence(first: Expression, rest: Expression): Expression {
    if (first === this.never || rest === this.never) return this.never;
    if (first === this.empty) return rest;
    if (rest === this.empty) return first;
    if (first.shape.kind === 'sequence') {
      return this.sequence(first.shape.first, this.sequence(first.shape.rest, rest));
    }
    return this.#intern(`s${first.id},${rest.id}`, first.matchesEmpty && rest.matchesEmpty, {
      kind: 'sequence',
      first,
      rest,
    });
  }

  /** Matches any of several expressions. */
  union(nodes: readonly Expression[]): Expression {
    const parts = this.#flatten(nodes, 'union').filter((node) => node !== this.never);
    if (parts.includes(this.anything)) return this.anything;
    const [only] = parts;
    if (only === undefined) return this.never;
    if (parts.length === 1) return only;
    const matchesEmpty = parts.some((node) => node.matchesEmpty);
    return this.#intern(`a${parts.map(({ id }) => id).join()}`, matchesEmpty, { kind: 'union', parts });
  }

  /** Matches all of several expressions at once. */
  intersection(nodes: readonly Expression[]): Expression {
    const parts = this.#flatten(nodes, 'intersection').filter((node) => node !== this.anything);
    if (parts.includes(this.never)) return this.never;
    const [only] = parts;
    if (only === undefined) return this.anything;
    if (parts.length === 1) return only;
    const matchesEmpty = parts.every((node) => node.matchesEmpty);
    return this.#intern(`i${parts.map(({ id }) => id).join()}`, matchesEmpty, {
      kind: 'intersection',
      parts,
    });
  }

  /** Matches everything that the expression doesn't. */
  complement(part: Expression): Expression {
    if (part === this.never) return this.anything;
    if (part === this.anything) return this.never;
    if (part.shape.kind === 'complement') return part.shape.part;
    return this.#intern(`n${part.id}`, !part.matchesEmpty, { kind: 'complement', part });
  }

  /** @param max - may be infinite */
  repeat(part: Expression, min: number, max: number): Expression {
    if (max === 0 || part === this.empty) return this.empty;
    if (part === this.never) return min === 0 ? this.empty : this.never;
    if (min === 1 && max === 1) return part;
    return this.#intern(`r${part.id},${min},${max}`, min === 0 || part.matchesEmpty, {
      kind: 'repeat',
      part,
      min,
      max,
    });
  }

  /**
   * Returns the derivative of an expression by a character.
   * @throws PatternError if there are too many derivatives
   */
  derive(node: Expression, point: number): Expression {
    const key = node.id * (LAST_POINT + 1) + point;
    const cached = this.#derivatives.get(key);
    if (cached !== undefined) return cached;
    const derivative = this.#computeDerivative(node, point);
    this.#derivatives.set(key, derivative);
    return derivative;
  }

  #computeDerivative({ shape }: Expression, point: number): Expression {
    switch (shape.kind) {
      case 'never':
      case 'empty':
        return this.never;
      case 'character':
        return isInRanges(point, shape.ranges) ? this.empty : this.never;
      case 'sequence': {
        const through = this.sequence(this.derive(shape.first, point), shape.rest);
        return shape.first.matchesEmpty ? this.union([through, this.derive(shape.rest, point)]) : through;
      }
      case 'union':
        return this.union(shape.parts.map((part) => this.derive(part, point)));
      case 'intersection':
        return this.intersection(shape.parts.map((part) => this.derive(part, point)));
      case 'complement':
        return this.complement(this.derive(shape.part, point));
      case 'repeat': {
        const again = this.repeat(shape.part, Math.max(0, shape.min - 1), shape.max - 1);
        return this.sequence(this.derive(shape.part, point), again);
      }
    }
  }

  /** Flattens nested expressions of one kind; returns each once, in order of id. */
  #flatten(nodes: readonly Expression[], kind: 'union' | 'intersection'): Expression[] {
    const flattened = nodes.flatMap((node) => (node.shape.kind === kind ? node.shape.parts : [node]));
    return [...new Set(flattened)].sort((a, b) => a.id - b.id);
  }
}

function isInRanges(point: number, ranges: Ranges): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (point < (ranges[at] ?? 0)) return false;
    if (point <= (ranges[at + 1] ?? 0)) return true;
  }
  return false;
}

/**
 * Sorts ranges and merges adjacent ones.
 * @param pairs - start and end of each
 */
export function mergeRanges(pairs: readonly (readonly [number, number])[]): Ranges {
  const merged: [number, number][] = [];
  for (const [from, to] of [...pairs].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged.flat();
}

/** Returns the ranges of all other characters. */
export function complementRanges(ranges: Ranges): Ranges {
  const gaps: number[] = [];
  let from = 0;
  for (let at = 0; at < ranges.length; at += 2) {
    const start = ranges[at] ?? 0;
    if (start > from) gaps.push(from, start - 1);
    from = (ranges[at + 1] ?? 0) + 1;
  }
  if (from <= LAST_POINT) gaps.push(from, LAST_POINT);
  return gaps;
}
