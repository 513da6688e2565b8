// A spreadsheet with decimal commas: formulas, examples, merging, Undo, refresh and freezing.
import { describe, expect, it } from 'vitest';
import { eventually, PATIENCE } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground({ locale: 'de_DE' });

const ROWS = 40;
const KEYS = Array.from({ length: ROWS }, (_, at) => `=A${2 + (at % 12)}`);
const singles = KEYS.map((_, at) => [`=CDAPI_ENRICH(H${at + 2}; "name")`]);
const merged = `=CDAPI_ENRICH(H2:H${ROWS + 1}; "name")`;

describe('a spreadsheet with decimal commas', () => {
  it('runs the initial formula and the examples, and no formula with commas', async () => {
    const sheet = open();
    await eventually(async () => (await sheet.read('B2'))[0]?.[0]).toEqual(expect.stringMatching(/^\p{L}/u));
    await sheet.enter('R2', [['=CDAPI_ENRICH(A2, "name")']]);
    await eventually(async () => (await sheet.read('R2'))[0]?.[0]).toEqual(expect.stringMatching(/^#/));
    await sheet.enter('R2', [['=CDAPI_ENRICH(A2; "name")']]);
    await eventually(async () => (await sheet.read('R2'))[0]?.[0]).toBe((await sheet.read('B2'))[0]?.[0]);
  });

  it('merges formulas in the sidebar, and Undo restores them', async () => {
    const sheet = open();
    await sheet.enter(
      `H2:H${ROWS + 1}`,
      KEYS.map((key) => [key]),
    );
    await sheet.enter(`I2:I${ROWS + 1}`, singles);
    const readNames = async () => (await sheet.read(`I2:I${ROWS + 1}`)).flat().map(String);
    await eventually(
      async () => (await readNames()).filter((name) => /^(?!Wird|null)\p{L}/u.test(name)).length,
    ).toBe(ROWS);
    const names = await readNames();
    await sheet.sidebar.getByRole('tab', { name: 'Activity' }).click(PATIENCE);
    await sheet.button(`Merge ${ROWS} formulas`).waitFor(PATIENCE);
    await sheet.text(merged).waitFor();
    await sheet.press(`Merge ${ROWS} formulas`, /40 formulas became 1\./);
    expect((await sheet.readFormulas(`I2:I${ROWS + 1}`)).flat().filter(Boolean)).toEqual([merged]);
    await eventually(readNames).toEqual(names);
    await sheet.press('Undo', /Undone in “.+” \(40 cells restored\)/);
    expect(await sheet.readFormulas(`I2:I${ROWS + 1}`)).toEqual(singles);
    await eventually(readNames).toEqual(names);
  });

  it('refreshes and freezes formulas', async () => {
    const sheet = open();
    const before = await sheet.read(`I2:I${ROWS + 1}`);
    await sheet.goTo('I2:I41');
    await sheet.choose('Refresh selection');
    await eventually(async () => (await sheet.readFormulas('I2'))[0]?.[0]).toMatch(
      /^=CDAPI_ENRICH\(H2; "name"; "refresh=\d+"\)$/,
    );
    await eventually(() => sheet.read(`I2:I${ROWS + 1}`)).toEqual(before);
    // While rows are pending, their formula is calculated again.
    await eventually(async () => (await sheet.read('B2:F15')).flat()).not.toContain('#PENDING');
    const results = await sheet.read('B2:F15');
    await sheet.choose('This sheet');
    await sheet.page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
    await eventually(() => sheet.page.locator('#toast').textContent()).toMatch(/formulas became values/);
    expect(
      (await sheet.readFormulas('A1:R60')).flat().filter((formula) => formula.includes('CDAPI')),
    ).toEqual([]);
    expect(JSON.stringify(await sheet.read('B2:F15')).replaceAll('""', 'null')).toEqual(
      JSON.stringify(results).replaceAll('""', 'null'),
    );
    expect(await sheet.read(`I2:I${ROWS + 1}`)).toEqual(before);
  });
});
