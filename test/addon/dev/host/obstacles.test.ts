// Merged cells, protections and rules for values that scripts set.
import { expect, test } from 'vitest';
import { createHost, runAsMenu, SHEET } from './host.ts';

const workbook = {
  id: 'b',
  name: 'B',
  sheets: [
    {
      id: 1,
      name: 'S',
      values: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  ],
};

const RULE = `SpreadsheetApp.newDataValidation().requireValueInList(['yes', 'no'])`;

test('merge keeps the first value and is found, until it is broken apart', async () => {
  const body = `${SHEET}
    sheet.getRange('A1:B2').merge();
    const merged = sheet.getRange('B2:B9').getMergedRanges().map((range) => range.getA1Notation());
    const values = sheet.getRange('A1:B2').getValues();
    sheet.getRange('A1').breakApart();
    return [merged, values, sheet.getRange('A1:B2').getMergedRanges().length];`;
  const kept = [
    ['a', ''],
    ['', ''],
  ];
  expect(await runAsMenu(body, { workbook })).toEqual([['A1:B2'], kept, 0]);
});

test('protect leaves the user an editor, and remove ends it', async () => {
  const body = `${SHEET}
    sheet.getRange('A1:B2').protect();
    const list = () => sheet.getProtections(SpreadsheetApp.ProtectionType.RANGE);
    const [found] = list();
    const described = [found.getRange().getA1Notation(), found.canEdit()];
    found.remove();
    return [...described, list().length];`;
  expect(await runAsMenu(body, { workbook })).toEqual(['A1:B2', true, 0]);
});

test.each([
  ['setValue("other")', `${RULE}.setAllowInvalid(false).build()`, true],
  [
    'setRichTextValue(SpreadsheetApp.newRichTextValue().setText("other").build())',
    `${RULE}.setAllowInvalid(false).build()`,
    true,
  ],
  ['setValue("yes")', `${RULE}.setAllowInvalid(false).build()`, false],
  ['setValue("")', `${RULE}.setAllowInvalid(false).build()`, false],
  ['setValue("other")', `${RULE}.build()`, false],
  ['setValue("other")', 'null', false],
])('%s under the rule %s is refused: %s', async (call, rule, refused) => {
  const body = `${SHEET} sheet.getRange('B2').setDataValidation(${rule}); sheet.getRange('B2').${call}`;
  const run = createHost(`function go() { ${body} }`, { workbook }).run('go');
  if (refused) await expect(run).rejects.toThrow('entered in cell B2 violates the data validation rules');
  else await run;
});

test('rules are listed by cell, and move with it', async () => {
  const body = `${SHEET}
    sheet.getRange('B2').setDataValidation(${RULE}.setAllowInvalid(false).build());
    sheet.insertRowsBefore(1, 1);
    const rules = sheet.getRange('A2:B3').getDataValidations();
    return rules.map((row) => row.map((rule) => rule && rule.getAllowInvalid()));`;
  expect(await runAsMenu(body, { workbook })).toEqual([
    [null, null],
    [null, false],
  ]);
});
