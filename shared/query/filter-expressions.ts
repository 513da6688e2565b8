// Parses text filters: AND, OR, groups, "exact phrases" and a trailing *. Contract, "Filters".
import type { Property } from '../index-fields/mapping.ts';

/** A parsed text filter. Adjacent words form one `words` node. */
export type Expression =
  | { kind: 'words'; text: string }
  | { kind: 'phrase'; text: string }
  | { kind: 'prefix'; text: string }
  | { kind: 'and' | 'or'; parts: Expression[] };

/** A syntax error in a text filter. The message completes the sentence “There’s a mistake near …: …”. */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
}

/** A clause of the query DSL. */
export type Clause = Record<string, unknown>;

/** Combines one clause for each searched field. */
export type ForEachField = (make: (field: string, property?: Property) => Clause) => Clause;

type Token = { kind: 'words' | 'phrase' | 'prefix'; text: string } | { kind: 'and' | 'or' | '(' | ')' };

const MAX_TOKENS = 1024;
const MAX_DEPTH = 50;
/** Matches a phrase, a bracket or a word. */
const PART = /"([^"]*)"|([()])|([^\s()"]+)/g;

function toToken(word: string): Token {
  if (word === 'AND') return { kind: 'and' };
  if (word === 'OR') return { kind: 'or' };
  return word.length > 1 && word.endsWith('*')
    ? { kind: 'prefix', text: word.slice(0, -1) }
    : { kind: 'words', text: word };
}

function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let quotes = 0;
  for (const [, phrase, bracket, word] of text.matchAll(PART)) {
    if (phrase !== undefined) {
      quotes += 2;
      tokens.push({ kind: 'phrase', text: phrase });
    } else if (bracket === '(' || bracket === ')') tokens.push({ kind: bracket });
    else if (word !== undefined) {
      const token = toToken(word);
      const last = tokens[tokens.length - 1];
      if (last?.kind === 'words' && (token.kind === 'words' || token.kind === 'prefix')) {
        tokens[tokens.length - 1] = { kind: token.kind, text: `${last.text} ${token.text}` };
      } else tokens.push(token);
    }
    if (tokens.length > MAX_TOKENS) throw new ExpressionError('it has too many words');
  }
  if (text.split('"').length - 1 !== quotes) throw new ExpressionError('a quote is not closed');
  return tokens;
}

/** Recursive descent parser. OR binds less than AND; adjacent terms are joined by AND. */
class ExpressionParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const expression = this.#either();
    if (this.#at < this.#tokens.length)
      throw new ExpressionError('a bracket is closed that was never opened');
    return expression;
  }

  #either(): Expression {
    const parts = [this.#all()];
    while (this.#next('or')) parts.push(this.#all());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'or', parts };
  }

  #all(): Expression {
    const parts = [this.#single()];
    for (;;) {
      const kind = this.#tokens[this.#at]?.kind;
      if (kind === undefined || kind === 'or' || kind === ')') break;
      this.#next('and');
      parts.push(this.#single());
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'and', parts };
  }

  #single(): Expression {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    switch (token?.kind) {
      case 'words':
      case 'phrase':
      case 'prefix':
        return { kind: token.kind, text: token.text };
      case '(': {
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH) throw new ExpressionError('it is nested too deeply');
        const inner = this.#either();
        if (!this.#next(')')) throw new ExpressionError('a bracket is not closed');
        this.#depth -= 1;
        return inner;
      }
      default:
        throw new ExpressionError(
          token === undefined ? 'it ends where a word is expected' : 'a word is missing',
        );
    }
  }

  #next(kind: Token['kind']): boolean {
    if (this.#tokens[this.#at]?.kind !== kind) return false;
    this.#at += 1;
    return true;
  }
}

/**
 * Parses the text of a filter.
 * @throws ExpressionError if the text is empty, a bracket or quote is not closed, or an operand is missing
 */
export function parseExpression(text: string): Expression {
  return new ExpressionParser(tokenise(text)).parse();
}

/** Compares a whole keyword or its prefix, ignoring case. */
function toKeywordClause(kind: 'term' | 'prefix', field: string, value: string): Clause {
  return { [kind]: { [field]: { value, case_insensitive: true } } };
}

/** Requires all words; the last one matches as a prefix. */
function toPrefixClause(field: string, text: string): Clause {
  const lastWordAt = text.lastIndexOf(' ') + 1;
  const prefix = { prefix: { [field]: { value: text.slice(lastWordAt), case_insensitive: true } } };
  if (lastWordAt === 0) return prefix;
  const before = { query: text.slice(0, lastWordAt).trim(), operator: 'and' };
  return { bool: { must: [{ match: { [field]: before } }, prefix] } };
}

/**
 * Converts an expression to a clause of the DSL. Text fields match by word. Keyword fields match as a whole, or by
 * prefix with a trailing *, ignoring case.
 * @param forEachField - combines the clauses of the searched fields
 */
export function toClause(expression: Expression, forEachField: ForEachField): Clause {
  switch (expression.kind) {
    case 'and':
      return { bool: { must: expression.parts.map((part) => toClause(part, forEachField)) } };
    case 'or':
      return { bool: { should: expression.parts.map((part) => toClause(part, forEachField)) } };
    case 'phrase':
      return forEachField((field, property) =>
        property?.type === 'keyword'
          ? toKeywordClause('term', field, expression.text)
          : { match_phrase: { [field]: expression.text } },
      );
    case 'prefix':
      return forEachField((field, property) =>
        property?.type === 'keyword'
          ? toKeywordClause('prefix', field, expression.text)
          : toPrefixClause(field, expression.text),
      );
    case 'words':
      return forEachField((field, property) =>
        property?.type === 'keyword'
          ? toKeywordClause('term', field, expression.text)
          : { match: { [field]: { query: expression.text, operator: 'and' } } },
      );
  }
}
