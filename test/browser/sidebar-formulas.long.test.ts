// The tab Tables: formulas and templates.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../addon/dev/host/types.ts';
import { createList } from '../addon/server/orders.ts';
import { createWorkbook, gateway, type Sidebar as Server } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { NOW, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({
  tab: 'tables',
  // Otherwise the sidebar completes waiting formulas after a while.
  changes: { pending: () => ({ formulas: 0, offered: 0 }) },
});

/** Buys records by formulas. */
async function buy(server: Server, ...keys: string[]): Promise<void> {
  for (const key of keys) await server.evaluate('CDAPI_ENRICH', key, 'name, industry');
}

/** A column of lookups whose first two records were bought, and a preview on another sheet. */
function createFormulas(preview = '=CDAPI_PREVIEW("company_base", "acme")', shown = FAILED): Workbook {
  const rows = shown.map(([key, ...values]) => [`${key}.example`, ...values]);
  const companies = createWorkbook([['Website', 'Name', 'Industry'], ...rows], {
    name: 'Companies',
    formulas: [[], ...rows.map((_, at) => ['', `=CDAPI_ENRICH(A${at + 2}, "name, industry")`])],
  });
  const name = 'A sheet with a very long name: people at companies';
  const searches = { id: 2, name, values: [['#ERROR!']], formulas: [[preview]] };
  return { ...companies, sheets: [...companies.sheets, searches] };
}

const FOUND = ['a', 'b'].map((key) => [key, `Name of ${key}`, 'software']);
const FAILED = [
  ...FOUND,
  ['nobody', '#NOT_FOUND'],
  ['c', '#UNAVAILABLE'],
  ['d', '#BUDGET'],
  ['e', 'Loading...'],
  ['f', '#PENDING'],
];

describe('formulas', () => {
  it('are listed by what they fill, and run again or merged for the price that was shown', async () => {
    const sidebar = await open({
      workbook: createFormulas(),
      before: async (server) => {
        gateway.now = () => NOW.getTime() - 12 * 86_400_000;
        await buy(server, 'a.example', 'b.example');
        gateway.now = () => NOW.getTime();
      },
    });
    await sidebar.button('Formulas').click();
    await sidebar.page.getByRole('heading', { name: 'Name and Industry' }).waitFor();
    await sidebar.shows(
      'CDAPI_ENRICH · Companies, standard · 7 formulas · 1 loading · 1 waiting for rows · 1 unavailable · 1 over budget',
    );
    await sidebar.shows('2 records found · 1 not found · 4 to buy · oldest bought 12 days ago');
    await sidebar.button('Go to Companies · B2:C8').click();
    const active = () => sidebar.server.getWorkbook().active;
    await eventually(active).toMatchObject({ sheet: 'Companies', row: 2, column: 2, rows: 7, columns: 2 });
    // One waits for credits, so the price is shown.
    await sidebar.button('Run 2 failed again: Name and Industry, B2:C8').waitFor();
    await sidebar.price().toBe('Costs up to 20 credits');
    expect(sidebar.sent('rerunFormulas')).toEqual([]);
    await sidebar.button('Run 2 formulas · up to 20 credits').click();
    await sidebar.shows('2 formulas ran, for up to 20 credits. Activity shows the charge.');
    await eventually(() => sidebar.button(/^Run 2 failed again/).count()).toBe(0);
    await sidebar.button('Run all again · 50 credits: Name and Industry').click();
    await sidebar.button('Run 7 formulas · up to 50 credits').click();
    await sidebar.shows('7 formulas ran, for up to 50 credits. Activity shows the charge.');
    await sidebar.button('Merge formulas of Companies').click();
    await sidebar.price().toBe('Costs 50 credits for missing or outdated records');
    await sidebar.button('Merge 7 formulas').click();
    await sidebar.shows('7 formulas became 1.');
    const [, first] = sidebar.server.getSheet('Companies').formulas ?? [];
    expect(first?.[1]).toBe('=CDAPI_ENRICH(A2:A8, "name, industry")');
    await sidebar.button('Undo').waitFor();
  });

  it('that cost nothing run again at once, and cards keep their places', async () => {
    const sidebar = await open({
      workbook: createFormulas(undefined, FOUND),
      before: (server) => buy(server, 'a.example', 'b.example'),
    });
    await sidebar.button('Formulas').click();
    const titles = () => sidebar.page.getByRole('article').getByRole('heading').allTextContents();
    await eventually(titles).toEqual(['Name and Industry', 'Rows of a search']);
    await sidebar.settle();
    const [, searches] = sidebar.server.getWorkbook().sheets;
    // Formulas of the open sheet are listed first.
    sidebar.server.edit((workbook) => ({
      ...workbook,
      active: { sheet: searches?.name ?? '', row: 1, column: 1 },
    }));
    const loads = sidebar.sent('formulas').length;
    await sidebar.button('Run all again · free: Name and Industry').click();
    await sidebar.shows('2 formulas ran, for free.');
    await eventually(() => sidebar.sent('formulas').length).toBeGreaterThan(loads);
    await sidebar.settle();
    await sidebar.button('Run all again · up to 10 credits: Rows of a search').waitFor();
    expect(await titles()).toEqual(['Name and Industry', 'Rows of a search']);
    // The price has risen since it was shown.
    sidebar.server.editSheet('Companies', ({ values }) => ({
      values: values.map((row, at) => (at === 1 ? row.with(0, 'new.example') : row)),
    }));
    await sidebar.button('Run all again · free: Name and Industry').click();
    await sidebar.price().toBe('Costs up to 10 credits');
    expect(sidebar.sent('rerunFormulas')).toHaveLength(1);
  });

  it('whose price isn’t known say so; they are frozen after a question, and their sheet stops spending', async () => {
    const sidebar = await open({
      workbook: createFormulas('=CDAPI_PREVIEW("company_base", "acme", "name", D1)'),
    });
    await sidebar.button('Formulas').click();
    await sidebar.button(/^Run 2 failed again/).click();
    await sidebar.button('Run 1 failed again: Rows of a search, A1').click();
    await sidebar.price().toBe('Price not known');
    await sidebar.button('Run 1 formula · price not known').click();
    expect(sidebar.sent('rerunFormulas')).toEqual([]);
    await sidebar.confirm('Run 1 formula at any price');
    await sidebar.shows('1 formula ran. Activity shows the charge.');
    await sidebar.button('Freeze: Name and Industry').click();
    await sidebar.confirm('Freeze formulas');
    await sidebar.shows('5 formulas became values, 2 stayed: they are loading or failed.');
    await sidebar.button('Undo').waitFor();
    await sidebar.page.getByLabel('Formulas here spend credits').first().click();
    await sidebar.page.getByText('Run all again · free').first().waitFor();
    expect(sidebar.sent('setFormulaSpending')).toEqual([{ sheetId: 1, on: false }]);
  });
});

it('a template states its price, is built for nothing, and can be undone', async () => {
  const sidebar = await open({
    workbook: createList(['a.example', 'b.example', 'c.example']),
    before: (server) => buy(server, 'a.example'),
  });
  await sidebar.button('Templates').click();
  await sidebar.shows('Building a sheet is free.');
  await sidebar.shows(/Running the examples costs at most \d+ credits\.$/);
  await sidebar.shows('Running the examples costs 20 credits now, at most 30.');
  await sidebar.settle();
  await buy(sidebar.server, 'b.example', 'c.example');
  await sidebar.page.evaluate("dispatchEvent(new Event('focus'))");
  await sidebar.page.getByText('Running the examples is free: your team has these records.').nth(1).waitFor();
  await sidebar.button('Build sheet: Data hygiene').click();
  await sidebar.shows('“Data hygiene” is built. Nothing was bought');
  await sidebar.button('Undo').click();
  await sidebar.shows(/^Undone in “Data hygiene” \(\d+ cells restored\)\.$/);
  expect(sidebar.server.getWorkbook().sheets).toHaveLength(1);
  expect(gateway.spent).toBe(70);
});
