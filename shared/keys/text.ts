// Cleans the texts of cells: invisible characters, quotes and notes around a key, slips in URLs. Tells numbers, names and hosts apart.
import { maxCompanyNameLength } from '../limits.ts';
import { hasKnownEnding } from './host.ts';

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** The same, but for joiners between letters beyond ASCII, which may be part of an international host. */
const INVISIBLE_IN_URL =
  /(?!(?<=[^\0-\x7f])(?<=[\p{L}\p{M}])[\u200c\u200d](?![\0-\x7f])[\p{L}\p{M}])\p{Default_Ignorable_Code_Point}/gu;

/** Removes invisible characters and the spaces around a text. */
export const removeInvisible = (text: string): string => text.replace(INVISIBLE, '').trim();

/** A number that a spreadsheet has formatted: `4711.0`, `1.23457E+15`, `4,711`, `'4711`. */
const NUMBER = /^['’]?[-+]?\d[\d.,'’\s]*(?:e[-+]?\d+)?$/i;

/** Checks whether a text is a number, which is an id or no key at all. */
export const isNumber = (text: string): boolean => NUMBER.test(removeInvisible(text));

/** Longer texts hold no key. */
const MAX_LENGTH = 4096;

/** Brackets and quotes before a key; the same and punctuation behind it. */
const BEFORE = /^[\s<([{"'`´“”„‘’‚«»‹›]+/;
const BEHIND = /[\s>)\]}"'`´“”„‘’«»‹›.,;:!?…]/;
const BRACKET = /[()[\]{}]/;
const OPENING = /[([{]/;

/** A scheme with the slips that people make, once or twice: `https//`, `https:\\`, `http:`. */
const SCHEME = /^(?:https?[:;]?[/\\]{1,3}|https?:)+/i;
const HOST_WITH_PATH = /^(?:www\.|(?=[^\s/]*\/)[^\s/][^\s/.]*\.[^\s/])/i;
const HOST = /[^.]\.+[^.]+$/;

/** Finds where a note in brackets at the end of a text begins, such as " (new)"; -1 if there is none. */
function findNote(text: string, end: number): number {
  if (!BRACKET.test(text.charAt(end - 1)) || OPENING.test(text.charAt(end - 1))) return -1;
  let at = end - 2;
  while (at > 0 && !BRACKET.test(text.charAt(at))) at -= 1;
  return at > 0 && OPENING.test(text.charAt(at)) && /\s/.test(text.charAt(at - 1)) ? at - 1 : -1;
}

/** Removes the characters behind a key. A regular expression would take quadratic time. */
function removeBehind(text: string): string {
  let end = text.length;
  while (end > 0) {
    const note = findNote(text, end);
    if (note >= 0) end = note;
    else if (BEHIND.test(text.charAt(end - 1))) end -= 1;
    else break;
  }
  return text.slice(0, end);
}

/** Removes what people put around a key: invisible characters, quotes, brackets, punctuation and notes. */
export function removeWrapping(text: string): string {
  if (text.length > MAX_LENGTH) return text.trim();
  return removeBehind(text.replace(INVISIBLE_IN_URL, '').replace(BEFORE, ''));
}

/** A typed URL without its scheme. */
export interface TypedUrl {
  /** Host and path, with slashes that lean forward. */
  rest: string;
  /** It is a URL rather than a bare host: it has a scheme, `www.` or a path. */
  isUrl: boolean;
}

/** Reads a URL as people type it. */
export function readUrl(text: string): TypedUrl {
  const rest = text.replace(SCHEME, '').replace(/\\/g, '/').replace(/^\/\//, '');
  return { rest, isUrl: rest !== text || HOST_WITH_PATH.test(rest) };
}

/** Checks whether a text could be the name of a company: it has a letter and no part that looks like a host or an address. */
export function looksLikeName(text: string): boolean {
  return (
    text.length <= maxCompanyNameLength &&
    /\p{L}/u.test(text) &&
    !/:\/\/|[#?=]|\S[@＠﹫]|[@＠﹫]\S*\./.test(text) &&
    !text.split(/\s+/).some((word) => HOST.test(word) && hasKnownEnding(word.toLowerCase()))
  );
}
