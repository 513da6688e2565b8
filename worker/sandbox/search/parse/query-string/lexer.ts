// The words and signs of a query string, told apart as Lucene's classic grammar does.

/** A text that the grammar does not take. Whoever asked for it names the whole query. */
export class QuerySyntaxError extends Error {
  override readonly name = 'SyntaxFault';
}

export type TokenKind =
  | 'and'
  | 'or'
  | 'not'
  | 'plus'
  | 'minus'
  /** `+`, `-` or `!` before a space: a text like any other. */
  | 'bareSign'
  | 'open'
  | 'close'
  | 'colon'
  | 'star'
  | 'caret'
  /** What follows a caret. */
  | 'number'
  /** A tilde with what stands right behind it. */
  | 'tilde'
  | 'quoted'
  | 'term'
  | 'prefix'
  | 'wildcard'
  | 'regexp'
  | 'rangeOpen'
  | 'rangeClose'
  /** `TO` between the ends of a range. */
  | 'to'
  | 'rangeQuoted'
  | 'rangeText'
  | 'end';

/** A piece of the query string; `text` is as it stands there, escapes, quotes and slashes included. */
export interface LexedToken {
  kind: TokenKind;
  text: string;
}

const SPACES = ' \t\n\r\u3000';
/** What cannot stand in a term without an escape; plus and minus can, except at its start. */
const SIGNS = '!():^[]"{}~*?\\/';

function isSpace(character: string): boolean {
  return character !== '' && SPACES.includes(character);
}

const single: Readonly<Record<string, TokenKind>> = {
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

const words = new Map<string, TokenKind>([
  ['AND', 'and'],
  ['&&', 'and'],
  ['OR', 'or'],
  ['||', 'or'],
  ['NOT', 'not'],
]);

/** Where a run of characters of terms ends, wildcards among them if asked for. */
function runEnd(text: string, from: number, wildcards: boolean): number {
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\\') {
      if (at + 1 >= text.length) break;
      at += 2;
    } else if (wildcards && (character === '*' || character === '?')) {
      at += 1;
    } else if (SPACES.includes(character) || SIGNS.includes(character)) {
      break;
    } else {
      at += 1;
    }
  }
  return at;
}

/** A term, or a pattern: whichever takes in more. */
function termToken(text: string, from: number): LexedToken {
  const run = text.slice(from, runEnd(text, from, true));
  if (run === '') throw new QuerySyntaxError('unexpected character');
  const plain = runEnd(run, 0, false);
  if (plain === run.length) return { kind: words.get(run) ?? 'term', text: run };
  if (run === '*') return { kind: 'star', text: run };
  const isPrefix = plain > 0 && plain === run.length - 1 && run.endsWith('*');
  return { kind: isPrefix ? 'prefix' : 'wildcard', text: run };
}

function quotedToken(text: string, from: number): LexedToken {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return { kind: 'quoted', text: text.slice(from, at + 1) };
  }
  throw new QuerySyntaxError('unbalanced quotes');
}

/**
 * Where a text between two equal signs ends. A sign behind a backslash ends it only if no other does.
 * @returns the place of the last sign, -1 where there is none
 */
function closingSign(text: string, from: number): number {
  const sign = text.charAt(from);
  let end = -1;
  for (let at = text.indexOf(sign, from + 1); at >= 0; at = text.indexOf(sign, at + 1)) {
    end = at;
    if (text.charAt(at - 1) !== '\\') break;
  }
  return end;
}

function regexpToken(text: string, from: number): LexedToken {
  const end = closingSign(text, from);
  if (end < 0) throw new QuerySyntaxError('unbalanced slashes');
  return { kind: 'regexp', text: text.slice(from, end + 1) };
}

const boost = /\d+(?:\.\d+)?/y;

function numberToken(text: string, from: number): LexedToken {
  boost.lastIndex = from;
  const [found] = boost.exec(text) ?? [];
  if (found === undefined) throw new QuerySyntaxError('a boost is a number');
  return { kind: 'number', text: found };
}

function nextToken(text: string, from: number): LexedToken {
  const character = text.charAt(from);
  if ((character === '+' || character === '-' || character === '!') && isSpace(text.charAt(from + 1))) {
    return { kind: 'bareSign', text: text.slice(from, from + 2) };
  }
  const kind = Object.hasOwn(single, character) ? single[character] : undefined;
  if (kind !== undefined) return { kind, text: character };
  if (character === '"') return quotedToken(text, from);
  if (character === '/') return regexpToken(text, from);
  if (character === '~') return { kind: 'tilde', text: text.slice(from, runEnd(text, from + 1, false)) };
  return termToken(text, from);
}

const rangeText = /[^ \]}]+/y;

function rangeTextAt(text: string, from: number): string {
  rangeText.lastIndex = from;
  return rangeText.exec(text)?.[0] ?? '';
}

/** Inside a range everything up to a space or an end is a text, signs and tabs within it included. */
function rangeToken(text: string, from: number): LexedToken {
  const character = text.charAt(from);
  if (character === ']' || character === '}') return { kind: 'rangeClose', text: character };
  const plain = rangeTextAt(text, from);
  if (character === '"') {
    const quoted = text.slice(from, closingSign(text, from) + 1);
    if (quoted.length > 2 && quoted.length >= plain.length) return { kind: 'rangeQuoted', text: quoted };
  }
  return { kind: plain === 'TO' ? 'to' : 'rangeText', text: plain };
}

type Mode = 'default' | 'boost' | 'range';

/** Whether nothing but a space stands there: inside a range, a tab may begin a text. */
function isGap(text: string, at: number, mode: Mode): boolean {
  if (mode === 'boost' || !isSpace(text.charAt(at))) return false;
  return mode === 'default' || rangeTextAt(text, at).length <= 1;
}

const read: Readonly<Record<Mode, (text: string, from: number) => LexedToken>> = {
  default: nextToken,
  boost: numberToken,
  range: rangeToken,
};

/** What tokens are told apart by from here on. */
const modeAfter: Partial<Record<TokenKind, Mode>> = {
  caret: 'boost',
  number: 'default',
  rangeOpen: 'range',
  rangeClose: 'default',
};

/**
 * Splits a query string.
 * @returns the tokens, the last of them the end
 * @throws SyntaxFault for a text that has no tokens: a quote or slash that nothing closes, a caret without a number
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
    const token = read[mode](text, at);
    tokens.push(token);
    mode = modeAfter[token.kind] ?? mode;
    at += token.text.length;
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}
