// Lucene's standard analyzer: splits texts into lower-case words by Unicode's rules.
import { CLASS_COUNT, CLASS_RUNS, FIRST_ACCEPTING, TRANSITIONS } from './tables.ts';

/** A term and its position among the tokens of its text, from 0. */
export interface Token {
  term: string;
  position: number;
}

/** Maximum length of a token in UTF-16 units; a longer word is split. */
const MAX_TOKEN_LENGTH = 255;

const DEAD = 0;
const START = 1;
/** The row size of a state is a power of two, so that a shift finds the row. */
const ROW_BITS = Math.ceil(Math.log2(CLASS_COUNT));

function unpackClasses(): Uint8Array {
  const classes = new Uint8Array(0x110000);
  let from = 0;
  for (const [, name = '', length = '1'] of CLASS_RUNS.matchAll(/([@-Z])([0-9a-z]+)?/g)) {
    const to = from + Number.parseInt(length, 36);
    classes.fill(name.charCodeAt(0) - '@'.charCodeAt(0), from, to);
    from = to;
  }
  return classes;
}

function unpackTransitions(): Uint8Array {
  const transitions = new Uint8Array(TRANSITIONS.length << ROW_BITS);
  TRANSITIONS.forEach((row, state) => {
    for (let at = 0; at < row.length; at += 1) {
      transitions[(state << ROW_BITS) | at] = row.charCodeAt(at) - '0'.charCodeAt(0);
    }
  });
  return transitions;
}

const classes = unpackClasses();
const transitions = unpackTransitions();

/**
 * Lower-cases each code point separately, as Lucene's LowerCaseFilter does: the length never changes, and a sigma at the
 * end of a word is not special.
 * @param text any UTF-16, including lone surrogates.
 * @returns text of the same length in UTF-16 units.
 */
export function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase();
}

/**
 * Splits a text into lower-case tokens as the standard analyzer of Lucene 8 does: by Unicode Standard Annex 29, with a
 * Han or Hiragana character, an emoji or a run of a South-East Asian script as one token.
 * @param text any UTF-16; lone surrogates are in no token.
 * @returns the tokens in order; each has 1 to 255 UTF-16 units.
 */
export function analyze(text: string): Token[] {
  const lowered = lowerCase(text);
  const tokens: Token[] = [];
  const { length } = text;
  let start = 0;
  while (start < length) {
    // Finds the longest match within the limit, like Lucene's scanner with its buffer.
    const limit = Math.min(length, start + MAX_TOKEN_LENGTH);
    let state = START;
    let end = start;
    let at = start;
    while (at < limit) {
      let code = text.charCodeAt(at);
      at += 1;
      if ((code & 0xfc00) === 0xd800 && at < limit) {
        const low = text.charCodeAt(at);
        if ((low & 0xfc00) === 0xdc00) {
          code = ((code & 0x3ff) << 10) + (low & 0x3ff) + 0x10000;
          at += 1;
        }
      }
      state = transitions[(state << ROW_BITS) | (classes[code] ?? 0)] ?? DEAD;
      if (state === DEAD) break;
      if (state >= FIRST_ACCEPTING) end = at;
    }
    if (end > start) {
      tokens.push({ term: lowered.slice(start, end), position: tokens.length });
      start = end;
    } else {
      start += (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    }
  }
  return tokens;
}
