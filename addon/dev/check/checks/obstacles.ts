// What may be in the way of a write: protected ranges, merged cells, rules for values, tables, smart chips, filter views.
import type { Check, CheckContext, Measurement } from '../check.ts';
import { tryOut } from '../check.ts';

/** Scripts can't create tables, smart chips and filter views, so a person does: docs/google-assumptions.md has the steps. */
const BY_HAND = 'By hand';

/** Looks at the sheet that a person has prepared. */
function findByHand(
  { spreadsheet }: CheckContext,
  look: (sheet: GoogleAppsScript.Spreadsheet.Sheet) => string,
): string | Measurement {
  const sheet = spreadsheet.getSheetByName(BY_HAND);
  return sheet === null ? { measured: `not tried: there is no sheet “${BY_HAND}”` } : look(sheet);
}

/** Sets a cell and describes whether Sheets took it. */
function describeWrite(range: GoogleAppsScript.Spreadsheet.Range, value: string | number): string {
  const outcome = tryOut(() => {
    range.setValue(value);
    SpreadsheetApp.flush();
  });
  if (outcome === 'refused') return outcome;
  return String(range.getValue()) === String(value) ? 'written' : 'changed';
}

export const OBSTACLE_CHECKS: readonly Check[] = [
  {
    id: 'protected-ranges',
    expected: 'a protected range is listed with its address, and the person who protected it may edit it',
    accepted: ['A1:B2, may be edited'],
    find: ({ sheet }) => {
      sheet.getRange('A1:B2').protect();
      const listed = sheet.getProtections(SpreadsheetApp.ProtectionType.RANGE);
      const found = listed.map(
        (each) => `${each.getRange().getA1Notation()}, ${each.canEdit() ? 'may be edited' : 'locked'}`,
      );
      for (const each of listed) each.remove();
      return found.join('; ');
    },
  },
  {
    id: 'merged-cells',
    expected: 'merged cells are found from any of their cells',
    accepted: ['A1:B2'],
    find: ({ sheet }) => {
      const range = sheet.getRange('A1:B2').merge();
      const found = sheet.getRange('B2:B9').getMergedRanges();
      range.breakApart();
      return found.map((each) => each.getA1Notation()).join('; ');
    },
  },
  {
    id: 'data-validation',
    expected: 'a rule that refuses other values is found; scripts’ values are refused, too, or accepted',
    accepted: ['found; another value: refused', 'found; another value: written'],
    find: ({ sheet }) => {
      const range = sheet.getRange('A1');
      const rule = SpreadsheetApp.newDataValidation().requireValueInList(['yes']).setAllowInvalid(false);
      range.setDataValidation(rule.build());
      const [[read] = []] = range.getDataValidations();
      const found = read?.getAllowInvalid() === false ? 'found' : 'not found';
      const written = describeWrite(range, 'other');
      range.setDataValidation(null);
      return `${found}; another value: ${written}`;
    },
  },
  {
    id: 'table-columns',
    expected: 'a text in a number column of a table is refused, or kept and marked',
    accepted: ['refused', 'written'],
    find: (context) => findByHand(context, (sheet) => describeWrite(sheet.getRange('B2'), 'text')),
  },
  {
    id: 'smart-chips',
    expected: 'a smart chip is read as a text, which replaces it when it is written back',
    accepted: ['a text, written'],
    find: (context) =>
      findByHand(context, (sheet) => {
        const range = sheet.getRange('D1');
        const value: unknown = range.getValue();
        return typeof value === 'string' && value !== ''
          ? `a text, ${describeWrite(range, value)}`
          : `a ${typeof value}`;
      }),
  },
  {
    id: 'filter-views',
    expected: 'cells of rows that a filter view hides are written',
    accepted: ['written'],
    find: (context) => findByHand(context, (sheet) => describeWrite(sheet.getRange('F2'), 'hidden')),
  },
];
