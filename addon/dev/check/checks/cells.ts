// What becomes of texts that a script sets in cells.

import { maxCellLength } from '../../../../shared/table/cells.ts';
import type { Check, CheckContext } from '../check.ts';
import { tryOut } from '../check.ts';

/** Describes what a cell has become: a formula, a text or another type. */
function describeCell(range: GoogleAppsScript.Spreadsheet.Range, text: string): string {
  SpreadsheetApp.flush();
  if (range.getFormula() !== '') return `${text} becomes a formula`;
  const value: unknown = range.getValue();
  if (typeof value !== 'string') return `${text} becomes a ${typeof value}`;
  return value === text ? `${text} stays text` : `${text} becomes another text`;
}

const LIKE_FORMULAS_AND_NUMBERS = ['=1+1', '00123', '+49123'];

function describeTexts(
  { sheet }: CheckContext,
  texts: readonly string[],
  set: (range: GoogleAppsScript.Spreadsheet.Range, text: string) => void,
): string {
  return texts
    .map((text, at) => {
      const range = sheet.getRange(at + 1, 1);
      set(range, text);
      return describeCell(range, text);
    })
    .join('; ');
}

const STAY = LIKE_FORMULAS_AND_NUMBERS.map((text) => `${text} stays text`).join('; ');

export const CELL_CHECKS: readonly Check[] = [
  {
    id: 'typed-texts',
    expected: 'setValue() parses texts like typed input',
    accepted: ['=1+1 becomes a formula; 00123 becomes a number; +49123 becomes a number'],
    find: (context) =>
      describeTexts(context, LIKE_FORMULAS_AND_NUMBERS, (range, text) => void range.setValue(text)),
  },
  {
    id: 'apostrophes',
    expected: 'a text that is set after an apostrophe stays text, without the apostrophe',
    accepted: [STAY],
    find: (context) =>
      describeTexts(context, LIKE_FORMULAS_AND_NUMBERS, (range, text) => void range.setValue(`'${text}`)),
  },
  {
    id: 'plain-text-cells',
    expected: 'in cells for plain text, a text like a number stays text; one like a formula may run',
    accepted: ['00123 stays text; =1+1 stays text', '00123 stays text; =1+1 becomes a formula'],
    find: (context) =>
      describeTexts(
        context,
        ['00123', '=1+1'],
        (range, text) => void range.setNumberFormat('@').setValue(text),
      ),
  },
  {
    id: 'plain-text-later',
    expected: 'a text that was set after an apostrophe stays text when its cell becomes plain text',
    accepted: (found) => !found.includes('formula') && !found.includes('number'),
    find: (context) =>
      describeTexts(
        context,
        LIKE_FORMULAS_AND_NUMBERS,
        (range, text) => void range.setValue(`'${text}`).setNumberFormat('@'),
      ),
  },
  {
    id: 'rich-texts',
    expected: 'setRichTextValue() keeps a text or parses it like typed input',
    accepted: (found) => found.split('; ').length === LIKE_FORMULAS_AND_NUMBERS.length,
    find: (context) =>
      describeTexts(
        context,
        LIKE_FORMULAS_AND_NUMBERS,
        (range, text) => void range.setRichTextValue(SpreadsheetApp.newRichTextValue().setText(text).build()),
      ),
  },
  {
    id: 'links',
    expected: 'a link that is set as rich text is read back, and its text is unchanged',
    accepted: ['read back; Acme stays text'],
    find: ({ sheet }) => {
      const link = 'https://example.com/';
      const range = sheet.getRange(1, 1);
      range.setRichTextValue(SpreadsheetApp.newRichTextValue().setText('Acme').setLinkUrl(link).build());
      const text = describeCell(range, 'Acme');
      const read = range.getRichTextValue()?.getLinkUrl();
      return `${read === link ? 'read back' : 'not read back'}; ${text}`;
    },
  },
  {
    id: 'empty-formulas',
    expected: 'setFormulas() with an empty text empties the cell, or keeps its formula',
    accepted: ['empties', 'keeps the formula'],
    find: ({ sheet }) => {
      const range = sheet.getRange(1, 1);
      range.setFormula('=1+1').setFormulas([['']]);
      SpreadsheetApp.flush();
      if (range.getFormula() !== '') return 'keeps the formula';
      return range.getValue() === '' ? 'empties' : 'keeps the value';
    },
  },
  {
    id: 'cell-length',
    expected: `a cell holds ${maxCellLength} characters`,
    accepted: ['50000: accepted; 50001: refused'],
    find: ({ sheet }) =>
      [maxCellLength, maxCellLength + 1]
        .map((length) => {
          const outcome = tryOut(() => {
            sheet.getRange(1, 1).setValue('x'.repeat(length));
            SpreadsheetApp.flush();
          });
          return `${length}: ${outcome}`;
        })
        .join('; '),
  },
];
