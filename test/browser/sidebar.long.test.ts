// Search in the sidebar: prices, destinations, columns and formulas.
import { expect, it } from 'vitest';
import { runSearch } from '../addon/server/orders.ts';
import { gateway, openSidebar } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'search' });

const lastPlan = (sidebar: ServedSidebar) => eventually(() => sidebar.sent('planSearch').at(-1));
const choosePages = ({ page }: ServedSidebar, pages: string) =>
  page.getByLabel('Rows', { exact: true }).selectOption(pages);

it('shows price and budget before it writes, and compares the price with what was charged', async () => {
  const sidebar = await open();
  await sidebar.price().toBe('120 companies match · 20 rows cost 10 credits');
  await sidebar.shows(/^460 credits left\. Each search buys its own pages\.$/);
  // A page that is not full needs an explanation.
  await sidebar.field('Country').fill('Canada');
  await sidebar.price().toBe('7 companies match · 7 rows cost 10 credits');
  const explanation =
    /^460 credits left\. A page of up to 20 rows costs 10 credits\. Each search buys its own\.$/;
  await sidebar.shows(explanation);
  await sidebar.field('Country').fill('');
  await sidebar.field('Industry').fill('software');
  await choosePages(sidebar, '5');
  await sidebar.price().toBe('80 companies match · 80 rows cost 40 credits');
  expect(sidebar.sent('startSearch')).toEqual([]);
  await sidebar.settle();
  gateway.budget = 45;
  const query = { bool: { must: [{ match: { industry: { query: 'software', operator: 'and' } } }] } };
  const order = { family: 'company_clean', query: { es_dsl: { query } } } as const;
  // A colleague is faster.
  await runSearch(await openSidebar(), { ...order, columns: ['id'], pages: 1 });
  await sidebar.button('Write 80 rows · 40 credits').click();
  await sidebar.shows('80 rows · 30 credits charged (shown: 40) · 10 credits of data reused');
  const written = { ...order, pages: 5, where: { kind: 'newSheet' }, mode: 'replace' };
  expect(sidebar.sent('startSearch')).toMatchObject([written]);
  await sidebar.field('Industry').fill('mining');
  await sidebar.shows(/^5 credits left, less than this price\./);
  await sidebar.settle();
  gateway.budget = 100;
  await sidebar.button('Write 40 rows · 20 credits').click();
  await sidebar.shows('40 rows · 20 credits charged, as shown');
});

it('offers what to find, and the data sets with their prices, the chosen one by name', async () => {
  const sidebar = await open();
  const list = (label: string) =>
    eventually(() => sidebar.page.getByLabel(label, { exact: true }).locator('option').allTextContents());
  await list('Find').toEqual(['Companies', 'People', 'Jobs']);
  await list('Data set').toEqual([
    'Standard · 10 credits a page',
    'Raw profile · 10 credits a page',
    'All sources · 20 credits a page',
  ]);
  await sidebar.shows('Data: Standard');
  await sidebar.chooseFamily('employee_multi_source');
  await lastPlan(sidebar).toMatchObject({ family: 'employee_multi_source' });
  await sidebar.page.getByLabel('Find').selectOption('Jobs');
  await lastPlan(sidebar).toMatchObject({ family: 'job_base' });
  await eventually(() => sidebar.overflow()).toBe(0);
});

it('updates the table that has the search, until the search changes, a new sheet is chosen or Undo removes it', async () => {
  const sidebar = await open();
  const update = sidebar.button('Update with 20 rows · free');
  await sidebar.button('Write 20 rows · 10 credits').click();
  await update.waitFor();
  await sidebar.button('Close').click();
  await sidebar.shows('Updates “Companies”: changes rows with the same ID, adds others.');
  await sidebar.button('New sheet').click();
  await sidebar.button('Write 20 rows · free').waitFor();
  await sidebar.field('Industry').fill('mining');
  await sidebar.button('Write 20 rows · 10 credits').waitFor();
  await lastPlan(sidebar).toMatchObject({ where: { kind: 'newSheet' } });
  await eventually(() => sidebar.button('Update this table').count()).toBe(0);
  await sidebar.field('Industry').fill('');
  await update.waitFor();
  // With another column, it is another table, which the person may still choose.
  await sidebar.page.getByText('Columns', { exact: true }).click();
  await sidebar.button('Remove Name').click();
  await sidebar.shows('“Companies” has this search. Updating it is free.');
  await lastPlan(sidebar).toMatchObject({ where: { kind: 'newSheet' } });
  const choice = sidebar.button('Update this table');
  await choice.click();
  const where = { kind: 'table', tableId: expect.any(String) };
  const order = { where, mode: 'update', columns: expect.arrayContaining(['name']) };
  await lastPlan(sidebar).toMatchObject(order);
  await eventually(() => choice.evaluate((button) => button.matches('[aria-pressed=true]:focus'))).toBe(true);
  await choosePages(sidebar, '2');
  await sidebar.button('Update with 40 rows · 10 credits').click();
  await sidebar.shows('20 of 40 rows new or changed · 10 credits');
  expect(sidebar.sent('startSearch').at(-1)).toMatchObject(order);
  await sidebar.button('Undo').click();
  await sidebar.button('Undo the run before').click();
  await sidebar.button('Write 40 rows · free').waitFor();
  await eventually(() => choice.count()).toBe(0);
});

it('marks columns of full records with their price, includes it, and adds and moves columns by keyboard', async () => {
  const sidebar = await open();
  const { page } = sidebar;
  const hint = page.getByText('Columns marked +10 credits a row share one full record.');
  await page.getByText('Columns', { exact: true }).click();
  await sidebar.button('Add column').waitFor();
  expect(await hint.count()).toBe(0);
  await sidebar.button('Add column').click();
  await hint.waitFor();
  // Full records have it too, under another name.
  await sidebar.field('Find a column').fill('websites main');
  await eventually(() => page.locator('.choices button').allInnerTexts()).toEqual([
    'Website, as given\n+10 credits a row',
  ]);
  await sidebar.field('Find a column').fill('founded');
  await sidebar.button('Founded +10 credits a row').click();
  await page.getByText('Founded +10 credits a row').waitFor();
  await eventually(() => hint.count()).toBe(1);
  await eventually(() => sidebar.clipped()).toEqual([]);
  await eventually(() => sidebar.field('Find a column').inputValue()).toBe('');
  await sidebar.price().toBe('120 companies match · 20 rows cost up to 210 credits');
  await sidebar.button('Write 20 rows · up to 210 credits').waitFor();
  await sidebar.shows(/^460 credits left\. Records your team already bought are free, pages only/);
  await lastPlan(sidebar).toMatchObject({ columns: [...Array(7).fill(expect.any(String)), 'founded'] });
  await eventually(() => page.getByText('Founded added.').count()).toBe(1);
  await page.getByRole('listitem', { name: /^Website, column 2/ }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await sidebar.shows(/^Website is column 1 of/);
  const focused = () => page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''");
  await eventually(focused).toMatch(/^Website, column 1/);
  // The columns are one tab stop.
  await page.keyboard.press('ArrowDown');
  await eventually(focused).toMatch(/^Name, column 2/);
  await page.keyboard.press('Tab');
  await eventually(focused).toMatch(/^(?!Move|Remove)/);
  await page.keyboard.press('Shift+Tab');
  await eventually(focused).toMatch(/^Name, column 2/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Delete');
  await eventually(focused).toMatch(/, column 3 of 7$/);
  await sidebar.shows('Industry removed.');
  await sidebar.button('Move Name up').click();
  await eventually(() => page.locator('.columns .name').first().getAttribute('title')).toBe('name');
  // So many matches are not looked up before.
  sidebar.changes.planSearch = (plan) => ({ ...plan, total: 1240 });
  await choosePages(sidebar, '2');
  await sidebar.shows(/“Up to”: above 1,000 matches, records your team has are only found while writing/);
  await page.getByLabel('Find', { exact: true }).selectOption('People');
  await eventually(() => page.getByText('Founded added.').count()).toBe(0);
});

it('shows sample rows only on request', async () => {
  const order = { columns: ['founded'], pages: 1 };
  const sidebar = await open({
    before: (server) => runSearch(server, { family: 'company_clean', ...order }),
  });
  await sidebar.price().toMatch(/^120 companies/);
  expect(sidebar.sent('sampleRows')).toEqual([]);
  await sidebar.page.getByText('Sample rows').click();
  const lines = () => sidebar.page.locator('.sample').locator('dt, dd').allInnerTexts();
  await eventually(lines).toEqual(
    [1, 2, 3].flatMap((id) => ['Name', `Name of ${id}`, 'Industry', 'software']),
  );
  expect(await sidebar.clipped()).toEqual([]);
  await sidebar.shows('From records that your team already bought. A page of 20 new rows costs 10 credits.');
  await sidebar.field('Country').fill('Canada');
  await sidebar.shows('Your team has none of the first 100 matches yet.');
});

it('keeps the search when the sidebar is closed, with its excluded values', async () => {
  const sidebar = await open();
  await sidebar.page.getByLabel('Find').selectOption('People');
  await sidebar.field('Job title').fill('buyer');
  await sidebar.page.getByLabel('Comparison of Job title').selectOption('isNot');
  await choosePages(sidebar, '3');
  await eventually(() => sidebar.sent('saveDraft').at(-1)?.lastSearch).toMatch(/"must_not".*"pages":3/);
  await sidebar.settle();
  const again = await open({ server: sidebar.server });
  await eventually(() => again.field('Job title').inputValue()).toBe('buyer');
  await eventually(() => again.page.getByLabel('Comparison of Job title').inputValue()).toBe('isNot');
  await eventually(() => again.page.getByLabel('Rows', { exact: true }).inputValue()).toBe('3');
  const before = ({ callOk }: ServedSidebar['server']) =>
    callOk('saveDraft', { lastSearch: '{"family":"company_x"}' });
  const broken = await open({ before });
  await eventually(() => broken.page.getByLabel('Find').inputValue()).toBe('Companies');
});

it('marks an invalid condition or query, and shows no price', async () => {
  const sidebar = await open();
  const { page } = sidebar;
  const write = sidebar.button(/^Write /);
  const readColour = () =>
    page.evaluate<string>(
      "getComputedStyle(document.querySelector('#panel-search .primary')).backgroundColor",
    );
  await sidebar.button('Write 20 rows').waitFor();
  const colour = await readColour();
  await sidebar.button('Add condition').click();
  await sidebar.field('Find a condition').fill('size follow');
  await sidebar.field('Find a condition').press('Enter');
  // The focus is in the new condition.
  await page.keyboard.type('many');
  await sidebar.shows('“many” is not a whole number.');
  await eventually(() => sidebar.field('Followers from').getAttribute('aria-invalid')).toBe('true');
  await sidebar.price().toBe('Correct the condition Followers.');
  await eventually(() => write.isDisabled()).toBe(true);
  await eventually(readColour).not.toBe(colour);
  await sidebar.button('Query').click();
  const text = page.getByLabel('Query (JSON)');
  await text.fill('{\n  "match": {"industry": "software",}\n}');
  await sidebar.shows(/^This is not JSON: Expected double-quoted property name in JSON at position 37/);
  await sidebar.price().toBe('Correct the query first.');
  await eventually(() => write.isDisabled()).toBe(true);
  await text.fill('{"match": {"industry": "software"}}');
  await lastPlan(sidebar).toMatchObject({
    query: { es_dsl: { query: { match: { industry: 'software' } } } },
  });
});

it('shows the matches without each condition if nothing matches', async () => {
  // The gateway may know a condition by a name that the form lacks.
  const other = { condition: 'funding_rounds.last_round_type', total: 3 };
  const sidebar = await open({
    changes: { planSearch: (plan) => ({ ...plan, without: [...plan.without, other] }) },
  });
  const list = sidebar.page.locator('.panel:not([hidden]) li', { hasText: /^Without/ });
  await sidebar.field('Industry').fill('mining');
  await sidebar.field('Country').fill('Chile');
  const lines = ['Without Country: 40 matches Remove', 'Without Last round type: 3 matches '];
  await eventually(() => list.allTextContents()).toEqual(lines);
  await sidebar.price().toBe('Nothing matches. Without Country: 40 matches.');
  delete sidebar.changes.planSearch;
  await sidebar.button('Remove the condition Country').click();
  await eventually(() => sidebar.field('Country').inputValue()).toBe('');
  await sidebar.price().toMatch(/^40 companies match/);
  await sidebar.field('Country').fill('Peru');
  await sidebar.field('Industry').fill('banking');
  await sidebar.price().toBe('Nothing matches, whichever condition you remove. Remove two or more.');
});

it('asks before it replaces typed cells', async () => {
  const sidebar = await open();
  await sidebar.page.getByLabel('Selected cell').check();
  await sidebar.button('Write 20 rows').click();
  await sidebar.shows(/cells are not empty in Companies!/);
  await sidebar.shows('company-1.example');
  expect(sidebar.sent('startSearch')).toEqual([]);
  await sidebar.button('Cancel').click();
  await sidebar.button('Write 20 rows').click();
  await sidebar.button('Replace').click();
  await sidebar.shows('20 of 20 rows · 10 credits');
  expect(sidebar.sent('startSearch')).toMatchObject([{ confirmed: true }]);
  expect(sidebar.server.getValues('Companies')[1]).toContain('Company 1');
});

it('inserts a formula after showing its price', async () => {
  const sidebar = await open();
  sidebar.server.edit((workbook) => ({ ...workbook, active: { sheet: 'Companies', row: 2, column: 3 } }));
  await sidebar.page.getByText('Use as a formula').click();
  await sidebar.shows('up to 10 credits');
  await sidebar.page.getByLabel(/First 20 IDs/).check();
  await sidebar.button('Insert formula').click();
  await sidebar.shows('In Companies!C2: =CDAPI_SEARCH("company_clean", ');
  expect(sidebar.sent('insertFormula')).toMatchObject([{ formula: 'CDAPI_SEARCH', limit: 20 }]);
});
