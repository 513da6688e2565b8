// Parses wildcards and Lucene's regular expressions.
import {
  ANY_CHARACTER,
  complementRanges,
  type Expression,
  Expressions,
  mergeRanges,
  PatternError,
} from './automaton.ts';

/** An expression, and the factory that computes its derivatives. */
export interface Pattern {
  expressions: Expressions;
  expression: Expression;
}

const MAX_REPEATS = 1000;

const toCodePoint = (character: string): number => character.codePointAt(0) ?? 0;

function toCharacterRanges(character: string, caseInsensitive: boolean): [number, number][] {
  const spellings = new Set([character]);
  if (caseInsensitive && /[a-z]/i.test(character)) {
    spellings.add(character.toLowerCase()).add(character.toUpperCase());
  }
  return Array.from(spellings, (spelling) => [toCodePoint(spelling), toCodePoint(spelling)]);
}

/**
 * Compiles a wildcard: `?` matches any character, `*` any run of characters, `\` escapes.
 * @throws PatternError if it is too long
 */
export function compileWildcard(pattern: string, caseInsensitive: boolean): Pattern {
  const expressions = new Expressions();
  const characters = [...pattern];
  const parts: Expression[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (parts.at(-1) !== expressions.anything) parts.push(expressions.anything);
    } else if (character === '?') {
      parts.push(expressions.character(ANY_CHARACTER));
    } else {
      if (character === '\\' && at + 1 < characters.length) at += 1;
      parts.push(
        expressions.character(mergeRanges(toCharacterRanges(characters[at] ?? '', caseInsensitive))),
      );
    }
  }
  return { expressions, expression: concatenate(expressions, parts) };
}

function concatenate(expressions: Expressions, parts: readonly Expression[]): Expression {
  return parts.reduceRight((rest, first) => expressions.sequence(first, rest), expressions.empty);
}

/** Parses Lucene's RegExp with all options: `| & ~ ? * + {n,m} [] . # @ "" () <n-m> \`. */
class RegexpParser {
  readonly #expressions = new Expressions();
  readonly #characters: readonly string[];
  readonly #caseInsensitive: boolean;
  #at = 0;

  constructor(text: string, caseInsensitive: boolean) {
    this.#characters = [...text];
    this.#caseInsensitive = caseInsensitive;
  }

  parse(): Pattern {
    const expressions = this.#expressions;
    if (this.#characters.length === 0) return { expressions, expression: expressions.empty };
    const expression = this.#parseUnion();
    if (this.#at < this.#characters.length) this.#fail(`end-of-string expected at position ${this.#at}`);
    return { expressions, expression };
  }

  #fail(reason: string): never {
    throw new PatternError(reason);
  }

  #isNext(characters: string): boolean {
    const character = this.#characters[this.#at];
    return character !== undefined && characters.includes(character);
  }

  #consume(characters: string): boolean {
    if (!this.#isNext(characters)) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) this.#fail('unexpected end-of-string');
    this.#at += 1;
    return character;
  }

  #readUntil(end: string): string {
    const from = this.#at;
    while (this.#at < this.#characters.length && !this.#isNext(end)) this.#at += 1;
    if (!this.#consume(end)) this.#fail(`expected '${end}' at position ${this.#at}`);
    return this.#characters.slice(from, this.#at - 1).join('');
  }

  #parseUnion(): Expression {
    const parts = [this.#parseIntersection()];
    while (this.#consume('|')) parts.push(this.#parseIntersection());
    return this.#expressions.union(parts);
  }

  #parseIntersection(): Expression {
    const parts = [this.#parseSequence()];
    while (this.#consume('&')) parts.push(this.#parseSequence());
    return this.#expressions.intersection(parts);
  }

  #parseSequence(): Expression {
    const parts = [this.#parseRepeat()];
    while (this.#at < this.#characters.length && !this.#isNext(')|&')) parts.push(this.#parseRepeat());
    return concatenate(this.#expressions, parts);
  }

  #parseRepeat(): Expression {
    let repeated = this.#parseComplement();
    for (;;) {
      if (this.#consume('?')) repeated = this.#expressions.repeat(repeated, 0, 1);
      else if (this.#consume('*')) repeated = this.#expressions.repeat(repeated, 0, Number.POSITIVE_INFINITY);
      else if (this.#consume('+')) repeated = this.#expressions.repeat(repeated, 1, Number.POSITIVE_INFINITY);
      else if (this.#consume('{')) repeated = this.#parseCount(repeated);
      else return repeated;
    }
  }

  #parseCount(part: Expression): Expression {
    const [, minText, comma, maxText] = /^(\d+)(,?)(\d*)$/.exec(this.#readUntil('}')) ?? [];
    if (minText === undefined || (comma === '' && maxText !== '')) this.#fail('integer expected');
    const from = Number(minText);
    const to = comma === '' ? from : maxText === '' ? Number.POSITIVE_INFINITY : Number(maxText);
    if (from > MAX_REPEATS || (Number.isFinite(to) && to > MAX_REPEATS)) this.#fail('too many repetitions');
    if (from > to) return this.#expressions.never;
    return this.#expressions.repeat(part, from, to);
  }

  #parseComplement(): Expression {
    return this.#consume('~')
      ? this.#expressions.complement(this.#parseComplement())
      : this.#parseCharacterClass();
  }

  #parseCharacterClass(): Expression {
    if (!this.#consume('[')) return this.#parsePrimary();
    const negated = this.#consume('^');
    const pairs: [number, number][] = [];
    do {
      const first = toCodePoint(this.#readLiteral());
      const last = this.#consume('-') ? toCodePoint(this.#readLiteral()) : first;
      if (last < first) this.#fail('invalid range in a character class');
      pairs.push([first, last]);
    } while (this.#at < this.#characters.length && !this.#isNext(']'));
    if (!this.#consume(']')) this.#fail(`expected ']' at position ${this.#at}`);
    const characters = mergeRanges(pairs);
    return this.#expressions.character(negated ? complementRanges(characters) : characters);
  }

  #parsePrimary(): Expression {
    const expressions = this.#expressions;
    if (this.#consume('.')) return expressions.character(ANY_CHARACTER);
    if (this.#consume('#')) return expressions.never;
    if (this.#consume('@')) return expressions.anything;
    if (this.#consume('"'))
      return concatenate(
        expressions,
        [...this.#readUntil('"')].map((character) => this.#createCharacter(character)),
      );
    if (this.#consume('(')) {
      if (this.#consume(')')) return expressions.empty;
      const inner = this.#parseUnion();
      if (!this.#consume(')')) this.#fail(`expected ')' at position ${this.#at}`);
      return inner;
    }
    if (this.#consume('<')) return this.#createInterval(this.#readUntil('>'));
    return this.#createCharacter(this.#readLiteral());
  }

  /** Reads a literal character, optionally escaped. */
  #readLiteral(): string {
    this.#consume('\\');
    return this.#next();
  }

  #createCharacter(character: string): Expression {
    return this.#expressions.character(mergeRanges(toCharacterRanges(character, this.#caseInsensitive)));
  }

  /** Parses `<5-17>`: an integer in a range; zero-padded if both bounds have the same length. */
  #createInterval(text: string): Expression {
    const [, first, second] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
    if (first === undefined || second === undefined) this.#fail(`'${text}' not found`);
    const expressions = this.#expressions;
    const [from, to] = [Number(first), Number(second)].sort((a, b) => a - b);
    if (from === undefined || to === undefined) return expressions.never;
    if (first.length === second.length) {
      return this.#createDigits(
        String(from).padStart(first.length, '0'),
        String(to).padStart(first.length, '0'),
      );
    }
    const lengths = Array.from({ length: String(to).length }, (_, at) => at + 1);
    const byLength = lengths.map((length) => {
      const lowest = Math.max(from, length === 1 ? 0 : 10 ** (length - 1));
      const highest = Math.min(to, 10 ** length - 1);
      return lowest > highest ? expressions.never : this.#createDigits(String(lowest), String(highest));
    });
    const zeros = expressions.repeat(expressions.character([0x30, 0x30]), 0, Number.POSITIVE_INFINITY);
    return expressions.sequence(zeros, expressions.union(byLength));
  }

  /** Matches the numbers between two bounds of the same length. */
  #createDigits(from: string, to: string): Expression {
    const expressions = this.#expressions;
    if (from === '') return expressions.empty;
    const [low, high] = [toCodePoint(from), toCodePoint(to)];
    const [fromRest, toRest] = [from.slice(1), to.slice(1)];
    if (low === high)
      return expressions.sequence(expressions.character([low, low]), this.#createDigits(fromRest, toRest));
    const zeros = '0'.repeat(fromRest.length);
    const nines = '9'.repeat(fromRest.length);
    const between = low + 1 > high - 1 ? [] : [low + 1, high - 1];
    return expressions.union([
      expressions.sequence(expressions.character([low, low]), this.#createDigits(fromRest, nines)),
      expressions.sequence(expressions.character(between), this.#createDigits(zeros, nines)),
      expressions.sequence(expressions.character([high, high]), this.#createDigits(zeros, toRest)),
    ]);
  }
}

/**
 * Compiles a regular expression of Lucene with all options. It matches whole terms.
 * @throws PatternError with Lucene's message, where it has one
 */
export function compileRegexp(pattern: string, caseInsensitive: boolean): Pattern {
  return new RegexpParser(pattern, caseInsensitive).parse();
}
