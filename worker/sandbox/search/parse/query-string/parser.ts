// Parses a query string by Lucene's classic grammar, which has no operator precedence.
import { type LexedToken, QuerySyntaxError, type TokenKind, tokenize } from './lexer.ts';

/** The expression of a clause. Texts are unescaped, patterns are not. */
export type Expression =
  /** `joined`: several adjacent words, analysed as one text. */
  | { kind: 'text'; text: string; joined: boolean }
  | { kind: 'phrase'; text: string /** The text after the tilde. */; slop?: string }
  | { kind: 'prefix'; text: string }
  | { kind: 'wildcard'; pattern: string }
  | { kind: 'regexp'; pattern: string }
  | {
      kind: 'fuzzy';
      text: string /** The text after the tilde, if any. */;
      distance: string;
    }
  /** Absent bounds are open. */
  | { kind: 'range'; lower?: string; upper?: string; includeLower: boolean; includeUpper: boolean }
  | { kind: 'group'; clauses: readonly Clause[] };

/** One of several clauses in sequence. */
export interface Clause {
  /** The operator before the clause. */
  conjunction: 'and' | 'or' | 'none';
  modifier: 'must' | 'not' | 'none';
  /** The field that the clause names, or a pattern. */
  field?: string;
  expression: Expression;
  boost?: number;
}

const UNICODE = /^[0-9a-fA-F]{4}$/;

/**
 * Removes the escapes of a text; `\u0041` is the character with that code.
 * @throws QuerySyntaxError for a backslash at the end, or an invalid code
 */
function removeEscapes(text: string): string {
  let plain = '';
  for (let at = 0; at < text.length; at += 1) {
    let character = text.charAt(at);
    if (character === '\\') {
      at += 1;
      character = text.charAt(at);
      if (character === '') throw new QuerySyntaxError('a term cannot end with an escape');
      if (character === 'u') {
        const digits = text.slice(at + 1, at + 5);
        if (!UNICODE.test(digits)) throw new QuerySyntaxError('no character has that number');
        character = String.fromCharCode(Number.parseInt(digits, 16));
        at += 4;
      }
    }
    plain += character;
  }
  return plain;
}

const modifiers: Partial<Record<TokenKind, Clause['modifier']>> = { plus: 'must', minus: 'not', not: 'not' };

/** A word before one of these tokens is a separate clause, not part of a run of words. */
const runTerminators: ReadonlySet<TokenKind> = new Set(['colon', 'star', 'tilde', 'caret', 'and', 'or']);

class Parser {
  readonly #tokens: readonly LexedToken[];
  readonly #checkDepth: (depth: number) => void;
  #at = 0;

  constructor(tokens: readonly LexedToken[], checkDepth: (depth: number) => void) {
    this.#tokens = tokens;
    this.#checkDepth = checkDepth;
  }

  #peekKind(ahead = 0): TokenKind {
    return this.#tokens[this.#at + ahead]?.kind ?? 'end';
  }

  /** Consumes the next token if it is of that kind, and returns its text. */
  #consume(kind: TokenKind): string | undefined {
    if (this.#peekKind() !== kind) return undefined;
    this.#at += 1;
    return this.#tokens[this.#at - 1]?.text;
  }

  #expect(kind: TokenKind): string {
    const text = this.#consume(kind);
    if (text === undefined) throw new QuerySyntaxError(`expected ${kind}, found ${this.#peekKind()}`);
    return text;
  }

  /** Parses at least one clause, up to the end or a closing parenthesis. */
  parseClauses(depth: number): Clause[] {
    this.#checkDepth(depth);
    const clauses = [this.#parseJoinedWords() ?? this.#parseClause('none', depth)];
    while (this.#peekKind() !== 'end' && this.#peekKind() !== 'close') {
      const joined = this.#parseJoinedWords();
      if (joined !== undefined) {
        clauses.push(joined);
      } else {
        const conjunction = this.#parseConjunction();
        clauses.push(this.#parseClause(conjunction, depth));
      }
    }
    return clauses;
  }

  expectEnd(): void {
    this.#expect('end');
  }

  #continuesRun(): boolean {
    return this.#peekKind() === 'term' && !runTerminators.has(this.#peekKind(1));
  }

  #parseJoinedWords(): Clause | undefined {
    const start = this.#at;
    let text = this.#consume('term');
    if (text === undefined || !this.#continuesRun()) {
      this.#at = start;
      return undefined;
    }
    while (this.#continuesRun()) text += ` ${this.#expect('term')}`;
    const expression: Expression = { kind: 'text', text: removeEscapes(text), joined: true };
    return { conjunction: 'none', modifier: 'none', expression };
  }

  #parseConjunction(): Clause['conjunction'] {
    if (this.#consume('and') !== undefined) return 'and';
    return this.#consume('or') === undefined ? 'none' : 'or';
  }

  #parseClause(conjunction: Clause['conjunction'], depth: number): Clause {
    const modifier = modifiers[this.#peekKind()] ?? 'none';
    if (modifier !== 'none') this.#at += 1;
    const field = this.#parseField();
    const { expression, boost } = this.#parseExpression(depth);
    const clause: Clause = { conjunction, modifier, expression };
    if (field !== undefined) clause.field = field;
    if (boost !== undefined) clause.boost = Number(boost);
    return clause;
  }

  #parseField(): string | undefined {
    if (this.#peekKind(1) !== 'colon') return undefined;
    const name = this.#consume('term') ?? this.#consume('star');
    if (name !== undefined) this.#expect('colon');
    return name === undefined ? undefined : removeEscapes(name);
  }

  #parseBoost(): string | undefined {
    return this.#consume('caret') === undefined ? undefined : this.#expect('number');
  }

  #parseExpression(depth: number): { expression: Expression; boost: string | undefined } {
    if (this.#consume('open') !== undefined) {
      const clauses = this.parseClauses(depth + 1);
      this.#expect('close');
      return { expression: { kind: 'group', clauses }, boost: this.#parseBoost() };
    }
    if (this.#peekKind() === 'rangeOpen')
      return { expression: this.#parseRange(), boost: this.#parseBoost() };
    const token = this.#tokens[this.#at];
    const createExpression = token === undefined ? undefined : expressionFactories[token.kind];
    if (token === undefined || createExpression === undefined)
      throw new QuerySyntaxError(`unexpected ${this.#peekKind()}`);
    this.#at += 1;
    // A boost can precede or follow the tilde.
    const leadingBoost = this.#parseBoost();
    const tilde = this.#consume('tilde');
    const boost = leadingBoost ?? (tilde === undefined ? undefined : this.#parseBoost());
    return { expression: createExpression(token.text, tilde), boost };
  }

  #parseRange(): Expression {
    const includeLower = this.#expect('rangeOpen') === '[';
    const lower = this.#parseRangeBound();
    this.#expect('to');
    const upper = this.#parseRangeBound();
    const includeUpper = this.#expect('rangeClose') === ']';
    const range: Expression = { kind: 'range', includeLower, includeUpper };
    if (lower !== undefined) range.lower = lower;
    if (upper !== undefined) range.upper = upper;
    return range;
  }

  #parseRangeBound(): string | undefined {
    const quoted = this.#consume('rangeQuoted');
    if (quoted !== undefined) return removeEscapes(quoted.slice(1, -1));
    const text = this.#consume('rangeText') ?? this.#expect('to');
    return text === '*' ? undefined : removeEscapes(text);
  }
}

type ExpressionFactory = (text: string, tilde: string | undefined) => Expression;

/** Validates the escapes of a pattern without removing them. */
function validateEscapes(pattern: string): string {
  removeEscapes(pattern);
  return pattern;
}

const createTextExpression: ExpressionFactory = (text, tilde) => {
  const plain = removeEscapes(text);
  if (tilde === undefined) return { kind: 'text', text: plain, joined: false };
  return { kind: 'fuzzy', text: plain, distance: tilde.slice(1) };
};

/** Creates expressions from tokens; a tilde after a pattern has no effect. */
const expressionFactories: Partial<Record<TokenKind, ExpressionFactory>> = {
  term: createTextExpression,
  bareSign: (text, tilde) => createTextExpression(text.charAt(0), tilde),
  star: (text) => ({ kind: 'wildcard', pattern: text }),
  prefix: (text) => ({ kind: 'prefix', text: removeEscapes(text.slice(0, -1)) }),
  wildcard: (text) => ({ kind: 'wildcard', pattern: validateEscapes(text) }),
  regexp: (text) => ({ kind: 'regexp', pattern: validateEscapes(text).slice(1, -1) }),
  quoted: (text, tilde) => {
    const phrase: Expression = { kind: 'phrase', text: removeEscapes(text.slice(1, -1)) };
    if (tilde !== undefined) phrase.slop = tilde.slice(1);
    return phrase;
  },
};

/**
 * Parses a query string.
 * @param depth - depth of the enclosing clause
 * @param checkDepth - throws for a group that is nested too deeply
 * @returns at least one clause
 * @throws QuerySyntaxError for an invalid text
 */
export function parseQueryString(
  text: string,
  depth: number,
  checkDepth: (depth: number) => void,
): readonly Clause[] {
  const parser = new Parser(tokenize(text), checkDepth);
  const clauses = parser.parseClauses(depth);
  parser.expectEnd();
  return clauses;
}
