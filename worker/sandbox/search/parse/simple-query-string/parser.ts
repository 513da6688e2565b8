// The simple query language: every text is a query, and signs that make no sense are passed over.
import type { Query } from '../../query.ts';
import { buildBool, buildMatchAll } from '../combine.ts';
import { checkDepth } from '../limits.ts';
import type { Scope } from '../scope.ts';
import type { SimpleOperator } from './flags.ts';
import {
  buildFuzzyTerm,
  buildPrefixTerm,
  buildQuotedPhrase,
  buildWord,
  type SimpleSettings,
} from './leaves.ts';

const SPACES = ' \t\n\r';
const MAX_EDITS = 2;
/** A star alone; spaces beyond ASCII are a text. */
const STAR = /^[\0- ]*\*[\0- ]*$/;

/** A query with the number of bools that stand in one another in it. */
interface Branch {
  query: Query;
  height: number;
}

/** What has been read of a text or of a group in it. */
class Group {
  readonly #scope: Scope;
  readonly #defaultOperation: 'must' | 'should';
  #parts: Branch[] = [];
  #operation: 'must' | 'should' | undefined;
  /** The sign that was read since the last word. */
  #pending: 'must' | 'should' | undefined;
  /** Minus signs right before what comes next. */
  negations = 0;

  constructor(scope: Scope, operator: 'and' | 'or') {
    this.#scope = scope;
    this.#defaultOperation = operator === 'and' ? 'must' : 'should';
  }

  /** A sign between words; only the first of several counts, and none before the first word. */
  sign(operation: 'must' | 'should'): void {
    if (this.#parts.length > 0) this.#pending ??= operation;
  }

  /** What a sign stood before turned out to be nothing. */
  dropSign(): void {
    this.#pending = undefined;
  }

  /** Adds a word, a phrase or a group. Where the operation changes, all before it becomes one. */
  add(found: Branch | undefined): void {
    if (found === undefined) return;
    const branch = this.negations % 2 === 1 ? negated(found) : found;
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

  /** @returns undefined if there is nothing */
  result(): Branch | undefined {
    const [first] = this.#parts;
    if (this.#operation === undefined || first === undefined) return first;
    const queries = this.#parts.map(({ query }) => query);
    const height = 1 + this.#parts.reduce((most, part) => Math.max(most, part.height), 0);
    return { query: buildBool({ [this.#operation]: queries }), height };
  }
}

function negated({ query, height }: Branch): Branch {
  return { query: buildBool({ mustNot: [query], should: [buildMatchAll()] }), height: height + 1 };
}

/** The place of the parenthesis that closes each one that opens; those that nothing closes are missing. */
function closingParentheses(text: string, escapes: boolean): ReadonlyMap<number, number> {
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

class Reader {
  readonly #text: string;
  readonly #scope: Scope;
  readonly #settings: SimpleSettings;
  readonly #closing: ReadonlyMap<number, number>;
  #at = 0;

  constructor(text: string, scope: Scope, settings: SimpleSettings) {
    this.#text = text;
    this.#scope = scope;
    this.#settings = settings;
    this.#closing = closingParentheses(text, settings.flags.has('ESCAPE'));
  }

  /** Whether that sign stands here and means something. */
  #is(sign: string, operator: SimpleOperator): boolean {
    return this.#text.charAt(this.#at) === sign && this.#settings.flags.has(operator);
  }

  #isSpace(): boolean {
    return this.#settings.flags.has('WHITESPACE') && SPACES.includes(this.#text.charAt(this.#at));
  }

  /** Whether a word ends here. */
  #endsWord(): boolean {
    return (
      this.#is('"', 'PHRASE') ||
      this.#is('|', 'OR') ||
      this.#is('+', 'AND') ||
      this.#is('(', 'PRECEDENCE') ||
      this.#is(')', 'PRECEDENCE') ||
      this.#isSpace()
    );
  }

  /** Reads up to a place in the text. */
  read(end: number, depth: number): Branch | undefined {
    checkDepth(depth);
    const group = new Group(this.#scope, this.#settings.text.operator);
    while (this.#at < end) {
      if (this.#is('-', 'NOT')) {
        group.negations += 1;
        this.#at += 1;
        continue;
      }
      this.#readNext(group, end, depth);
      group.negations = 0;
    }
    return group.result();
  }

  #readNext(group: Group, end: number, depth: number): void {
    if (this.#is('(', 'PRECEDENCE')) {
      this.#readGroup(group, depth);
    } else if (this.#is('"', 'PHRASE')) {
      this.#readPhrase(group, end);
    } else if (this.#is('+', 'AND') || this.#is('|', 'OR')) {
      group.sign(this.#is('+', 'AND') ? 'must' : 'should');
      this.#at += 1;
    } else if (this.#is(')', 'PRECEDENCE') || this.#isSpace()) {
      this.#at += 1;
    } else {
      this.#readWord(group, end);
    }
  }

  /** A parenthesis that nothing closes is passed over. */
  #readGroup(group: Group, depth: number): void {
    const close = this.#closing.get(this.#at);
    this.#at += 1;
    if (close === undefined) return;
    if (close === this.#at) group.dropSign();
    else group.add(this.read(close, depth + 1));
    this.#at = close + 1;
  }

  /** A quote that nothing closes is passed over. */
  #readPhrase(group: Group, end: number): void {
    const start = this.#at + 1;
    let text = '';
    let at = start;
    for (; at < end && this.#text.charAt(at) !== '"'; at += 1) {
      if (this.#text.charAt(at) === '\\' && this.#settings.flags.has('ESCAPE')) at += 1;
      if (at < end) text += this.#text.charAt(at);
    }
    if (at >= end) {
      this.#at = start;
      return;
    }
    this.#at = at;
    let slop = 0;
    if (at + 1 < end && this.#text.charAt(at + 1) === '~' && this.#settings.flags.has('NEAR')) {
      this.#at += 1;
      if (this.#at + 1 < end) slop = this.#readNumber(end);
    } else if (at === start) {
      group.dropSign();
      this.#at += 1;
      return;
    }
    group.add(leaf(buildQuotedPhrase(this.#scope, this.#settings, text, slop)));
    // The character behind a phrase is its quote, or what ended the number behind that.
    this.#at += 1;
  }

  #readWord(group: Group, end: number): void {
    let text = '';
    let prefix = false;
    while (this.#at < end) {
      if (this.#is('\\', 'ESCAPE')) {
        prefix = false;
        this.#at += 1;
        if (this.#at >= end) break;
      } else {
        if (this.#endsWord() || (text !== '' && this.#is('~', 'FUZZY'))) break;
        prefix = text !== '' && this.#is('*', 'PREFIX');
      }
      text += this.#text.charAt(this.#at);
      this.#at += 1;
    }
    if (text === '') return;
    if (this.#at < end && this.#is('~', 'FUZZY')) {
      const edits = Math.min(this.#readNumber(end), MAX_EDITS);
      group.add(leaf(this.#fuzzyWord(text, edits)));
    } else if (prefix) {
      group.add(leaf(buildPrefixTerm(this.#scope, this.#settings, text.slice(0, -1))));
    } else {
      group.add(leaf(buildWord(this.#scope, this.#settings, text)));
    }
  }

  #fuzzyWord(text: string, edits: number): Query | undefined {
    return edits === 1 || edits === 2
      ? buildFuzzyTerm(this.#scope, this.#settings, text, edits)
      : buildWord(this.#scope, this.#settings, text);
  }

  /** The number behind a tilde: two where there is nothing, nought for what is no number. */
  #readNumber(end: number): number {
    const start = this.#at + 1;
    do this.#at += 1;
    while (this.#at < end && !this.#endsWord());
    const text = this.#text.slice(start, this.#at);
    if (text === '') return MAX_EDITS;
    return /^\+?\d{1,9}$/.test(text) ? Number(text) : 0;
  }
}

function leaf(query: Query | undefined): Branch | undefined {
  return query === undefined ? undefined : { query, height: 1 };
}

/**
 * Makes a query of a text in the simple language.
 * @returns undefined if there is no term in it: it matches nothing then
 * @throws QueryError for groups that stand too deep, too many clauses, or a text that does not fit a field
 */
export function parseSimpleQuery(text: string, scope: Scope, settings: SimpleSettings): Query | undefined {
  if (STAR.test(text)) return buildMatchAll();
  return new Reader(text, scope, settings).read(text.length, scope.depth)?.query;
}
