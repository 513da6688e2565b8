// Tokenizes query strings by Lucene's classic grammar.

/** A syntax error in a query string. The caller adds the whole query to the message. */
export class QuerySyntaxError extends Error {
  override readonly name = 'QuerySyntaxError';
}

export type TokenKind =
  | 'and'
  | 'or'
  | 'not'
  | 'plus'
  | 'minus'
  /** `+`, `-` or `!` before a space, which is plain text. */
  | 'bareSign'
  | 'open'
  | 'close'
  | 'colon'
  | 'star'
  | 'caret'
  /** The number after a caret. */
  | 'number'
  /** A tilde and the text directly after it. */
  | 'tilde'
  | 'quoted'
  | 'term'
  | 'prefix'
  | 'wildcard'
  | 'regexp'
  | 'rangeOpen'
  | 'rangeClose'
  /** `TO` between the bounds of a range. */
  | 'to'
  | 'rangeQuoted'
  | 'rangeText'
  | 'end';

/** A token; `text` is the source text with escapes, quotes and slashes. */
export interface LexedToken {
  kind: TokenKind;
  text: string;
}

const SPACES = ' \t\n\r\u3000';
/** Characters that a term contains only escaped; plus and minus only at its start. */
const OPERATORS = '!():^[]"{}~*?\\/';

function isSpace(character: string): boolean {
  return character !== '' && SPACES.includes(character);
}

const singleCharacterTokens: Readonly<Record<string, TokenKind>> = {
  '+': 'plus',
  '-': 'minus',
  '!': 'not',
  '(': 'open',
  ')': 'close',
  ':': 'colon',
  '^': 'caret',
  '[': 'rangeOpen',
  '{': 'rangeOpen',
};

const operatorTokens = new Map<string, TokenKind>([
  ['AND', 'and'],
  ['&&', 'and'],
  ['OR', 'or'],
  ['||', 'or'],
  ['NOT', 'not'],
]);

/** Finds the end of a run of term characters, optionally with wildcards. */
function findRunEnd(text: string, from: number, wildcards: boolean): number {
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\\') {
      if (at + 1 >= text.length) break;
      at += 2;
    } else if (wildcards && (character === '*' || character === '?')) {
      at += 1;
    } else if (SPACES.includes(character) || OPERATORS.includes(character)) {
      break;
    } else {
      at += 1;
    }
  }
  return at;
}

/** Reads a term or pattern, whichever is longer. */
function readTerm(text: string, from: number): LexedToken {
  const run = text.slice(from, findRunEnd(text, from, true));
  if (run === '') throw new QuerySyntaxError('unexpected character');
  const plain = findRunEnd(run, 0, false);
  if (plain === run.length) return { kind: operatorTokens.get(run) ?? 'term', text: run };
  if (run === '*') return { kind: 'star', text: run };
  const isPrefix = plain > 0 && plain === run.length - 1 && run.endsWith('*');
  return { kind: isPrefix ? 'prefix' : 'wildcard', text: run };
}

function readQuoted(text: string, from: number): LexedToken {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return { kind: 'quoted', text: text.slice(from, at + 1) };
  }
  throw new QuerySyntaxError('unbalanced quotes');
}

/**
 * Finds the end of a text between two equal signs. A sign after a backslash ends it only if no other sign does.
 * @returns the index of the closing sign, -1 if there is none
 */
function findClosingDelimiter(text: string, from: number): number {
  const delimiter = text.charAt(from);
  let end = -1;
  for (let at = text.indexOf(delimiter, from + 1); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    end = at;
    if (text.charAt(at - 1) !== '\\') break;
  }
  return end;
}

function readRegexp(text: string, from: number): LexedToken {
  const end = findClosingDelimiter(text, from);
  if (end < 0) throw new QuerySyntaxError('unbalanced slashes');
  return { kind: 'regexp', text: text.slice(from, end + 1) };
}

const numberPattern = /\d+(?:\.\d+)?/y;

function readNumber(text: string, from: number): LexedToken {
  numberPattern.lastIndex = from;
  const [digits] = numberPattern.exec(text) ?? [];
  if (digits === undefined) throw new QuerySyntaxError('a boost is a number');
  return { kind: 'number', text: digits };
}

function readToken(text: string, from: number): LexedToken {
  const character = text.charAt(from);
  if ((character === '+' || character === '-' || character === '!') && isSpace(text.charAt(from + 1))) {
    return { kind: 'bareSign', text: text.slice(from, from + 2) };
  }
  const kind = Object.hasOwn(singleCharacterTokens, character) ? singleCharacterTokens[character] : undefined;
  if (kind !== undefined) return { kind, text: character };
  if (character === '"') return readQuoted(text, from);
  if (character === '/') return readRegexp(text, from);
  if (character === '~') return { kind: 'tilde', text: text.slice(from, findRunEnd(text, from + 1, false)) };
  return readTerm(text, from);
}

const rangeTextPattern = /[^ \]}]+/y;

function readRangeText(text: string, from: number): string {
  rangeTextPattern.lastIndex = from;
  return rangeTextPattern.exec(text)?.[0] ?? '';
}

/** Reads a token inside a range: a text extends to a space or the end of the range, and may contain signs and tabs. */
function readRangeToken(text: string, from: number): LexedToken {
  const character = text.charAt(from);
  if (character === ']' || character === '}') return { kind: 'rangeClose', text: character };
  const plain = readRangeText(text, from);
  if (character === '"') {
    const quoted = text.slice(from, findClosingDelimiter(text, from) + 1);
    if (quoted.length > 2 && quoted.length >= plain.length) return { kind: 'rangeQuoted', text: quoted };
  }
  return { kind: plain === 'TO' ? 'to' : 'rangeText', text: plain };
}

type Mode = 'default' | 'boost' | 'range';

/** Checks for white space between tokens. Inside a range, a tab may begin a text. */
function isGap(text: string, at: number, mode: Mode): boolean {
  if (mode === 'boost' || !isSpace(text.charAt(at))) return false;
  return mode === 'default' || readRangeText(text, at).length <= 1;
}

const readers: Readonly<Record<Mode, (text: string, from: number) => LexedToken>> = {
  default: readToken,
  boost: readNumber,
  range: readRangeToken,
};

const nextModes: Partial<Record<TokenKind, Mode>> = {
  caret: 'boost',
  number: 'default',
  rangeOpen: 'range',
  rangeClose: 'default',
};

/**
 * Splits a query string into tokens.
 * @returns the tokens; the last is the end
 * @throws QuerySyntaxError for an unclosed quote or slash, or a caret without a number
 */
export function tokenize(text: string): LexedToken[] {
  const tokens: LexedToken[] = [];
  let mode: Mode = 'default';
  let at = 0;
  while (at < text.length) {
    if (isGap(text, at, mode)) {
      at += 1;
      continue;
    }
    const token = readers[mode](text, at);
    tokens.push(token);
    mode = nextModes[token.kind] ?? mode;
    at += token.text.length;
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}
