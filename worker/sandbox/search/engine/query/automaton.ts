// Regular expressions that need no going back: what is left of one after a character is another, made when needed.

/** A pattern that is no pattern, or one that needs too many states. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Ranges of code points, ascending, not touching: from, to, from, to, … */
export type Ranges = readonly number[];

/** A regular expression: what a text must be from here on. Equal ones are one object, told apart by `id`. */
export interface Expression {
  id: number;
  /** Whether an empty text will do. */
  nullable: boolean;
  shape: Shape;
}

type Shape =
  | { kind: 'never' }
  | { kind: 'empty' }
  | { kind: 'one'; ranges: Ranges }
  | { kind: 'sequence'; first: Expression; rest: Expression }
  | { kind: 'any'; of: readonly Expression[] }
  | { kind: 'all'; of: readonly Expression[] }
  | { kind: 'not'; of: Expression }
  | { kind: 'repeat'; of: Expression; least: number; most: number };

/** As many states as Elasticsearch lets a pattern have. */
const MAX_STATES = 10_000;
const LAST_POINT = 0x10ffff;
export const ANY_CHARACTER: Ranges = [0, LAST_POINT];

/** Makes the expressions of one pattern, and derives what is left of them after a character (Brzozowski). */
export class Expressions {
  readonly #known = new Map<string, Expression>();
  readonly #after = new Map<number, Expression>();
  readonly never = this.#make('0', false, { kind: 'never' });
  readonly empty = this.#make('1', true, { kind: 'empty' });
  readonly anything = this.repeat(this.one(ANY_CHARACTER), 0, Number.POSITIVE_INFINITY);

  #make(key: string, nullable: boolean, shape: Shape): Expression {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_STATES) throw new PatternError('the pattern is too complex');
    const node = { id: this.#known.size, nullable, shape };
    this.#known.set(key, node);
    return node;
  }

  /** One character of some ranges. */
  one(ranges: Ranges): Expression {
    return ranges.length === 0 ? this.never : this.#make(`c${ranges.join()}`, false, { kind: 'one', ranges });
  }

  sequence(first: Expression, rest: Expression): Expression {
    if (first === this.never || rest === this.never) return this.never;
    if (first === this.empty) return rest;
    if (rest === this.empty) return first;
    if (first.shape.kind === 'sequence') {
      return this.sequence(first.shape.first, this.sequence(first.shape.rest, rest));
    }
    return this.#make(`s${first.id},${rest.id}`, first.nullable && rest.nullable, {
      kind: 'sequence',
      first,
      rest,
    });
  }

  /** Any of several. */
  any(nodes: readonly Expression[]): Expression {
    const of = this.#flat(nodes, 'any').filter((node) => node !== this.never);
    if (of.includes(this.anything)) return this.anything;
    const [only] = of;
    if (only === undefined) return this.never;
    if (of.length === 1) return only;
    const nullable = of.some((node) => node.nullable);
    return this.#make(`a${of.map(({ id }) => id).join()}`, nullable, { kind: 'any', of });
  }

  /** All of several at once. */
  all(nodes: readonly Expression[]): Expression {
    const of = this.#flat(nodes, 'all').filter((node) => node !== this.anything);
    if (of.includes(this.never)) return this.never;
    const [only] = of;
    if (only === undefined) return this.anything;
    if (of.length === 1) return only;
    const nullable = of.every((node) => node.nullable);
    return this.#make(`i${of.map(({ id }) => id).join()}`, nullable, { kind: 'all', of });
  }

  /** Whatever it is not. */
  not(of: Expression): Expression {
    if (of === this.never) return this.anything;
    if (of === this.anything) return this.never;
    if (of.shape.kind === 'not') return of.shape.of;
    return this.#make(`n${of.id}`, !of.nullable, { kind: 'not', of });
  }

  /** @param most - may be infinite */
  repeat(of: Expression, least: number, most: number): Expression {
    if (most === 0 || of === this.empty) return this.empty;
    if (of === this.never) return least === 0 ? this.empty : this.never;
    if (least === 1 && most === 1) return of;
    return this.#make(`r${of.id},${least},${most}`, least === 0 || of.nullable, {
      kind: 'repeat',
      of,
      least,
      most,
    });
  }

  /**
   * What the rest of a text must be after a character.
   * @throws PatternError if there come to be too many different rests
   */
  after(node: Expression, point: number): Expression {
    const key = node.id * (LAST_POINT + 1) + point;
    const known = this.#after.get(key);
    if (known !== undefined) return known;
    const after = this.#derive(node, point);
    this.#after.set(key, after);
    return after;
  }

  #derive({ shape }: Expression, point: number): Expression {
    switch (shape.kind) {
      case 'never':
      case 'empty':
        return this.never;
      case 'one':
        return isIn(point, shape.ranges) ? this.empty : this.never;
      case 'sequence': {
        const through = this.sequence(this.after(shape.first, point), shape.rest);
        return shape.first.nullable ? this.any([through, this.after(shape.rest, point)]) : through;
      }
      case 'any':
        return this.any(shape.of.map((part) => this.after(part, point)));
      case 'all':
        return this.all(shape.of.map((part) => this.after(part, point)));
      case 'not':
        return this.not(this.after(shape.of, point));
      case 'repeat': {
        const again = this.repeat(shape.of, Math.max(0, shape.least - 1), shape.most - 1);
        return this.sequence(this.after(shape.of, point), again);
      }
    }
  }

  /** Each once, in one order, those of the same kind opened. */
  #flat(nodes: readonly Expression[], kind: 'any' | 'all'): Expression[] {
    const opened = nodes.flatMap((node) => (node.shape.kind === kind ? node.shape.of : [node]));
    return [...new Set(opened)].sort((a, b) => a.id - b.id);
  }
}

function isIn(point: number, ranges: Ranges): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (point < (ranges[at] ?? 0)) return false;
    if (point <= (ranges[at + 1] ?? 0)) return true;
  }
  return false;
}

/**
 * Puts ranges in order and joins those that touch.
 * @param pairs - from and to of each
 */
export function ranges(pairs: readonly (readonly [number, number])[]): Ranges {
  const joined: [number, number][] = [];
  for (const [from, to] of [...pairs].sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined.flat();
}

/** All characters that ranges leave out. */
export function complement(of: Ranges): Ranges {
  const rest: number[] = [];
  let from = 0;
  for (let at = 0; at < of.length; at += 2) {
    const start = of[at] ?? 0;
    if (start > from) rest.push(from, start - 1);
    from = (of[at + 1] ?? 0) + 1;
  }
  if (from <= LAST_POINT) rest.push(from, LAST_POINT);
  return rest;
}
