// Wildcards and Lucene's regular expressions as they are written, read into expressions.
import {
  ANY_CHARACTER,
  complement,
  type Expression,
  Expressions,
  PatternError,
  ranges,
} from './automaton.ts';

/** An expression with what derives its rests. */
export interface Pattern {
  expressions: Expressions;
  expression: Expression;
}

/** As long as Elasticsearch lets a regular expression be. */
const MAX_REGEXP_LENGTH = 1000;
const MAX_REPEATS = 1000;

const point = (character: string): number => character.codePointAt(0) ?? 0;

function toRanges(character: string, caseInsensitive: boolean): [number, number][] {
  const spellings = new Set([character]);
  if (caseInsensitive && /[a-z]/i.test(character)) {
    spellings.add(character.toLowerCase()).add(character.toUpperCase());
  }
  return Array.from(spellings, (spelling) => [point(spelling), point(spelling)]);
}

/**
 * Reads a pattern in which `?` is any character, `*` any run of them, and `\` takes the next one as it is.
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
      parts.push(expressions.one(ANY_CHARACTER));
    } else {
      if (character === '\\' && at + 1 < characters.length) at += 1;
      parts.push(expressions.one(ranges(toRanges(characters[at] ?? '', caseInsensitive))));
    }
  }
  return { expressions, expression: concatenate(expressions, parts) };
}

function concatenate(expressions: Expressions, parts: readonly Expression[]): Expression {
  return parts.reduceRight((rest, first) => expressions.sequence(first, rest), expressions.empty);
}

/** The grammar of Lucene's RegExp with all its options: `| & ~ ? * + {n,m} [] . # @ "" () <n-m> \`. */
class RegexpParser {
  readonly #expressions = new Expressions();
  readonly #characters: readonly string[];
  readonly #caseInsensitive: boolean;
  #at = 0;

  constructor(text: string, caseInsensitive: boolean) {
    this.#characters = [...text];
    this.#caseInsensitive = caseInsensitive;
  }

  read(): Pattern {
    const expressions = this.#expressions;
    if (this.#characters.length === 0) return { expressions, expression: expressions.empty };
    const expression = this.#union();
    if (this.#at < this.#characters.length) this.#fail(`end-of-string expected at position ${this.#at}`);
    return { expressions, expression };
  }

  #fail(reason: string): never {
    throw new PatternError(reason);
  }

  #peek(wanted: string): boolean {
    const character = this.#characters[this.#at];
    return character !== undefined && wanted.includes(character);
  }

  #take(wanted: string): boolean {
    if (!this.#peek(wanted)) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) this.#fail('unexpected end-of-string');
    this.#at += 1;
    return character;
  }

  #until(end: string): string {
    const from = this.#at;
    while (this.#at < this.#characters.length && !this.#peek(end)) this.#at += 1;
    if (!this.#take(end)) this.#fail(`expected '${end}' at position ${this.#at}`);
    return this.#characters.slice(from, this.#at - 1).join('');
  }

  #union(): Expression {
    const parts = [this.#intersection()];
    while (this.#take('|')) parts.push(this.#intersection());
    return this.#expressions.any(parts);
  }

  #intersection(): Expression {
    const parts = [this.#sequence()];
    while (this.#take('&')) parts.push(this.#sequence());
    return this.#expressions.all(parts);
  }

  #sequence(): Expression {
    const parts = [this.#repeated()];
    while (this.#at < this.#characters.length && !this.#peek(')|&')) parts.push(this.#repeated());
    return concatenate(this.#expressions, parts);
  }

  #repeated(): Expression {
    let repeated = this.#complemented();
    for (;;) {
      if (this.#take('?')) repeated = this.#expressions.repeat(repeated, 0, 1);
      else if (this.#take('*')) repeated = this.#expressions.repeat(repeated, 0, Number.POSITIVE_INFINITY);
      else if (this.#take('+')) repeated = this.#expressions.repeat(repeated, 1, Number.POSITIVE_INFINITY);
      else if (this.#take('{')) repeated = this.#counted(repeated);
      else return repeated;
    }
  }

  #counted(of: Expression): Expression {
    const [, least, comma, most] = /^(\d+)(,?)(\d*)$/.exec(this.#until('}')) ?? [];
    if (least === undefined || (comma === '' && most !== '')) this.#fail('integer expected');
    const from = Number(least);
    const to = comma === '' ? from : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    if (from > MAX_REPEATS || (Number.isFinite(to) && to > MAX_REPEATS)) this.#fail('too many repetitions');
    if (from > to) return this.#expressions.never;
    return this.#expressions.repeat(of, from, to);
  }

  #complemented(): Expression {
    return this.#take('~') ? this.#expressions.not(this.#complemented()) : this.#characterClass();
  }

  #characterClass(): Expression {
    if (!this.#take('[')) return this.#simple();
    const negated = this.#take('^');
    const pairs: [number, number][] = [];
    do {
      const first = point(this.#literal());
      const last = this.#take('-') ? point(this.#literal()) : first;
      if (last < first) this.#fail('invalid range in a character class');
      pairs.push([first, last]);
    } while (this.#at < this.#characters.length && !this.#peek(']'));
    if (!this.#take(']')) this.#fail(`expected ']' at position ${this.#at}`);
    const characters = ranges(pairs);
    return this.#expressions.one(negated ? complement(characters) : characters);
  }

  #simple(): Expression {
    const expressions = this.#expressions;
    if (this.#take('.')) return expressions.one(ANY_CHARACTER);
    if (this.#take('#')) return expressions.never;
    if (this.#take('@')) return expressions.anything;
    if (this.#take('"'))
      return concatenate(
        expressions,
        [...this.#until('"')].map((one) => this.#letter(one)),
      );
    if (this.#take('(')) {
      if (this.#take(')')) return expressions.empty;
      const inner = this.#union();
      if (!this.#take(')')) this.#fail(`expected ')' at position ${this.#at}`);
      return inner;
    }
    if (this.#take('<')) return this.#interval(this.#until('>'));
    return this.#letter(this.#literal());
  }

  /** A character that stands for itself, as all do behind a backslash. */
  #literal(): string {
    this.#take('\\');
    return this.#next();
  }

  #letter(character: string): Expression {
    return this.#expressions.one(ranges(toRanges(character, this.#caseInsensitive)));
  }

  /** `<5-17>`: a whole number between two; of so many digits if both are written with as many. */
  #interval(text: string): Expression {
    const [, one, other] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
    if (one === undefined || other === undefined) this.#fail(`'${text}' not found`);
    const expressions = this.#expressions;
    const [from, to] = [Number(one), Number(other)].sort((a, b) => a - b);
    if (from === undefined || to === undefined) return expressions.never;
    if (one.length === other.length) {
      return this.#digits(String(from).padStart(one.length, '0'), String(to).padStart(one.length, '0'));
    }
    const lengths = Array.from({ length: String(to).length }, (_, at) => at + 1);
    const byLength = lengths.map((length) => {
      const least = Math.max(from, length === 1 ? 0 : 10 ** (length - 1));
      const most = Math.min(to, 10 ** length - 1);
      return least > most ? expressions.never : this.#digits(String(least), String(most));
    });
    const zeros = expressions.repeat(expressions.one([0x30, 0x30]), 0, Number.POSITIVE_INFINITY);
    return expressions.sequence(zeros, expressions.any(byLength));
  }

  /** Numbers of as many digits as both ends have. */
  #digits(from: string, to: string): Expression {
    const expressions = this.#expressions;
    if (from === '') return expressions.empty;
    const [low, high] = [point(from), point(to)];
    const [fromRest, toRest] = [from.slice(1), to.slice(1)];
    if (low === high)
      return expressions.sequence(expressions.one([low, low]), this.#digits(fromRest, toRest));
    const zeros = '0'.repeat(fromRest.length);
    const nines = '9'.repeat(fromRest.length);
    const between = low + 1 > high - 1 ? [] : [low + 1, high - 1];
    return expressions.any([
      expressions.sequence(expressions.one([low, low]), this.#digits(fromRest, nines)),
      expressions.sequence(expressions.one(between), this.#digits(zeros, nines)),
      expressions.sequence(expressions.one([high, high]), this.#digits(zeros, toRest)),
    ]);
  }
}

/**
 * Reads a regular expression of Lucene, with all its options; it is for whole terms.
 * @throws PatternError with what is wrong, in Lucene's words where it has some
 */
export function compileRegexp(pattern: string, caseInsensitive: boolean): Pattern {
  if (pattern.length > MAX_REGEXP_LENGTH) {
    throw new PatternError(
      `the length of regex [${pattern.length}] exceeds the allowed maximum of [${MAX_REGEXP_LENGTH}]`,
    );
  }
  return new RegexpParser(pattern, caseInsensitive).read();
}
