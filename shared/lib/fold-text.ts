// Folds letters: case, accents, and letters that people without such a keyboard type as others.

/** Marks are accents on letters of these scripts, and vowels or parts of letters in others, such as バ and टा. */
const ACCENTED =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])(\p{M}+)/gu;

const BREVE = '\u0306';

/** Letters that do not decompose into a base letter and an accent, and letters that are typed for each other. */
const letters: Readonly<Record<string, string>> = {
  ...{
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ł: 'l',
    ı: 'i',
    ħ: 'h',
    ŧ: 't',
    ŋ: 'n',
    ə: 'e',
  },
  ...{ ς: 'σ', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ـ: '' },
};
const LETTERS = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');

/** Letters that German and Nordic names also write with two letters. */
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const DIGRAPHS = /[äöüåø]/gu;

/** Zeros of scripts with other digits. */
const ZEROS = Array.from('٠۰०০੦૦௦౦೦๐០၀', (zero) => zero.codePointAt(0) ?? 0);

function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((each) => code >= each && code < each + 10);
  return zero === undefined ? digit : String(code - zero);
}

/** Puts a text into small letters without accents, with ASCII digits: `Łódź 2` becomes `lodz 2`. й is a separate letter. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ACCENTED, (_, letter: string, marks: string) =>
      /и/i.test(letter) && marks.startsWith(BREVE) ? letter + BREVE : letter,
    )
    .toLowerCase()
    .replace(/\p{Nd}/gu, toAsciiDigit)
    .replace(LETTERS, (letter) => letters[letter] ?? letter)
    .normalize('NFC');
}

/** Folds a text with two letters in place of umlauts: `Müller` becomes `mueller`, and `Skagen Brød` `skagen broed`. */
export const foldDigraphs = (text: string): string =>
  foldText(
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(DIGRAPHS, (letter) => digraphs[letter] ?? letter),
  );

/** Folds a text to its letters and digits: `A/S` and `a.s.` become `as`. */
export const foldToKey = (text: string): string => foldText(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
