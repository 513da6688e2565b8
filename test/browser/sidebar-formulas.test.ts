// The tab Tables: formulas and templates.
import { describe, expect, it } from 'vitest';
import type { FormulaSheet } from '../../addon/server/api/index.ts';
import { eventually } from './browser.ts';
import { answers, formulaList, NOW, status, templates } from './sidebar-answers.ts';
import { setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

const at = (tab: typeof status.tab) => ({ status: () => ({ ...status, tab }) });

describe('formulas', () => {
  const rerun = { sheetId: 1, name: 'CDAPI_ENRICH', column: 2 };

  it('are listed by what they fill, and run again for the price that was shown', async () => {
    const sidebar = await open({ ...at('tables') }, { now: NOW });
    await sidebar.button('Formulas').click();
    await sidebar.page.getByRole('heading', { name: 'Name and Industry' }).waitFor();
    await sidebar.shows(
      'CDAPI_ENRICH · Companies, raw profile · 1,000 formulas · 12 loading · 3 waiting for rows · 5 over budget',
    );
    await sidebar.shows('982 records found · 3 not found · 5 to buy · oldest bought 12 days ago');
    await sidebar.button('Go to Companies · B2:C1001').click();
    await eventually(() => sidebar.sent('showFormulas')).toEqual([rerun]);
    await sidebar.button('Run 5 failed again: Name and Industry, B2:C1001').click();
    await sidebar.price().toBe('Costs up to 50 credits');
    expect(sidebar.sent('rerunFormulas')).toEqual([]);
    const loads = sidebar.sent('formulas').length;
    await sidebar.button('Run 5 formulas again · up to 50 credits').click();
    await sidebar.shows(/^5 formulas ran again, for up to [\d,]+ credits. Activity shows the charge.$/);
    const approval = { credits: 50, digest: 'rerun' };
    await eventually(() => sidebar.sent('rerunFormulas')).toEqual([{ ...rerun, approval }]);
    await eventually(() => sidebar.sent('formulas').length).toBeGreaterThan(loads);
    await sidebar.button('Run all again · 50 credits: Name and Industry').click();
    await sidebar.button('Run 5 formulas again · up to 50 credits').click();
    await eventually(() => sidebar.sent('rerunFormulas').at(-1)).toEqual({ ...rerun, all: true, approval });
  });

  it('that cost nothing run again at once, and cards keep their places', async () => {
    const [first, second] = formulaList.sheets;
    if (first === undefined || second === undefined) throw new Error('no formulas');
    const free: FormulaSheet = {
      ...first,
      entries: first.entries.map((entry) => ({ ...entry, credits: 0 })),
    };
    let sheets = [free, second];
    let credits = 0;
    const sidebar = await open({
      ...at('tables'),
      formulas: () => ({ ...formulaList, sheets }),
      planRerun: () => ({ formulas: 1000, credits, approval: { credits, digest: 'all' } }),
      rerunFormulas: () => ({ formulas: 1000 }),
    });
    await sidebar.button('Formulas').click();
    const titles = () => sidebar.page.getByRole('article').getByRole('heading').allTextContents();
    await eventually(titles).toEqual(['Name and Industry', 'Rows of a search']);
    sheets = [second, free];
    await sidebar.button('Run all again · free: Name and Industry').click();
    await sidebar.shows('1,000 formulas ran again, for free.');
    const order = { ...rerun, all: true };
    await eventually(() => sidebar.sent('rerunFormulas')).toEqual([
      { ...order, approval: { credits: 0, digest: 'all' } },
    ]);
    await eventually(() => sidebar.sent('formulas').length).toBeGreaterThan(1);
    expect(await titles()).toEqual(['Name and Industry', 'Rows of a search']);
    await sidebar.button('Run all again · up to 10 credits: Rows of a search').waitFor();
    // The price has risen since it was shown.
    credits = 50;
    await sidebar.button('Run all again · free: Name and Industry').click();
    await sidebar.price().toBe('Costs up to 50 credits');
    expect(sidebar.sent('rerunFormulas')).toHaveLength(1);
  });

  it('whose price isn’t known say so; they are frozen after a question, and their sheet stops spending', async () => {
    const approval = { credits: 0, digest: 'rerun' };
    const sidebar = await open({
      ...at('tables'),
      planRerun: () => ({ formulas: 1, credits: null, approval }),
    });
    await sidebar.button('Formulas').click();
    await sidebar.button('Run 1 failed again: Rows of a search, A1').click();
    await sidebar.price().toBe('Price not known');
    await sidebar.button('Run 1 formula again · price not known').click();
    expect(sidebar.sent('rerunFormulas')).toEqual([]);
    await sidebar.confirm('Run 1 formula at any price');
    await eventually(() => sidebar.sent('rerunFormulas')).toMatchObject([{ column: 1, approval }]);
    await sidebar.button('Freeze: Name and Industry').click();
    await sidebar.confirm('Freeze formulas');
    await sidebar.shows('992 formulas became values, 8 stayed');
    await eventually(() => sidebar.sent('freezeFormulas')).toEqual([rerun]);
    await sidebar.page.getByLabel('Formulas here spend credits').first().click();
    await eventually(() => sidebar.sent('setFormulaSpending')).toEqual([{ sheetId: 1, on: false }]);
  });

  it('of single cells are merged for the price that was shown', async () => {
    const offer = {
      ...{ sheetId: 1, formulas: 12, ranges: 1, columns: ['B'], example: '=CDAPI_ENRICH(A2:A13; "name")' },
      ...{ credits: 20, approval: { credits: 20, digest: 'merge' } },
    };
    const sidebar = await open({
      ...at('tables'),
      planMerge: ({ sheetId }) => ({ offer: sheetId === 1 ? offer : null }),
      mergeFormulas: () => ({ formulas: 12, ranges: 1, runId: 'merge' }),
    });
    await sidebar.button('Formulas').click();
    await sidebar.button('Merge formulas of Companies').click();
    await sidebar.price().toBe('Costs 20 credits for missing or outdated records');
    await sidebar.button('Merge 12 formulas').click();
    await sidebar.shows('12 formulas became 1.');
    await eventually(() => sidebar.button('Undo').count()).toBe(1);
  });
});

it('a template states its price, is built for nothing, and can be undone', async () => {
  const sidebar = await open(at('tables'));
  await sidebar.button('Templates').click();
  await sidebar.shows('Building a sheet is free.');
  await sidebar.shows('Running the examples costs at most 100 credits.');
  await sidebar.shows('Running the examples costs 20 credits now, at most 30.');
  sidebar.answers.templates = () => templates.map((each) => ({ ...each, now: 0 }));
  // A formula may have bought them.
  await sidebar.page.evaluate("dispatchEvent(new Event('focus'))");
  await sidebar.page.getByText('Running the examples is free: your team has these records.').nth(1).waitFor();
  await sidebar.button('Build sheet: Data hygiene').click();
  await sidebar.shows('“Prospect list” is built. Nothing was bought');
  await eventually(() => sidebar.sent('buildTemplate')).toEqual([{ id: 'hygiene' }]);
  await sidebar.button('Undo').click();
  await eventually(() => sidebar.sent('undo')).toEqual([{ runId: 'template' }]);
  await sidebar.shows('Undone (300 cells restored).');
  await eventually(() => sidebar.page.getByText('Credits aren’t refunded').count()).toBe(0);
});
