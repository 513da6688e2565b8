// Converts hosts to ASCII as browsers do: UTS 46 without transitional processing, https://www.unicode.org/reports/tr46.
// Apps Script has no URL; a test compares the results with those of URL.
import { toASCII } from 'punycode/punycode.es6.js';
import { createDigestSet } from './digest-set.ts';
import { topLevelDigests } from './known-hosts.ts';

/** Code points that UTS 46 reads as full stops. */
const FULL_STOPS = /[．。｡]/g;
const JOINERS = /[\u200c\u200d]/g;
/** People can't see them. Browsers ignore some and reject the others. */
const IGNORED = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu;

/** Code points whose case folding differs from their lower case. */
const FOLDED = /[\u0345\u03f2\u1c80-\u1c88\u1f80-\u1ffc\u{1d6d3}\u{1d70d}\u{1d747}\u{1d781}\u{1d7bb}]/gu;
/** Cherokee folds to its upper case. */
const CHEROKEE = /[\u13f8-\u13fd\uab70-\uabbf]/g;
/** Controls, spaces, code points without a character, full stops inside a compatibility character, and disallowed signs. */
const DISALLOWED = /[\p{C}\p{Z}。\u2ff0-\u2fff\u31ef\ufffc\ufffd]/u;

/** Maps one code point after the other: lower-casing a whole text would change a sigma at the end of a word. */
const toLowerCase = (text: string): string => [...text].map((sign) => sign.toLowerCase()).join('');

/** Maps a host. Returns '' if a code point is disallowed. */
function mapHost(host: string): string {
  const folded = host
    .replace(FOLDED, (sign) => sign.normalize('NFKC').toUpperCase().toLowerCase())
    .normalize('NFKC');
  const mapped = toLowerCase(folded)
    .replace(CHEROKEE, (sign) => sign.toUpperCase())
    .normalize('NFC');
  const hasNewDots = mapped.split('.').length > host.split('.').length;
  return hasNewDots || DISALLOWED.test(mapped.replace(JOINERS, '')) ? '' : mapped;
}

/** Arabic letters that join the next letter, and those that join the previous one, with marks between them. */
const JOINS_NEXT =
  /(?![آأؤإاةدذرزوٱ-ٳٵ-ٷڈ-ڙۀۃ-ۋۍۏےۓەۮۯ])[\u0620-\u064a\u066e-\u06d5\u06fa-\u06ff\u0750-\u077f]\p{Mn}*$/u;
const JOINS_PREVIOUS = /^\p{Mn}*(?![ءٴ])[\u0620-\u064a\u066e-\u06d5\u06ee-\u06ff\u0750-\u077f]/u;

/** Checks whether a mark is a virama: its combining class, 9, is between those of U+3099 and U+05B0. */
const isVirama = (mark: string): boolean =>
  `${mark}\u3099`.normalize('NFD') === `\u3099${mark}` &&
  `\u05b0${mark}`.normalize('NFD') === `${mark}\u05b0`;

/** Removes joiners that change nothing visible. Others stay after a virama and between joining letters (RFC 5892, A.1, A.2). */
function removeUselessJoiners(host: string): string {
  return host.replace(JOINERS, (joiner, at: number) => {
    const before = host.slice(0, at);
    const isUseful =
      isVirama([...before].pop() ?? '') ||
      (joiner === '\u200c' && JOINS_NEXT.test(before) && JOINS_PREVIOUS.test(host.slice(at + 1)));
    return isUseful ? joiner : '';
  });
}

/** Classes of RFC 5893: right-to-left letters, Arabic digits, other digits, left-to-right letters. */
const RTL =
  '(?![\\p{M}\\p{S}\\u0600-\\u060f\\u0660-\\u066c\\u06dd\\u06f0-\\u06f9])[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';
const ARABIC_DIGIT = '[\\u0660-\\u0669\\u066b\\u066c]';
const DIGIT = '[0-9\\u06f0-\\u06f9]';
const LTR = `(?!${RTL})[\\p{L}\\p{Mc}\\p{Nl}]`;
const HAS_RTL = new RegExp(`${RTL}|${ARABIC_DIGIT}`, 'u');
/** RFC 5893, 2. */
const BIDI_LABEL = new RegExp(
  `^(?:(?=${RTL})(?!.*${LTR})(?!.*${DIGIT}.*${ARABIC_DIGIT}|.*${ARABIC_DIGIT}.*${DIGIT}).*(?:${RTL}|${ARABIC_DIGIT}|${DIGIT})\\p{Mn}*` +
    `|(?=${LTR})(?!.*(?:${RTL}|${ARABIC_DIGIT})).*(?:${LTR}|${DIGIT})\\p{Mn}*)$`,
  'u',
);

/** Checks the labels of a mapped host: none starts with a mark, and each has one direction if one is right-to-left. */
const hasValidLabels = (labels: readonly string[]): boolean =>
  labels.every((label) => !/^\p{M}/u.test(label)) &&
  (!labels.some((label) => HAS_RTL.test(label)) || labels.every((label) => BIDI_LABEL.test(label)));

/**
 * Converts a host to lower-case ASCII. Invisible code points are removed, also those that browsers reject.
 * @returns '' for a host that browsers reject. Lengths and ASCII characters are not checked
 */
export function toAsciiHost(host: string): string {
  const lower = host.toLowerCase();
  if (!/[^\0-\x7f]/.test(lower)) return lower;
  const mapped = removeUselessJoiners(mapHost(host.replace(IGNORED, '').replace(FULL_STOPS, '.')));
  if (!hasValidLabels(mapped.split('.'))) return '';
  try {
    return toASCII(mapped);
  } catch {
    return '';
  }
}

const isTopLevelDomain = createDigestSet(topLevelDigests);

/** Checks whether a host ends in a known top-level domain, or one that is reserved for documentation or tests. */
export const hasKnownEnding = (host: string): boolean =>
  isTopLevelDomain(host.slice(host.lastIndexOf('.') + 1));
