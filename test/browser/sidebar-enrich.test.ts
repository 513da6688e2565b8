// The tab Enrich: plans, keys, own columns.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../addon/dev/host/types.ts';
import { createList, runEnrichment, runSearch } from '../addon/server/orders.ts';
import { createWorkbook, type Sidebar as Server } from '../addon/server/sidebar.ts';
import { openMatching } from '../addon/tables/lookup/matching.ts';
import { longIt } from '../pick-cases.ts';
import { eventually, matchSpaces } from './browser.ts';
import { NOW, never, type ServedSidebar, sampleWorkbook, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'enrich' });

const addWebsites = ({ server }: ServedSidebar, ...websites: string[]): void =>
  server.editSheet('Companies', ({ values }) => ({ values: [...values, ...websites.map((key) => [key])] }));
/** Returns the texts of a column below its heading. */
const readNames = ({ server }: ServedSidebar, column: number): string[] =>
  server.getValues('Companies').flatMap((row, at) => (at === 0 ? [] : String(row[column] ?? '')));
const changeName = (server: Server, row: number, name: string): void =>
  server.editSheet('Companies', ({ values }) => ({
    values: values.map((cells, at) => (at === row ? cells.with(2, name) : cells)),
  }));
const lastPlan = (sidebar: ServedSidebar) => eventually(() => sidebar.sent('planEnrich').at(-1));
const countPlans = (sidebar: ServedSidebar): number => sidebar.sent('planEnrich').length;

describe('enrich', () => {
  it('shows what it buys before it buys, and asks again if the sheet has changed since', async () => {
    const sidebar = await open({
      workbook: { ...sampleWorkbook, active: { sheet: 'Companies', row: 2, column: 1, rows: 4 } },
      before: (server) => runEnrichment(server, { sheet: 'Companies', scope: 'selection', fields: ['name'] }),
    });
    await sidebar.price().toBe('14 rows · 80 credits');
    const readFacts = () => sidebar.page.locator('.facts dd').allTextContents();
    await eventually(readFacts).toEqual(['14', '12', '4', '8']);
    // The pointer comes back from the sheet. The button stays usable while the price is read again.
    const { promise, resolve } = Promise.withResolvers<void>();
    sidebar.changes.planEnrich = (plan) => promise.then(() => plan);
    addWebsites(sidebar, 'company-13.example');
    const asked = countPlans(sidebar);
    await sidebar.page.mouse.move(150, 300);
    await eventually(() => countPlans(sidebar)).toBe(asked + 1);
    await sidebar.button('Enrich 14 rows · 80 credits').click();
    await sidebar.shows('The sheet or the price has changed: it is now 15 rows for 90 credits.');
    await sidebar.page.locator('.notice.warn').filter({ visible: true }).waitFor();
    resolve();
    await sidebar.price().toBe('15 rows · 90 credits');
    await sidebar.page.getByLabel('Selected rows', { exact: true }).check();
    await sidebar.button('Enrich 4 rows · free').click();
    await sidebar.shows('4 of 4 rows · free');
    expect(readNames(sidebar, 2).map((name) => name !== '')).toEqual([
      ...[true, true, true, true],
      ...Array(11).fill(false),
    ]);
  });

  it('reads the price again soon after the keys were changed in the sheet, without a pointer', async () => {
    const sidebar = await open({ stopped: true });
    const shows = (price: string) =>
      sidebar.whileTimePasses(() => sidebar.page.getByText(price, { exact: true }).count()).toBe(1);
    await shows('14 rows · 120 credits');
    const asked = countPlans(sidebar);
    const checks = sidebar.sent('deliveries').length;
    await sidebar.page.evaluate("dispatchEvent(new Event('blur'))");
    await sidebar.page.clock.runFor(5000);
    await eventually(() => sidebar.sent('deliveries').length).toBe(checks + 1);
    await sidebar.settle();
    expect(sidebar.sent('deliveries').at(-1)?.watched).toEqual(sidebar.sent('planEnrich').at(-1));
    expect(countPlans(sidebar)).toBe(asked);
    addWebsites(sidebar, 'company-13.example', 'company-14.example');
    await sidebar.page.clock.runFor(10_000);
    await shows('16 rows · 140 credits');
    expect(sidebar.sent('deliveries')).toHaveLength(checks + 2);
    expect(countPlans(sidebar)).toBe(asked + 1);
  });

  longIt(
    'keeps the input of each column, and shows no figure of one while the price of another is loading',
    async () => {
      const sidebar = await open();
      await sidebar.button('Remove Industry').click();
      await sidebar.page.getByLabel('Only empty rows', { exact: true }).check();
      await sidebar.price().toBe('14 rows · 120 credits');
      sidebar.changes.planEnrich = never;
      await sidebar.page.getByLabel(matchSpaces(/B · Profile/)).check();
      await lastPlan(sidebar).toMatchObject({ sheet: 'People', scope: 'all' });
      const dock = sidebar.page.locator('.panel:not([hidden]) .dock');
      expect(await dock.innerText()).not.toMatch(/\d (?:row|cell)/);
      expect(await dock.locator('dd').allTextContents()).toEqual(['–', '–', '–', '–']);
      await sidebar.page.getByLabel(matchSpaces(/A · Website/)).check();
      await lastPlan(sidebar).toMatchObject({
        sheet: 'Companies',
        scope: 'blank',
        fields: expect.not.arrayContaining(['industry']),
      });
    },
  );

  longIt(
    'names the sheet of columns whose labels are equal, and follows the sheet that the person opens',
    async () => {
      const [companies] = sampleWorkbook.sheets;
      const sheets = ['Companies', 'Leads', 'Events'].map((name, at) => ({
        ...companies,
        values: companies?.values ?? [],
        id: at + 1,
        name,
      }));
      const sidebar = await open({ workbook: { ...sampleWorkbook, sheets } });
      const planned = () => eventually(() => sidebar.sent('planEnrich').at(-1)?.sheet);
      await sidebar.page.getByLabel(matchSpaces(/^Companies: A · Website/)).waitFor();
      await sidebar.page.getByLabel(matchSpaces(/^Leads: A · Website/)).check();
      await planned().toBe('Leads');
      // Columns of the open sheet come first.
      sidebar.server.edit((workbook) => ({ ...workbook, active: { sheet: 'Events', row: 1, column: 1 } }));
      await sidebar.button('Look for columns again').click();
      await planned().toBe('Events');
    },
  );

  longIt('calls e-mail addresses so, and counts other cells until the report of a run does', async () => {
    const keys = ['sue@acme.example', 'bob@globex.example', 'ann@acme.example', 'me@gmail.com', 'none'];
    const sidebar = await open({ workbook: createList(keys) });
    await sidebar.shows('3 of 5 are valid work e-mail addresses, 2 unique');
    await sidebar.shows(
      '2 cells without a work e-mail address (1 name, 1 private e-mail address): not looked up',
    );
    await sidebar.button('Enrich 5 rows').click();
    await sidebar.shows('3 of 5 found · 20 credits');
    await eventually(() => sidebar.page.getByText('not looked up').count()).toBe(0);
  });

  it('offers to look up cells that are names, before a run and in its report', async () => {
    const keys = ['a.example', 'b.example', 'Acme Corp', 'Globex Corp', 'me@gmail.com'];
    const sidebar = await open({ workbook: createList(keys) });
    await sidebar.shows('3 cells without a website (2 names, 1 private e-mail address): not looked up');
    await sidebar.button('Look up 2 company names, too').click();
    await sidebar.shows('1 cell without a name (1 private e-mail address): not looked up');
    expect(sidebar.sent('planEnrich').at(-1)).toMatchObject({ by: 'name', statusColumn: true });
    await sidebar.page.getByLabel('Cells hold').selectOption('Websites or e-mail addresses');
    await sidebar.shows('3 cells without a website');
    await sidebar.button('Enrich 5 rows').click();
    await sidebar.page.locator('summary').getByText('2 of 5 found').click();
    await sidebar.shows('3 invalid (rows 4, 5, 6; 2 names, 1 private e-mail address)');
    await sidebar.button('Look up 2 company names').click();
    await lastPlan(sidebar).toMatchObject({ by: 'name' });
  });

  longIt(
    'leads from a run with uncertain names to their list, and its report leaves room for the form',
    async () => {
      const names = ['Acme', 'Twin One', 'Twin Two', 'Nobody'].map((name) => [name]);
      const { sidebar: server } = await openMatching(createWorkbook([['Company'], ...names]), undefined, () =>
        NOW.getTime(),
      );
      const sidebar = await open({ server });
      await sidebar.price().toBe('4 rows · up to 60 credits: 40 for up to 4 records, 20 to compare names');
      sidebar.changes.planEnrich = (plan) => ({ ...plan, warnings: ['One.', 'Two.', 'Three.'] });
      await sidebar.button('Enrich 4 rows · up to 60 credits').click();
      const line = sidebar.page.locator('summary').getByText('1 of 4 found · 10 credits');
      await line.click();
      const details =
        '1 found, 2 not certain (rows 3, 4), 1 not found (row 5) · 10 credits charged (shown: 60)';
      await sidebar.page.locator('details[open]').getByText(details).waitFor();
      await line.click();
      await sidebar.button('Decide names').click();
      await sidebar.page.locator('summary:focus').getByText('Twin One').waitFor();
      const dock = sidebar.page.locator('.panel:not([hidden]) .dock');
      expect((await dock.boundingBox())?.height).toBeLessThanOrEqual(340);
      // Figures, price and button stay visible; the warnings between them may scroll.
      await dock.getByText('Three.').scrollIntoViewIfNeeded();
      const figures = await sidebar.page.locator('.facts').boundingBox();
      const point = `${(figures?.x ?? 0) + 4}, ${(figures?.y ?? 0) + 4}`;
      const isOnTop = `document.elementFromPoint(${point})?.closest('.facts') instanceof Element`;
      expect(await sidebar.page.evaluate(isOnTop)).toBe(true);
      await sidebar.button('Enrich 4 rows').click({ trial: true });
      // Decisions share one price and one button.
      await sidebar.button('Choose the first of each').click();
      await sidebar.button('Decide 2 names · 10 credits').waitFor();
      await sidebar.page.getByLabel('Decide later').first().check();
      await sidebar.button('Decide 1 name · 10 credits').click();
      await eventually(() => sidebar.sent('startChoices')).toMatchObject([
        { choices: [{ key: 'Twin Two', companyId: '7' }] },
      ]);
      await sidebar.shows('1 name to decide');
    },
  );

  it('can leave out rows that were changed by hand, and asks again if others were changed meanwhile', async () => {
    const sidebar = await open({
      before: async (server) => {
        await runEnrichment(server, { sheet: 'Companies', fields: ['name'] });
        changeName(server, 3, 'mine');
      },
    });
    await sidebar.button('Enrich 14 rows').click();
    await sidebar.shows(/^One row of the table was changed by hand/);
    changeName(sidebar.server, 4, 'mine, too');
    await sidebar.button('Replace').click();
    await sidebar.shows(/^2 rows of the table were changed by hand/);
    await sidebar.shows('mine, too');
    await sidebar.button('Keep mine').click();
    await sidebar.shows('12 of 12 rows · free');
    const [, second, third, fourth, fifth] = readNames(sidebar, 2);
    expect([second, third, fourth]).toEqual(['Name of company-2.example', 'mine', 'mine, too']);
    expect(fifth).toBe('Name of company-5.example');
  });

  it('writes to columns of the person, for rows with any empty cell', async () => {
    const sidebar = await open();
    await sidebar.page.getByText('Write to my columns').click();
    const column = sidebar.page.getByRole('combobox', { name: 'Industry', exact: true });
    await column.selectOption({ label: 'B · Sector' });
    await sidebar.shows('to B, only empty cells');
    await eventually(() => sidebar.overflow()).toBe(0);
    await sidebar.page.getByLabel('Rows with any empty cell', { exact: true }).check();
    for (const label of ['Name', 'Size', 'Country', 'Founded'])
      await sidebar.button(`Remove ${label}`).click();
    await sidebar.button('Enrich 10 rows · 100 credits').click();
    await sidebar.shows('10 of 10 rows · 100 credits');
    expect(readNames(sidebar, 1)).toEqual([...Array(4).fill('Tools'), ...Array(10).fill('software')]);
  });

  longIt(
    'proposes columns of the person with the heading of a field, and none that formulas or tables fill',
    async () => {
      const rows = ['a', 'b', 'c'].map((name) => [`${name}.example`, '', 1999, '', 'Tools', '', '']);
      const headings = ['Website', 'NAMES (from the  CRM)*', 'Founded', '', 'industry', '', 'Size range'];
      const formulas = [[], ...rows.map(() => ['', '', '=1998+1'])];
      const sidebar = await open({
        workbook: createWorkbook([headings, ...rows], { name: 'Companies', formulas }),
        // It fills column D.
        before: (server) => runEnrichment(server, { sheet: 'Companies', fields: ['industry'] }),
      });
      const look = (
        change: (row: readonly CellValue[], at: number) => readonly CellValue[],
      ): Promise<void> => {
        sidebar.server.editSheet('Companies', ({ values }) => ({ values: values.map(change) }));
        return sidebar.button('Look for columns again').click();
      };
      await lastPlan(sidebar).toMatchObject({ scope: 'all', into: [{ path: 'name', column: 2 }] });
      await sidebar.shows('to B, only empty cells');
      await sidebar.shows('Formulas fill C · Founded: new columns are added.');
      // Now F and G belong to the list, too.
      await look((row, at) =>
        row.with(5, at === 0 ? 'Headcount' : 'many').with(4, at === 0 ? 'Company' : 'ABC'),
      );
      const size = { path: 'size_range', column: 6 };
      await lastPlan(sidebar).toMatchObject({ into: [{ path: 'name', column: 2 }, size] });
      // A name beside e-mail addresses is that of a person.
      await look((row, at) => (at === 0 ? row : row.with(0, `sue@${row[0]}`)));
      await lastPlan(sidebar).toMatchObject({ into: [{ path: 'name', column: 5 }, size] });
      for (const label of ['Industry', 'Country', 'Founded']) await sidebar.button(`Remove ${label}`).click();
      // Rows without an empty cell would be bought for nothing.
      await lastPlan(sidebar).toMatchObject({ fields: ['name', 'size_range'], scope: 'gaps' });
      await eventually(() => sidebar.overflow()).toBe(0);
      await sidebar.page.getByText('Write to my columns').click();
      const choice = sidebar.page.getByRole('combobox', { name: 'Name', exact: true });
      await eventually(() => choice.locator('option').allTextContents()).not.toContain('C · Founded');
      await choice.selectOption({ label: 'New column' });
      await lastPlan(sidebar).toMatchObject({ fields: ['name', 'size_range'], scope: 'all', into: [size] });
    },
  );

  longIt('buys nothing that rows of a search have already', async () => {
    const sidebar = await open({ before: (server) => runSearch(server) });
    await sidebar.page.getByLabel(matchSpaces(/C · Website/)).check();
    await lastPlan(sidebar).toMatchObject({ fields: ['size_range', 'location_hq_country', 'founded'] });
  });
});
