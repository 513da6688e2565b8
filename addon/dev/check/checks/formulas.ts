// How Sheets calls custom functions: when, with which arguments, and what becomes of the results.
import type { Check } from '../check.ts';
import { ask, evaluate, probe, quote, readCells, whileRunning } from '../formulas.ts';

const LARGE = 1000;

export const FORMULA_CHECKS: readonly Check[] = [
  {
    id: 'long-results',
    expected: 'a result that is longer than the sheet is an error in its cell, or adds rows',
    accepted: ['an error', 'adds rows'],
    find: (context) => {
      const rows = context.sheet.getMaxRows();
      const shown = ask(context, 'rows', String(rows + 1));
      if (shown.startsWith('#')) return 'an error';
      return context.sheet.getMaxRows() > rows ? 'adds rows' : 'cut';
    },
  },
  {
    id: 'large-arguments',
    expected: `a formula takes a range of ${LARGE} cells`,
    accepted: [String(LARGE)],
    find: (context) => {
      const cells = Array.from({ length: LARGE }, (_, at) => [`text ${at}`]);
      context.sheet.getRange(1, 3, LARGE, 1).setValues(cells);
      return ask(context, 'count', `C1:C${LARGE}`);
    },
  },
  {
    id: 'changed-argument',
    expected: 'a formula runs again when an argument changes',
    accepted: ['runs again'],
    find: (context) => {
      const [first, second] = ['1', '2'].map((number) => ask(context, 'random', number));
      return first === second ? 'does not run again' : 'runs again';
    },
  },
  {
    id: 'seen-argument',
    expected: 'for arguments that it has seen before, a formula shows its last result or runs again',
    accepted: ['shows the last result', 'runs again'],
    find: (context) => {
      const [first, , third] = ['3', '4', '3'].map((number) => ask(context, 'random', number));
      return first === third ? 'shows the last result' : 'runs again';
    },
  },
  {
    id: 'fresh-script',
    expected: 'each execution of a formula evaluates the script anew',
    accepted: ['evaluated anew', 'evaluated once'],
    find: (context) => {
      const [first, second] = evaluate(
        context,
        ['1', '2'].map((number) => probe('loaded', quote(context.nonce), number)),
      );
      return first === second ? 'evaluated once' : 'evaluated anew';
    },
  },
  {
    id: 'formula-arguments',
    expected: 'a cell is its value, an empty cell an empty text, a range rows of cells, a date a date',
    accepted: ['number 1; an empty text; rows [rows [number 1], rows [string two]]; a date'],
    find: (context) => {
      const { sheet, nonce } = context;
      sheet.getRange('C1:C4').setValues([[1], ['two'], [''], [new Date(0)]]);
      const found = ask(context, 'describe', 'C1', 'C3', 'C1:C2', 'C4');
      return found.replace(`; string ${nonce}`, '');
    },
  },
  {
    id: 'empty-arguments',
    expected: 'an empty argument is undefined, null or an empty text',
    accepted: ['undefined', 'null', 'an empty text'],
    find: (context) => {
      const found = ask(context, 'describe', '');
      return found.replace(`; string ${context.nonce}`, '');
    },
  },
  {
    id: 'formula-results',
    expected: 'a text stays text if it looks like a formula or a number; a list fills a column',
    accepted: ['=1+1 and 00123 stay texts; a list fills a column'],
    find: (context) => {
      const { nonce } = context;
      const texts = evaluate(
        context,
        ['=1+1', '00123'].map((text) => probe('text', quote(text), quote(nonce))),
      );
      context.sheet.clear();
      evaluate(context, [probe('list', quote(nonce))]);
      const list = readCells(context, 3).map(([value]) => value);
      const stay = texts.join() === '=1+1,00123' && texts.every((value) => typeof value === 'string');
      const fills = list.join() === '1,,3';
      return `=1+1 and 00123 ${stay ? 'stay texts' : `become ${texts.join(' and ')}`}; a list ${fills ? 'fills a column' : `becomes ${list.join()}`}`;
    },
  },
  {
    id: 'own-cell',
    expected: 'a formula that is one call shows loading and errors only in its own cell',
    accepted: ['only its own cell'],
    find: (context) => {
      const countOthers = (): number =>
        readCells(context, 2, 2)
          .flat()
          .filter((value) => value !== '').length - 1;
      const loading = whileRunning(context, `${context.nonce} own`, countOthers);
      context.sheet.clear();
      ask(context, 'fail');
      return loading === 0 && countOthers() === 0 ? 'only its own cell' : 'other cells, too';
    },
  },
  {
    id: 'formula-services',
    expected:
      'formulas may use cache, lock, properties, Utilities, UrlFetchApp, and may read the spreadsheet',
    accepted: ['all'],
    find: (context) => ask(context, 'services'),
  },
  {
    id: 'formula-cell',
    expected: 'the active range of a formula is its own cell, with the text of the formula',
    accepted: ['A1 with its formula and A2 with its formula'],
    find: (context) =>
      evaluate(
        context,
        ['1', '2'].map((number) => probe('cell', quote(context.nonce), number)),
      ).join(' and '),
  },
  {
    id: 'formula-read-only',
    expected: 'formulas may neither write cells nor open the user interface',
    accepted: ['write: refused; user interface: refused'],
    find: (context) => {
      const [write, ui] = evaluate(context, [
        probe('write', quote(context.nonce)),
        probe('ui', quote(context.nonce)),
      ]);
      return `write: ${String(write)}; user interface: ${String(ui)}`;
    },
  },
];
