// What depends on the spreadsheet's locale: separators of formulas, and the texts of unfinished and failed cells.
import { isSheetsError } from '../../../lib/cell-errors.ts';
import type { Check, CheckContext } from '../check.ts';
import { tryOut } from '../check.ts';
import { evaluateOne, isLoading, probe, quote, readCells, whileRunning } from '../formulas.ts';

/** Decimal points and commas, and languages with different words for errors. */
const LOCALES = ['en_US', 'de_DE', 'es_ES', 'ja_JP', 'ru_RU'];

const SEPARATORS: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon' };

/** Runs a step in each locale and joins what it finds. */
function inLocales(
  { spreadsheet, sheet }: CheckContext,
  locales: readonly string[],
  find: (locale: string) => string,
): string {
  const before = spreadsheet.getSpreadsheetLocale();
  try {
    return locales
      .map((locale) => {
        sheet.clear();
        spreadsheet.setSpreadsheetLocale(locale);
        SpreadsheetApp.flush();
        return `${locale}: ${find(locale)}`;
      })
      .join('; ');
  } finally {
    spreadsheet.setSpreadsheetLocale(before);
  }
}

/** Tells whether each locale has one of the findings. */
const inEach =
  (pattern: RegExp) =>
  (found: string): boolean =>
    found.split('; ').length > 0 && found.split('; ').every((part) => pattern.test(part));

const describeTwo = (context: CheckContext, locale: string): string =>
  evaluateOne(context, probe('describe', quote('a'), quote(`${context.nonce} ${locale}`)));

export const LOCALE_CHECKS: readonly Check[] = [
  {
    id: 'semicolons',
    expected: 'setFormula() accepts semicolons between arguments in every locale',
    accepted: inEach(/: accepted$/),
    find: (context) =>
      inLocales(context, LOCALES, (locale) =>
        describeTwo(context, locale) === `string a; string ${context.nonce} ${locale}`
          ? 'accepted'
          : 'refused',
      ),
  },
  {
    id: 'read-separators',
    expected: 'getFormulas() returns commas or semicolons, and setFormulas() accepts them',
    accepted: inEach(/: (?:comma|semicolon) accepted$/),
    find: (context) =>
      inLocales(context, LOCALES, (locale) => {
        const value = describeTwo(context, locale);
        const formula = context.sheet.getRange('A1').getFormula();
        context.sheet.clear();
        const again = evaluateOne(context, formula);
        const [, separator = ''] = /"a" ?(.)/.exec(formula) ?? [];
        return `${SEPARATORS[separator] ?? 'neither'} ${again === value ? 'accepted' : 'refused'}`;
      }),
  },
  {
    id: 'decimal-comma',
    expected: 'with a decimal comma, setFormula() does not accept a comma between arguments, or it does',
    accepted: inEach(/: (?:accepted|refused)$/),
    find: (context) =>
      inLocales(context, ['de_DE'], (locale) => {
        const formula = probe('describe', quote('a'), quote(`${context.nonce} comma ${locale}`)).replace(
          /;/g,
          ',',
        );
        const range = context.sheet.getRange('A1');
        if (tryOut(() => range.setFormula(formula)) === 'refused') return 'refused';
        const value = context.waitFor(
          () => readCells(context, 1)[0]?.[0],
          (shown) => shown !== '' && !isLoading(shown),
        );
        return value === `string a; string ${context.nonce} comma ${locale}` ? 'accepted' : 'refused';
      }),
  },
  {
    id: 'constant-if',
    expected: 'IF with a constant condition shows its first branch in one cell, or an error',
    accepted: inEach(/: (?:first branch only|error)$/),
    find: (context) =>
      inLocales(context, LOCALES, (locale) => {
        const call = probe('list', quote(`${context.nonce} if ${locale}`)).slice(1);
        const value = evaluateOne(context, `=IF(1;"#PENDING";${call})`);
        if (isSheetsError(value)) return 'error';
        const others = readCells(context, 3).slice(1).flat();
        return value === '#PENDING' && others.every((cell) => cell === '') ? 'first branch only' : 'more';
      }),
  },
  {
    id: 'placeholder-shapes',
    expected: 'loading and error cells have the shapes that Freeze recognises, in every language',
    accepted: inEach(/ \(recognised\)$/),
    find: (context) =>
      inLocales(context, LOCALES, (locale) => {
        const read = (): string => String(readCells(context, 1)[0]?.[0]);
        const loading = whileRunning(context, `${context.nonce} ${locale}`, read);
        context.sheet.clear();
        const error = evaluateOne(context, probe('fail', quote(`${context.nonce} ${locale}`)));
        const recognised = isLoading(loading) && isSheetsError(error);
        return `${loading} ${error} (${recognised ? 'recognised' : 'not recognised'})`;
      }),
  },
];
