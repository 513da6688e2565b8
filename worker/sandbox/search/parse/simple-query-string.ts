// Parses simple query strings: every text is valid, and meaningless operators are ignored.
import type { Query } from '../query.ts';
import { buildBool, buildMatchAll } from './combine.ts';
import { countReader, type OptionReader, textReader } from './options.ts';
import {
  buildFuzzyTerm,
  buildPrefixTerm,
  buildQuotedPhrase,
  buildWords,
  type LeafContext,
  type QueryStringSettings,
} from './query-string/leaves.ts';
import { checkDepth, QueryError, type Scope } from './scope.ts';

/** The operators; the index of each is its bit in a number of flags. */
const operators = [
  'AND',
  'NOT',
  'OR',
  'PREFIX',
  'PHRASE',
  'PRECEDENCE',
  'ESCAPE',
  'WHITESPACE',
  'FUZZY',
  'NEAR',
] as const;

type SimpleOperator = (typeof operators)[number];

const ALL = (1 << operators.length) - 1;

const flagBits = new Map<string, number>([
  ...operators.map((name, index): [string, number] => [name, 1 << index]),
  ['SLOP', 1 << operators.indexOf('NEAR')],
  ['NONE', 0],
  ['ALL', ALL],
]);

function parseFlag(word: string): number {
  const bits = flagBits.get(word.toUpperCase());
  if (bits === undefined) throw new QueryError(`Unknown simple_query_string flag [${word}]`);
  return bits;
}

function toOperators(bits: number): ReadonlySet<SimpleOperator> {
  return new Set(operators.filter((_, index) => (bits & (1 << index)) !== 0));
}

/** All operators: the default. */
export const allOperators = toOperators(ALL);

/** Reads `ALL`, `NONE`, a list such as `OR|AND|PREFIX`, or a bit mask; a negative one is `ALL`. */
export const simpleFlagsReader: OptionReader<ReadonlySet<SimpleOperator>> = (value, location) => {
  if (typeof value === 'number') return toOperators(value < 0 ? ALL : countReader(value, location));
  const text = textReader(value, location);
  if (text === '') return allOperators;
  return toOperators(text.split('|').reduce((bits, word) => bits | parseFlag(word), 0));
};

/** Tie breakers: words sum their scores over fields, phrases use the best field. */
const ADDED_UP = 1;
const BEST = 0;

const SPACES = ' \t\n\r';
const MAX_EDITS = 2;
/** A star alone. White space beyond ASCII counts as text. */
const STAR = /^[\0- ]*\*[\0- ]*$/;

type SimpleSettings = Omit<QueryStringSettings, 'tieBreaker'>;

/** A query and the height of its tree of bools. */
interface Branch {
  query: Query;
  height: number;
}

/** The parsed part of a text or of a group in it. */
class Group {
  readonly #scope: Scope;
  readonly #defaultOperation: 'must' | 'should';
  #parts: Branch[] = [];
  #operation: 'must' | 'should' | undefined;
  /** The operator since the last word. */
  #pending: 'must' | 'should' | undefined;
  /** Number of minus signs directly before the next part. */
  negations = 0;

  constructor(scope: Scope, operator: 'and' | 'or') {
    this.#scope = scope;
    this.#defaultOperation = operator === 'and' ? 'must' : 'should';
  }

  /** Records an operator between words. The first of several wins; one before the first word is ignored. */
  addOperator(operation: 'must' | 'should'): void {
    if (this.#parts.length > 0) this.#pending ??= operation;
  }

  /** Drops the pending operator, because an empty part follows it. */
  dropOperator(): void {
    this.#pending = undefined;
  }

  /** Adds a word, phrase or group. If the operation changes, the earlier parts become one query. */
  add(part: Branch | undefined): void {
    if (part === undefined) return;
    const branch = this.negations % 2 === 1 ? negate(part) : part;
    const operation = this.#pending ?? this.#defaultOperation;
    this.#pending = undefined;
    if (operation !== this.#operation) {
      const before = this.result();
      this.#parts = before === undefined ? [] : [before];
      if (before !== undefined) this.#operation = operation;
    }
    this.#parts.push(branch);
    for (const { height } of [this.#parts[0] ?? branch, branch]) checkDepth(this.#scope.depth + height);
  }

  /** @returns undefined if the group is empty */
  result(): Branch | undefined {
    const [first] = this.#parts;
    if (this.#operation === undefined || first === undefined) return first;
    const queries = this.#parts.map(({ query }) => query);
    const height = 1 + this.#parts.reduce((most, part) => Math.max(most, part.height), 0);
    return { query: buildBool({ [this.#operation]: queries }), height };
  }
}

function negate({ query, height }: Branch): Branch {
  return { query: buildBool({ mustNot: [query], should: [buildMatchAll()] }), height: height + 1 };
}

/** Maps opening parentheses to their closing ones; unclosed ones are missing. */
function findClosingParentheses(text: string, escapes: boolean): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && escapes) {
      at += 1;
    } else if (character === '(') {
      open.push(at);
    } else if (character === ')') {
      const start = open.pop();
      if (start !== undefined) closing.set(start, at);
    }
  }
  return closing;
}

class Parser {
  readonly #text: string;
  readonly #scope: Scope;
  readonly #words: LeafContext;
  readonly #phrases: LeafContext;
  readonly #flags: ReadonlySet<SimpleOperator>;
  readonly #closing: ReadonlyMap<number, number>;
  #at = 0;

  constructor(text: string, scope: Scope, settings: SimpleSettings, flags: ReadonlySet<SimpleOperator>) {
    this.#text = text;
    this.#scope = scope;
    this.#words = { scope, settings: { ...settings, tieBreaker: ADDED_UP }, field: undefined };
    this.#phrases = { scope, settings: { ...settings, tieBreaker: BEST }, field: undefined };
    this.#flags = flags;
    this.#closing = findClosingParentheses(text, flags.has('ESCAPE'));
  }

  /** Checks for an enabled operator at the current position. */
  #isOperator(operatorText: string, operator: SimpleOperator): boolean {
    return this.#text.charAt(this.#at) === operatorText && this.#flags.has(operator);
  }

  #isSpace(): boolean {
    return this.#flags.has('WHITESPACE') && SPACES.includes(this.#text.charAt(this.#at));
  }

  /** Checks whether a word ends at the current position. */
  #endsWord(): boolean {
    return (
      this.#isOperator('"', 'PHRASE') ||
      this.#isOperator('|', 'OR') ||
      this.#isOperator('+', 'AND') ||
      this.#isOperator('(', 'PRECEDENCE') ||
      this.#isOperator(')', 'PRECEDENCE') ||
      this.#isSpace()
    );
  }

  /** Parses up to a position in the text. */
  parse(end: number, depth: number): Branch | undefined {
    checkDepth(depth);
    const group = new Group(this.#scope, this.#words.settings.text.operator);
    while (this.#at < end) {
      if (this.#isOperator('-', 'NOT')) {
        group.negations += 1;
        this.#at += 1;
        continue;
      }
      this.#parseNext(group, end, depth);
      group.negations = 0;
    }
    return group.result();
  }

  #parseNext(group: Group, end: number, depth: number): void {
    if (this.#isOperator('(', 'PRECEDENCE')) {
      this.#parseGroup(group, depth);
    } else if (this.#isOperator('"', 'PHRASE')) {
      this.#parsePhrase(group, end);
    } else if (this.#isOperator('+', 'AND') || this.#isOperator('|', 'OR')) {
      group.addOperator(this.#isOperator('+', 'AND') ? 'must' : 'should');
      this.#at += 1;
    } else if (this.#isOperator(')', 'PRECEDENCE') || this.#isSpace()) {
      this.#at += 1;
    } else {
      this.#parseWord(group, end);
    }
  }

  /** Parses a group. Ignores an unclosed parenthesis. */
  #parseGroup(group: Group, depth: number): void {
    const close = this.#closing.get(this.#at);
    this.#at += 1;
    if (close === undefined) return;
    if (close === this.#at) group.dropOperator();
    else group.add(this.parse(close, depth + 1));
    this.#at = close + 1;
  }

  /** Parses a phrase. Ignores an unclosed quote. */
  #parsePhrase(group: Group, end: number): void {
    const start = this.#at + 1;
    let text = '';
    let at = start;
    for (; at < end && this.#text.charAt(at) !== '"'; at += 1) {
      if (this.#text.charAt(at) === '\\' && this.#flags.has('ESCAPE')) at += 1;
      if (at < end) text += this.#text.charAt(at);
    }
    if (at >= end) {
      this.#at = start;
      return;
    }
    this.#at = at;
    let slop = 0;
    if (at + 1 < end && this.#text.charAt(at + 1) === '~' && this.#flags.has('NEAR')) {
      this.#at += 1;
      if (this.#at + 1 < end) slop = this.#parseNumber(end);
    } else if (at === start) {
      group.dropOperator();
      this.#at += 1;
      return;
    }
    group.add(toBranch(buildQuotedPhrase(this.#phrases, text, String(slop))));
    // The current character is the closing quote, or the one that ended the number after it.
    this.#at += 1;
  }

  #parseWord(group: Group, end: number): void {
    let text = '';
    let prefix = false;
    while (this.#at < end) {
      if (this.#isOperator('\\', 'ESCAPE')) {
        prefix = false;
        this.#at += 1;
        if (this.#at >= end) break;
      } else {
        if (this.#endsWord() || (text !== '' && this.#isOperator('~', 'FUZZY'))) break;
        prefix = text !== '' && this.#isOperator('*', 'PREFIX');
      }
      text += this.#text.charAt(this.#at);
      this.#at += 1;
    }
    if (text === '') return;
    if (this.#at < end && this.#isOperator('~', 'FUZZY')) {
      const edits = Math.min(this.#parseNumber(end), MAX_EDITS);
      const query =
        edits === 0 ? buildWords(this.#words, text) : buildFuzzyTerm(this.#words, text, String(edits));
      group.add(toBranch(query));
    } else if (prefix) {
      group.add(toBranch(buildPrefixTerm(this.#words, text.slice(0, -1))));
    } else {
      group.add(toBranch(buildWords(this.#words, text)));
    }
  }

  /** Reads the number after a tilde: 2 if there is none, 0 if it is invalid. */
  #parseNumber(end: number): number {
    const start = this.#at + 1;
    do this.#at += 1;
    while (this.#at < end && !this.#endsWord());
    const text = this.#text.slice(start, this.#at);
    if (text === '') return MAX_EDITS;
    return /^\+?\d{1,9}$/.test(text) ? Number(text) : 0;
  }
}

function toBranch(query: Query | undefined): Branch | undefined {
  return query === undefined ? undefined : { query, height: 1 };
}

/**
 * Parses a simple query string.
 * @returns undefined if it has no terms; it matches nothing then
 * @throws QueryError for groups nested too deeply, too many clauses, or a text that doesn't fit a field
 */
export function parseSimpleQuery(
  text: string,
  scope: Scope,
  settings: SimpleSettings,
  flags: ReadonlySet<SimpleOperator>,
): Query | undefined {
  if (STAR.test(text)) return buildMatchAll();
  return new Parser(text, scope, settings, flags).parse(text.length, scope.depth)?.query;
}
