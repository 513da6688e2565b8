// The standard analyzer: words by the rules of Unicode, in small letters, equal to Lucene's and the same in every runtime.
import { CLASS_COUNT, CLASS_RUNS, FIRST_ACCEPTING, TRANSITIONS } from './tables.ts';

/** A word and its place among the words of its text, counted from 0. */
export interface Token {
  term: string;
  position: number;
}

/** Longest token in UTF-16 units; a longer word goes on as further tokens. */
const MAX_TOKEN_LENGTH = 255;

const DEAD = 0;
const START = 1;
/** Size of a state's row of transitions: a power of two, so that its place is a shift. */
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
 * Lower-cases each code point by itself, as Lucene's LowerCaseFilter does: no letter changes the text's length, and a
 * sigma at a word's end is like any other.
 * @param text any UTF-16, lone surrogates included.
 * @returns text of the same length in UTF-16 units.
 */
export function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase();
}

/**
 * Splits a text into lower-cased words as the standard analyzer of Lucene 8 and Elasticsearch does (Unicode Standard
 * Annex 29, with a Han or Hiragana character, an emoji or a run of a South-East Asian script as a token of its own).
 * @param text any UTF-16; lone surrogates are in no word.
 * @returns the tokens in order, none empty or longer than 255 UTF-16 units.
 */
export function analyze(text: string): Token[] {
  const lowered = lowerCase(text);
  const tokens: Token[] = [];
  const { length } = text;
  let start = 0;
  while (start < length) {
    // The longest match that starts here and ends within the limit, as a scanner with a buffer of that size sees it.
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
