// The words inside a text filter: AND, OR, groups, "exact phrases", a trailing *. Contract, "Filters".
import type { Property } from '../index-fields/mapping.ts';

/** What a filter's text asks for. Words that stand beside each other are one `words`. */
export type Expression =
  | { kind: 'words'; text: string }
  | { kind: 'phrase'; text: string }
  | { kind: 'prefix'; text: string }
  | { kind: 'and' | 'or'; parts: Expression[] };

/** A text that can't be read, with what is wrong in it. */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
}

/** A query of the DSL, or a part of one. */
export type Clause = Record<string, unknown>;

/** Makes one clause of a clause for each of the fields that are searched. */
export type ForEachField = (make: (field: string, property?: Property) => Clause) => Clause;

type Token = { kind: 'words' | 'phrase' | 'prefix'; text: string } | { kind: 'and' | 'or' | '(' | ')' };

const MAX_TOKENS = 1024;
const MAX_DEPTH = 50;
/** A phrase, a bracket, or anything up to white space, a bracket or a quote. */
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

/** Reads tokens: OR binds least, what stands beside each other must all be there. */
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
 * Reads the text of a filter.
 * @throws ExpressionError where it is empty, a bracket or quote is open, or an operator lacks a word
 */
export function parseExpression(text: string): Expression {
  return new ExpressionParser(tokenise(text)).parse();
}

/** A keyword's whole value, in any case. */
function toKeywordClause(kind: 'term' | 'prefix', field: string, value: string): Clause {
  return { [kind]: { [field]: { value, case_insensitive: true } } };
}

/** Words that must all be there; the last of them may be the start of one. */
function toPrefixClause(field: string, text: string): Clause {
  const lastWordAt = text.lastIndexOf(' ') + 1;
  const prefix = { prefix: { [field]: { value: text.slice(lastWordAt), case_insensitive: true } } };
  if (lastWordAt === 0) return prefix;
  const before = { query: text.slice(0, lastWordAt).trim(), operator: 'and' };
  return { bool: { must: [{ match: { [field]: before } }, prefix] } };
}

/**
 * What an expression asks for, in the DSL. Text is searched by its words. A keyword is compared as a whole: words that
 * stand beside each other and quoted ones are its value, with a trailing * its start, in any case.
 * @param eachField - the fields in which the words may stand
 */
export function toClause(expression: Expression, eachField: ForEachField): Clause {
  switch (expression.kind) {
    case 'and':
      return { bool: { must: expression.parts.map((part) => toClause(part, eachField)) } };
    case 'or':
      return { bool: { should: expression.parts.map((part) => toClause(part, eachField)) } };
    case 'phrase':
      return eachField((field, property) =>
        property?.type === 'keyword'
          ? toKeywordClause('term', field, expression.text)
          : { match_phrase: { [field]: expression.text } },
      );
    case 'prefix':
      return eachField((field, property) =>
        property?.type === 'keyword'
          ? toKeywordClause('prefix', field, expression.text)
          : toPrefixClause(field, expression.text),
      );
    case 'words':
      return eachField((field, property) =>
        property?.type === 'keyword'
          ? toKeywordClause('term', field, expression.text)
          : { match: { [field]: { query: expression.text, operator: 'and' } } },
      );
  }
}
