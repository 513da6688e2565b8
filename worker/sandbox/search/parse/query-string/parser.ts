// From the tokens of a query string to its clauses: Lucene's classic grammar, which knows no precedence.
import { type LexedToken, QuerySyntaxError, type TokenKind, tokenize } from './lexer.ts';

/** What one clause looks for. Texts are as they were meant, patterns as they were written. */
export type Expression =
  /** `joined`: several words that stand side by side and are analysed as one text. */
  | { kind: 'text'; text: string; joined: boolean }
  | { kind: 'phrase'; text: string /** As written behind the tilde. */; slop?: string }
  | { kind: 'prefix'; text: string }
  | { kind: 'wildcard'; pattern: string }
  | { kind: 'regexp'; pattern: string }
  | {
      kind: 'fuzzy';
      text: string /** As written behind the tilde, empty where nothing is. */;
      distance: string;
    }
  /** An end that is absent is open. */
  | { kind: 'range'; lower?: string; upper?: string; includeLower: boolean; includeUpper: boolean }
  | { kind: 'group'; clauses: readonly Clause[] };

/** One of the clauses that stand in a row. */
export interface Clause {
  /** How it is tied to the clause before it. */
  conjunction: 'and' | 'or' | 'none';
  modifier: 'must' | 'not' | 'none';
  /** The field that it names itself, a pattern among them. */
  field?: string;
  expression: Expression;
  boost?: number;
}

const UNICODE = /^[0-9a-fA-F]{4}$/;

/**
 * Takes the backslashes out of a text; `\u0041` stands for the character of that number.
 * @throws SyntaxFault for a backslash at the end, or a number that is none
 */
export function removeEscapes(text: string): string {
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

/** A word before one of these is a clause by itself: it is not joined to the words before it. */
const endsRun: ReadonlySet<TokenKind> = new Set(['colon', 'star', 'tilde', 'caret', 'and', 'or']);

class Parser {
  readonly #tokens: readonly LexedToken[];
  readonly #checkDepth: (depth: number) => void;
  #at = 0;

  constructor(tokens: readonly LexedToken[], checkDepth: (depth: number) => void) {
    this.#tokens = tokens;
    this.#checkDepth = checkDepth;
  }

  #kind(ahead = 0): TokenKind {
    return this.#tokens[this.#at + ahead]?.kind ?? 'end';
  }

  /** The text of the next token, if it is of that kind. */
  #take(kind: TokenKind): string | undefined {
    if (this.#kind() !== kind) return undefined;
    this.#at += 1;
    return this.#tokens[this.#at - 1]?.text;
  }

  #expect(kind: TokenKind): string {
    const text = this.#take(kind);
    if (text === undefined) throw new QuerySyntaxError(`expected ${kind}, found ${this.#kind()}`);
    return text;
  }

  /** Clauses up to an end or a closing parenthesis, one at least. */
  clauses(depth: number): Clause[] {
    this.#checkDepth(depth);
    const clauses = [this.#joined() ?? this.#clause('none', depth)];
    while (this.#kind() !== 'end' && this.#kind() !== 'close') {
      const joined = this.#joined();
      if (joined !== undefined) {
        clauses.push(joined);
      } else {
        const conjunction = this.#conjunction();
        clauses.push(this.#clause(conjunction, depth));
      }
    }
    return clauses;
  }

  end(): void {
    this.#expect('end');
  }

  #continuesRun(): boolean {
    return this.#kind() === 'term' && !endsRun.has(this.#kind(1));
  }

  #joined(): Clause | undefined {
    const start = this.#at;
    let text = this.#take('term');
    if (text === undefined || !this.#continuesRun()) {
      this.#at = start;
      return undefined;
    }
    while (this.#continuesRun()) text += ` ${this.#expect('term')}`;
    const expression: Expression = { kind: 'text', text: removeEscapes(text), joined: true };
    return { conjunction: 'none', modifier: 'none', expression };
  }

  #conjunction(): Clause['conjunction'] {
    if (this.#take('and') !== undefined) return 'and';
    return this.#take('or') === undefined ? 'none' : 'or';
  }

  #clause(conjunction: Clause['conjunction'], depth: number): Clause {
    const modifier = modifiers[this.#kind()] ?? 'none';
    if (modifier !== 'none') this.#at += 1;
    const field = this.#field();
    const { expression, boost } = this.#expression(depth);
    const clause: Clause = { conjunction, modifier, expression };
    if (field !== undefined) clause.field = field;
    if (boost !== undefined) clause.boost = Number(boost);
    return clause;
  }

  #field(): string | undefined {
    if (this.#kind(1) !== 'colon') return undefined;
    const name = this.#take('term') ?? this.#take('star');
    if (name !== undefined) this.#expect('colon');
    return name === undefined ? undefined : removeEscapes(name);
  }

  #boost(): string | undefined {
    return this.#take('caret') === undefined ? undefined : this.#expect('number');
  }

  #expression(depth: number): { expression: Expression; boost: string | undefined } {
    if (this.#take('open') !== undefined) {
      const clauses = this.clauses(depth + 1);
      this.#expect('close');
      return { expression: { kind: 'group', clauses }, boost: this.#boost() };
    }
    if (this.#kind() === 'rangeOpen') return { expression: this.#range(), boost: this.#boost() };
    const token = this.#tokens[this.#at];
    const make = token === undefined ? undefined : expressions[token.kind];
    if (token === undefined || make === undefined) throw new QuerySyntaxError(`unexpected ${this.#kind()}`);
    this.#at += 1;
    // A boost may stand before the tilde or behind it, not twice.
    const before = this.#boost();
    const tilde = this.#take('tilde');
    const boost = before ?? (tilde === undefined ? undefined : this.#boost());
    return { expression: make(token.text, tilde), boost };
  }

  #range(): Expression {
    const includeLower = this.#expect('rangeOpen') === '[';
    const lower = this.#rangeEnd();
    this.#expect('to');
    const upper = this.#rangeEnd();
    const includeUpper = this.#expect('rangeClose') === ']';
    const range: Expression = { kind: 'range', includeLower, includeUpper };
    if (lower !== undefined) range.lower = lower;
    if (upper !== undefined) range.upper = upper;
    return range;
  }

  #rangeEnd(): string | undefined {
    const quoted = this.#take('rangeQuoted');
    if (quoted !== undefined) return removeEscapes(quoted.slice(1, -1));
    const text = this.#take('rangeText') ?? this.#expect('to');
    return text === '*' ? undefined : removeEscapes(text);
  }
}

type MakeExpression = (text: string, tilde: string | undefined) => Expression;

/** A pattern stays as it is written, but what is wrong in its escapes is wrong all the same. */
function checked(pattern: string): string {
  removeEscapes(pattern);
  return pattern;
}

const plainText: MakeExpression = (text, tilde) => {
  const plain = removeEscapes(text);
  if (tilde === undefined) return { kind: 'text', text: plain, joined: false };
  return { kind: 'fuzzy', text: plain, distance: tilde.slice(1) };
};

/** What the tokens that stand for something become; a tilde says nothing of a pattern. */
const expressions: Partial<Record<TokenKind, MakeExpression>> = {
  term: plainText,
  bareSign: (text, tilde) => plainText(text.charAt(0), tilde),
  star: (text) => ({ kind: 'wildcard', pattern: text }),
  prefix: (text) => ({ kind: 'prefix', text: removeEscapes(text.slice(0, -1)) }),
  wildcard: (text) => ({ kind: 'wildcard', pattern: checked(text) }),
  regexp: (text) => ({ kind: 'regexp', pattern: checked(text).slice(1, -1) }),
  quoted: (text, tilde) => {
    const phrase: Expression = { kind: 'phrase', text: removeEscapes(text.slice(1, -1)) };
    if (tilde !== undefined) phrase.slop = tilde.slice(1);
    return phrase;
  },
};

/**
 * Reads a query string.
 * @param depth - how deep the clause stands that holds it
 * @param checkDepth - throws for a group that stands too deep
 * @returns its clauses, one at least
 * @throws SyntaxFault for a text that is no query
 */
export function parseQueryString(
  text: string,
  depth: number,
  checkDepth: (depth: number) => void,
): readonly Clause[] {
  const parser = new Parser(tokenize(text), checkDepth);
  const clauses = parser.clauses(depth);
  parser.end();
  return clauses;
}
