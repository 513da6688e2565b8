// What depends on a spreadsheet's locale: separators of formulas and numbers, and the texts of unfinished and failed cells.

/** Texts that Sheets shows instead of a result. */
interface CellTexts {
  readonly loading: string;
  readonly error: string;
  /** The result would overwrite other cells. */
  readonly blocked: string;
}

const ENGLISH: CellTexts = { loading: 'Loading...', error: '#ERROR!', blocked: '#REF!' };

/** Google documents no list; these have the shapes that docs/google-assumptions.md describes. */
const TEXTS: Readonly<Record<string, CellTexts>> = {
  de: { loading: 'Wird geladen…', error: '#FEHLER!', blocked: '#BEZUG!' },
  es: { loading: 'Cargando...', error: '#¡ERROR!', blocked: '#¡REF!' },
  ja: { loading: '読み込んでいます…', error: '#ERROR!', blocked: '#REF!' },
  ru: { loading: 'Загрузка…', error: '#ОШИБКА!', blocked: '#ССЫЛКА!' },
};

/** Returns the texts of unfinished and failed cells. @param locale - such as de_DE */
export const getCellTexts = (locale: string): CellTexts => TEXTS[locale.slice(0, 2)] ?? ENGLISH;

/** Tells whether the engine knows a locale. @param locale - such as de_DE or de */
export function isKnownLocale(locale: string): boolean {
  const tag = locale.replace('_', '-');
  return /^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(tag) && Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
}

/** Locales with and without a decimal comma: creating a number format takes longer than writing a cell. */
const decimalCommas = new Map<string, boolean>();

export function hasDecimalComma(locale: string): boolean {
  const known = decimalCommas.get(locale);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat(locale.replace('_', '-')).formatToParts(1.5);
  const hasComma = parts.some(({ type, value }) => type === 'decimal' && value === ',');
  decimalCommas.set(locale, hasComma);
  return hasComma;
}

const QUOTED = /"(?:[^"]|"")*"|'(?:[^']|'')*'/g;

/** Creates a function that replaces separators outside texts and array literals. */
function replaceSeparators(separator: string, by: string): (formula: string) => string {
  const pattern = new RegExp(`${QUOTED.source}|\\{[^}]*\\}|(${separator})`, 'g');
  return (formula) => formula.replace(pattern, (match, found?: string) => (found === undefined ? match : by));
}

const replaceSemicolons = replaceSeparators(';', ',');
const replaceCommas = replaceSeparators(',', ';');
const replaceDecimalCommas = replaceSeparators('(?<=\\d),(?=\\d)', '.');
const replaceDecimalPoints = replaceSeparators('(?<=\\d)\\.(?=\\d)', ',');

/**
 * Returns a formula as Sheets keeps it. Semicolons separate arguments in every locale; with a decimal point, Sheets
 * replaces them by commas (https://github.com/axemonk/Spreadsheet-Formula/issues/19).
 */
export function toSheetFormula(formula: string, locale: string): string {
  return hasDecimalComma(locale) ? formula : replaceSemicolons(formula);
}

/** Returns a formula with decimal points. @param locale - of the formula */
export function toDecimalPoints(formula: string, locale: string): string {
  return hasDecimalComma(locale) ? replaceDecimalCommas(formula) : formula;
}

/** Translates a formula that Sheets keeps, when the spreadsheet's locale changes. Array literals are not translated. */
export function translateFormula(formula: string, from: string, to: string): string {
  if (hasDecimalComma(from) === hasDecimalComma(to)) return formula;
  if (!hasDecimalComma(to)) return toSheetFormula(toDecimalPoints(formula, from), to);
  return replaceDecimalPoints(replaceCommas(formula));
}

/**
 * Tells whether Sheets can't parse a formula because of a comma. With a decimal comma, a comma is part of a number
 * (https://github.com/bradjasper/ImportJSON/issues/66). Other mistakes are not found.
 */
export function hasWrongSeparator(formula: string, locale: string): boolean {
  return hasDecimalComma(locale) && /(?<!\d),|,(?!\d)/.test(formula.replace(QUOTED, '""'));
}
