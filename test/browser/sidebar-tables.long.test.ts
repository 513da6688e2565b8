// The tab Tables: the tracked tables.
import { describe, expect, it } from 'vitest';
import { buildFormQuery } from '../../shared/query/form-query.ts';
import { completeBulk, createBulkOrder } from '../addon/server/bulk/bulk-orders.ts';
import { runEnrichment, runSearch, searchColumns } from '../addon/server/orders.ts';
import {
  completeRun,
  createWorkbook,
  gateway,
  openSidebar,
  type Sidebar as Server,
} from '../addon/server/sidebar.ts';
import { openMatching } from '../addon/tables/lookup/matching.ts';
import { eventually } from './browser.ts';
import { NOW, type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'tables' });

const DAY_MS = 86_400_000;
const software = { filters: { industry: 'software', country: 'Germany' } };

const openMore = (sidebar: ServedSidebar) => sidebar.page.locator('summary', { hasText: 'More' }).click();
const isFocused = (field: ReturnType<ServedSidebar['field']>) =>
  eventually(() => field.evaluate((element) => element.matches(':focus')));
const lastPlan = (sidebar: ServedSidebar) => eventually(() => sidebar.sent('planSearch').at(-1));
const activate = (server: Server, sheet: string): void =>
  server.edit((workbook) => ({ ...workbook, active: { sheet, row: 1, column: 1 } }));
const deleteSheet = (server: Server, name: string): void =>
  server.edit(({ sheets, ...workbook }) => ({
    ...workbook,
    sheets: sheets.filter((sheet) => sheet.name !== name),
  }));

describe('tables', () => {
  it('say in words what they contain, how they last changed and what a refresh costs, and offer what is possible', async () => {
    gateway.budget = 10_000;
    let now = NOW.getTime() - 2.1 * DAY_MS;
    const sheets = ['Companies', 'Leads', 'Names'].map((name, at) => ({
      ...{ id: at + 1, name },
      values:
        name === 'Names'
          ? [['Company'], ['Acme'], ['Twin']]
          : [['Website'], ...['a', 'b', 'www.a', 'nobody'].map((key) => [`${key}.example`])],
    }));
    const { sidebar: server } = await openMatching({ ...createWorkbook([]), sheets }, undefined, () => now);
    const others = buildFormQuery('company_clean', [
      { name: 'industry', values: ['software'], comparison: 'isNot' },
      { name: 'location_hq_city', values: [], comparison: 'hasValue' },
    ]);
    if (!others.ok) throw new Error('no query');
    const custom = { es_dsl: { query: { range: { 'stats.size': { gte: 5 } } } } };
    const searches = [
      { title: 'Others', family: 'company_clean', columns: ['id', 'name'], query: others.query },
      { title: 'Founders', columns: [...searchColumns, 'founded'], pages: 1 },
      { title: 'People', family: 'employee_clean', columns: ['id', 'full_name'] },
    ] as const;
    const { tableId } = await runSearch(server, { title: 'Software', query: software });
    for (const search of searches) await runSearch(server, { ...search, columns: [...search.columns] });
    const source = { by: 'search', query: custom, limit: 20 } as const;
    await completeBulk(server, createBulkOrder({ title: 'Order', source }));
    for (const sheet of ['Companies', 'Leads']) await runEnrichment(server, { sheet });
    await runEnrichment(server, { sheet: 'Names', by: 'name' });
    now = NOW.getTime();
    await completeRun(server, 'refreshTable', { id: tableId, only: 'stale' });
    const sidebar = await open({
      server,
      changes: {
        tables: (list) =>
          list.map((table) => {
            const { title, lastRun } = table;
            const accounts = { sheet: 'Companies', column: 1, perCompany: 5 };
            if (title === 'People')
              return { ...table, accounts, lastRun: { ...lastRun, counts: { found: 23, without: 1 } } };
            // Of a schedule.
            return title === 'Others' ? { ...table, lastRun: { ...lastRun, counts: { updated: 0 } } } : table;
          }),
      },
    });
    const cards = {
      Software: [
        '40 companies from a search',
        'Industry: software · Country: Germany',
        'Last run just now: 40 found · 0 credits · 20 credits of data reused',
        'Refresh: at most 20 credits, if all 40 rows are outdated',
      ],
      Others: [
        'City: has a value · Industry: not software',
        'Last run 2 days ago: nothing changed · 20 credits',
      ],
      Founders: ['Refresh: at most 10 credits, and up to 200 more for outdated full records'],
      People: [
        'All people at these companies',
        'Last run 2 days ago: 23 found, 1 company without rows',
        'Refresh shows its price first: it depends on the matches',
      ],
      Order: [
        '20 people from a bulk order',
        'a custom query',
        'Last run 2 days ago: 20 found, 20 added · 200 credits',
        'Order again: at most 200 credits; records your team has are free',
      ],
      'Company data for “Company”': [
        'Last run 2 days ago: 1 found, 1 not certain · 10 credits',
        'Refresh shows its price first: it depends on the matches',
      ],
      'Company data for “Website” (Leads)': [
        'Name and Founded for 4 rows of Leads',
        'Last run 2 days ago: 3 found, 1 not found · 0 credits',
        'Refresh: at most 30 credits, if all 3 records are outdated',
      ],
    };
    for (const [name, texts] of Object.entries(cards)) {
      const card = sidebar.page.getByRole('article', { name, exact: true });
      for (const text of texts) await card.getByText(text).waitFor();
    }
    await sidebar.button('Schedule Order').waitFor();
    await sidebar.button('Refresh Company data for “Website” (Companies)').waitFor();
    expect(await sidebar.button('Refresh Order').count()).toBe(0);
    expect(await sidebar.button('Schedule People').count()).toBe(0);
  });

  it('go to their cells, are undone and renamed, and open their search, which updates them', async () => {
    const country = '(United States) OR (United States of America) OR (Germany)';
    const order = {
      ...{
        title: 'Companies: USA, Germany, software',
        query: { filters: { country, industry: 'software' } },
      },
      conditions: [
        { name: 'country', values: ['USA', 'Germany'] },
        { name: 'industry', values: ['software'] },
      ],
    };
    const sidebar = await open({
      tab: 'search',
      before: async (server) => {
        const { tableId } = await runSearch(server, { ...order, pages: 2 });
        const weekly = {
          every: 'week',
          max_credits: 100,
          paused: false,
          at: '2026-11-23T07:00:00Z',
        } as const;
        await server.callOk('setAutoRefresh', { tableId, schedule: weekly, push: false });
        await runSearch(server, { ...order, pages: 3, where: { kind: 'table', tableId } });
        activate(server, 'People');
      },
    });
    const top = () => sidebar.page.locator('#panel-search > .content').evaluate((box) => box.scrollTop);
    await sidebar.page.getByText('Use as a formula').scrollIntoViewIfNeeded();
    expect(await top()).toBeGreaterThan(0);
    await sidebar.tab('Tables').click();
    await sidebar.shows(/^Next refresh (?:\w+day|tomorrow) \d\d:00, at most 100 credits \(your limit\)$/);
    await sidebar.button('Go to Companies USA, Germany, software · A1:E61').click();
    const active = () => eventually(() => sidebar.server.getWorkbook().active?.sheet);
    await active().toBe('Companies USA, Germany, software');
    await openMore(sidebar);
    await sidebar.button('Undo last run').click();
    await sidebar.shows(
      /^Undone in “Companies USA, Germany, software” \(\d+ cells restored\)\. Credits aren’t refunded/,
    );
    await sidebar.button('Go to Companies USA, Germany, software · A1:E41').waitFor();
    await sidebar.button('Edit search').click();
    await eventually(top).toBe(0);
    // The entered conditions, without spellings that the form adds.
    const inputs = sidebar.page.locator('.panel:not([hidden]) .value input');
    await eventually(() =>
      inputs.evaluateAll((all) => all.map((each) => Reflect.get(each, 'value'))),
    ).toEqual(['USA', 'Germany', 'software', '']);
    await lastPlan(sidebar).toMatchObject({
      ...{ family: 'company_base', query: order.query, columns: searchColumns, pages: 2 },
      ...{ where: { kind: 'table' }, mode: 'replace', title: order.title },
    });
    await sidebar.shows('Updates “Companies: USA, Germany, software”: replaces its 40 rows.');
    await sidebar.page.getByLabel('Keep them, add new rows below').check();
    await sidebar.shows('Updates “Companies: USA, Germany, software”: adds rows below its 40 rows.');
    await sidebar.page.getByLabel('Replace them').check();
    await sidebar.field('Industry').fill('mining');
    await sidebar.field('Industry').press('Enter');
    await lastPlan(sidebar).toMatchObject({ title: 'Companies: USA, Germany, mining' });
    expect(sidebar.sent('startSearch')).toEqual([]);
    activate(sidebar.server, 'People');
    await sidebar.button('Update with 40 rows · 20 credits').click();
    await sidebar.button('Go to “Companies USA, Germany, software”').click();
    await active().toBe('Companies USA, Germany, software');
    // The next search must not replace the rows by accident.
    await sidebar.field('Industry').fill('software');
    await lastPlan(sidebar).toMatchObject({ where: { kind: 'newSheet' } });
    await sidebar.tab('Tables').click();
    await sidebar.button('Rename').click();
    await isFocused(sidebar.field('Name')).toBe(true);
    await sidebar.field('Name').fill('My accounts');
    await sidebar.button('Save name').click();
    await sidebar.page.getByRole('article', { name: 'My accounts' }).waitFor();
    await eventually(() => sidebar.overflow()).toBe(0);
    await sidebar.button('Edit search').click();
    await sidebar.field('Industry').fill('steel');
    await eventually(() => JSON.stringify(sidebar.sent('planSearch').at(-1))).toMatch(/steel.*"My accounts"/);
  });

  it('are frozen or no longer tracked after a question, and Undo is offered', async () => {
    const sidebar = await open({ before: (server) => runSearch(server) });
    await openMore(sidebar);
    const freeze = sidebar.button('Freeze Companies');
    await freeze.click();
    await sidebar.confirm('Cancel');
    await isFocused(freeze).toBe(true);
    await freeze.click();
    await sidebar.confirm('Freeze table');
    await sidebar.shows('“Companies” is frozen.');
    await sidebar.page.locator('article').getByText('Frozen').waitFor();
    await sidebar.page.getByRole('button', { name: 'Undo', exact: true }).click();
    await sidebar.button('Stop tracking Companies').click();
    await sidebar.confirm('Stop tracking');
    await sidebar.shows('“Companies” is no longer tracked.');
    await eventually(() => sidebar.page.getByRole('article').count()).toBe(0);
    await sidebar.button('Undo').click();
    await sidebar.page.getByRole('article').waitFor();
  });

  it('keep their ages up to date, and their places while the list is shown', async () => {
    let now = NOW.getTime() - 58.9 * 60_000;
    const server = await openSidebar({ now: () => now });
    for (const title of ['Others', 'Companies']) await runSearch(server, { title });
    now = NOW.getTime();
    const sidebar = await open({ server, stopped: true });
    const pass = (ms: number) => sidebar.page.clock.runFor(ms);
    const titles = () => sidebar.page.locator('article h3').allTextContents();
    const read = () => sidebar.page.locator('article').first().textContent();
    await eventually(async () => {
      await pass(10);
      return titles();
    }).toEqual(['Companies', 'Others']);
    expect(await read()).toContain('58 minutes ago');
    await sidebar.settle();
    const loads = sidebar.sent('tables').length;
    // Its table is the first of the list from now on.
    activate(server, 'Others');
    await sidebar.page.evaluate("dispatchEvent(new Event('focus'))");
    await pass(60_000);
    await eventually(() => sidebar.sent('tables').length).toBeGreaterThan(loads);
    await sidebar.settle();
    await eventually(read).toContain('59 minutes ago');
    expect(await titles()).toEqual(['Companies', 'Others']);
  });

  it('show the price of a refresh before it starts, and why it is a maximum', async () => {
    const sidebar = await open({
      before: (server) =>
        runSearch(server, { query: { text: 'industry:*ing' }, columns: [...searchColumns, 'founded'] }),
    });
    await sidebar.button('Refresh Companies').click();
    await sidebar.page.getByLabel('All rows').check();
    await sidebar.shows('40 rows · up to 420 credits: full records that your team has are free');
    await sidebar.page.getByLabel('Only outdated rows').check();
    const refresh = sidebar.button('Write 40 rows again · free');
    await refresh.waitFor();
    expect(sidebar.sent('refreshTable')).toEqual([]);
    await refresh.click();
    await sidebar.shows(/^Done 40/);
  });

  it('with a deleted sheet lose their schedule and move to a new one', async () => {
    const sidebar = await open({
      before: async (server) => {
        const { tableId } = await runSearch(server, { title: 'Gone' });
        const schedule = { every: 'day', max_credits: 30, paused: false } as const;
        await server.callOk('setAutoRefresh', { tableId, schedule, push: false });
        deleteSheet(server, 'Gone');
      },
    });
    await sidebar.shows('Its sheet was deleted.');
    await sidebar.shows('Sheet deleted');
    expect(await sidebar.page.getByText('0 companies').count()).toBe(0);
    expect(await sidebar.button('Refresh Gone').count()).toBe(0);
    await sidebar.button('Remove schedule: Gone').click();
    await eventually(() => sidebar.button('Remove schedule: Gone').count()).toBe(0);
    expect(gateway.lists.schedules.items).toEqual([]);
    await sidebar.button('Move to a new sheet: Gone').click();
    await sidebar.button('Refresh Gone').waitFor();
  });
});
