// Bulk orders in the sidebar: price, order and progress.
import { describe, expect, it } from 'vitest';
import type { BulkOrder } from '../../addon/server/api/index.ts';
import type { Family } from '../../shared/families/index.ts';
import { createProblemSummary } from '../../shared/problems.ts';
import {
  completeBulk,
  createBulkOrder,
  createReadyRequest,
  startBulk,
} from '../addon/server/bulk/bulk-orders.ts';
import { createList, runSearch } from '../addon/server/orders.ts';
import { gateway } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { type ServedSidebar, type SidebarOptions, setUpSidebars } from './sidebar.ts';

// Without an answer, the page reports a failure of its stream.
const open = setUpSidebars({ tab: 'bulk', events: () => '' });

const software = { filters: { industry: 'software' } };

/** Creates an order of companies. */
const createOrder = (more: Partial<BulkOrder> = {}): BulkOrder => ({
  ...createBulkOrder({ family: 'company_base', columns: ['id', 'name'], title: 'Software' }),
  source: { by: 'search', query: software, limit: 20 },
  ...more,
});

/** Fills in a search and opens the bulk tab. */
async function enterSearch(sidebar: ServedSidebar, family: Family = 'company_base'): Promise<void> {
  await sidebar.tab('Search').click();
  await sidebar.chooseFamily(family);
  await sidebar.field('Industry').fill('software');
  await sidebar.tab('Bulk').click();
}

const setLimit = (sidebar: ServedSidebar, limit: string): Promise<void> =>
  sidebar.field('Maximum number of records').fill(limit);
const lastPlan = (sidebar: ServedSidebar) => eventually(() => sidebar.sent('planBulk').at(-1));
const countHints = (sidebar: ServedSidebar) => eventually(() => sidebar.page.getByText('in Search.').count());
const countRows = ({ server }: ServedSidebar, sheet: string): number => server.getValues(sheet).length - 1;

describe('an order', () => {
  it('has the search and columns of the Search tab, is confirmed above the limit of the admin, and stopped at a price', async () => {
    gateway.account = { ...gateway.account, confirm_above_credits: 9999 };
    gateway.requests.matching = 1240;
    gateway.requests.isHeld = true;
    const sidebar = await open();
    await sidebar.shows('Companies, standard, without conditions');
    await sidebar.price().toBe('100 records · up to 1,000 credits, charged on delivery');
    await sidebar.shows(/10 credits a record\. The rows appear when they are ready/);
    // Records have another name for the website of a search.
    await lastPlan(sidebar).toMatchObject({
      source: { by: 'search', limit: 100, query: { es_dsl: { query: { match_all: {} } } } },
      columns: expect.arrayContaining(['name', 'websites_main']),
    });
    await enterSearch(sidebar);
    await sidebar.tab('Search').click();
    await sidebar.button('Add condition').click();
    await sidebar.field('Find a condition').fill('founded');
    await sidebar.field('Find a condition').press('Enter');
    const founded = sidebar.page.getByRole('textbox', { name: /founded/i }).first();
    await founded.fill('2010');
    await sidebar.tab('Bulk').click();
    await sidebar.shows('Companies: software, founded 2010 or later');
    await eventually(() => sidebar.page.getByText('without conditions').count()).toBe(0);
    await setLimit(sidebar, '10,000');
    await sidebar.price().toBe('1,240 records · up to 12,400 credits, charged on delivery');
    const order = 'Order 1,240 records · up to 12,400 credits';
    await sidebar.button(order).click();
    await sidebar.shows('This costs up to 12,400 credits. Continue?');
    await sidebar.confirm('Cancel');
    await sidebar.button(order).click();
    expect(sidebar.sent('startBulk')).toEqual([]);
    await sidebar.confirm('Order 1,240 records');
    await sidebar.shows('Order placed. Its rows appear when they are ready.');
    const title = 'Companies: software, founded 2010 …';
    expect(sidebar.sent('startBulk')).toEqual([
      {
        family: 'company_base',
        source: {
          ...{ by: 'search', limit: 10_000 },
          query: { filters: { industry: 'software', founded_year_gte: 2010 } },
        },
        approval: { credits: 12_400, digest: expect.any(String) },
        columns: expect.arrayContaining(['name', 'industry']),
        where: { kind: 'newSheet' },
        mode: 'replace',
        title,
        push: false,
      },
    ]);
    expect(countRows(sidebar, 'Companies software, founded 2010')).toBe(0);
    await sidebar.shows('The provider starts soon.');
    await sidebar.shows('Companies, raw profile · ordered just now');
    await sidebar.shows('1,240 records · 12,400 credits reserved');
    await sidebar.button(`Stop waiting (you’ll still be charged): ${title}`).click();
    await sidebar.shows(/It was already sent, so you’ll still be charged up to 12,400 credits/);
    expect(sidebar.sent('stopBulk')).toEqual([]);
    await sidebar.confirm('Stop waiting');
    await sidebar.shows('It was sent before: the provider charges it all the same.');
    await sidebar.shows('The provider delivers the order and charges what it delivers.');
  });

  it('says what its columns cost in Search, while a search has all of them and is cheaper', async () => {
    gateway.requests.matching = 1240;
    const sidebar = await open({ before: (server) => runSearch(server, { query: software, pages: 1 }) });
    await enterSearch(sidebar);
    await sidebar.price().toMatch(/^100 records/);
    const { promise, resolve } = Promise.withResolvers<void>();
    sidebar.changes.planSearch = (plan) => promise.then(() => plan);
    await setLimit(sidebar, '23');
    await sidebar.shows('These columns cost at most 20 credits in Search.');
    resolve();
    // A page is already bought.
    await sidebar.shows('These columns cost 10 credits in Search.');
    expect(await sidebar.findings()).toEqual([]);
    await sidebar.settle();
    await runSearch(sidebar.server, { query: software, pages: 6 });
    await setLimit(sidebar, '10,000');
    await sidebar.shows('The first 1,000 rows with these columns are free in Search.');
    expect(sidebar.sent('planSearch').at(-1)).toMatchObject({ pages: 50, where: { kind: 'newSheet' } });
    await sidebar.button('Open Search').click();
    await sidebar.price().toMatch(/^\d+ companies match/);
    await sidebar.tab('Bulk').click();
    await sidebar.page.locator('#panel-bulk summary', { hasText: 'Columns' }).click();
    await sidebar.button('Add column').click();
    await sidebar.button('Founded').click();
    await sidebar.price().toMatch(/^1,240 records/);
    await countHints(sidebar).toBe(0);
  });

  it('needs spending, and distinguishes new records from those already bought', async () => {
    gateway.requests.matching = 1240;
    const sidebar = await open({
      before: async (server) => {
        await completeBulk(server, createOrder({ source: { by: 'search', query: software, limit: 240 } }));
        await server.callOk('setSpending', { on: false });
      },
    });
    await enterSearch(sidebar);
    await setLimit(sidebar, '2,000');
    const price =
      '1,240 records · 240 already bought (free) · 1,000 to buy: up to 10,000 credits, charged on delivery';
    await sidebar.price().toBe(price);
    const order = sidebar.page.getByRole('button', { name: /^Order 1,240 records/ });
    expect(await order.isDisabled()).toBe(true);
    await sidebar.tab('Activity').click();
    await sidebar.page.getByLabel('Spend credits in this spreadsheet').click();
    await sidebar.tab('Bulk').click();
    await eventually(() => order.isEnabled()).toBe(true);
    await setLimit(sidebar, '200');
    await sidebar.price().toBe('200 records · all already bought (free)');
    await sidebar.shows(/The rows appear at once\./);
    await countHints(sidebar).toBe(0);
    await sidebar.button('Order 200 records · free').click();
    await sidebar.shows('200 rows arrived in “Companies: software” on sheet “Companies software”.');
    expect(countRows(sidebar, 'Companies software')).toBe(200);
  });

  it('says that it is being ordered, and asks again with the new price if the price has changed', async () => {
    gateway.requests.matching = 80;
    gateway.requests.isHeld = true;
    const sidebar = await open();
    await enterSearch(sidebar);
    await sidebar.price().toMatch(/^80 records/);
    await sidebar.settle();
    gateway.requests.matching = 90;
    await sidebar.button('Order 80 records · up to 800 credits').click();
    await sidebar.shows('The sheet or the price has changed: it is now 90 rows for 900 credits.');
    expect(gateway.requests.all).toEqual([]);
    const { promise, resolve } = Promise.withResolvers<void>();
    sidebar.changes.startBulk = (list) => promise.then(() => list);
    await sidebar.button('Order 90 records · up to 900 credits').click();
    await eventually(() => sidebar.button('Ordering …').getAttribute('aria-busy')).toBe('true');
    resolve();
    await sidebar.shows('The provider starts soon.');
  });

  it('is repeated from its table, also with an edited search: all is filled in, and nothing ordered before a click', async () => {
    const query = { filters: { industry: 'software', founded_year_gte: 2010 } };
    const sidebar = await open({
      tab: 'tables',
      workbook: createList([1, 2, 3]),
      before: async (server) => {
        await completeBulk(server, createOrder({ source: { by: 'search', query, limit: 25 } }));
        const keys = { by: 'column', sheet: 'Sheet1', column: 1, sort: 'id', scope: 'all' } as const;
        await completeBulk(server, createOrder({ source: keys, title: 'By ID' }));
      },
    });
    await sidebar.shows('Order again: at most 250 credits; records your team has are free');
    const [byId, bySearch] = await sidebar.server.callOk('tables', {});
    await sidebar.button('Order again: Software').click();
    await sidebar.price().toBe('25 records · all already bought (free)');
    await lastPlan(sidebar).toMatchObject({
      ...{ family: 'company_base', columns: ['id', 'name'], mode: 'update', title: 'Software' },
      ...{ source: { by: 'search', query, limit: 25 }, where: { kind: 'table', tableId: bySearch?.id } },
    });
    await sidebar.tab('Tables').click();
    await sidebar.button('Order again: By ID').click();
    const choice = sidebar.page.getByLabel('From IDs or links in a column');
    await eventually(() => choice.isChecked()).toBe(true);
    await lastPlan(sidebar).toMatchObject({ source: { by: 'column' }, where: { tableId: byId?.id } });
    await sidebar.tab('Tables').click();
    const card = sidebar.page.getByRole('article', { name: 'Software' });
    await card.getByText('More', { exact: true }).click();
    await card.getByRole('button', { name: 'Edit search' }).click();
    await sidebar.field('Industry').fill('mining');
    await sidebar.shows('“Software” is a bulk order.');
    await sidebar.button('Update it in Bulk').click();
    await lastPlan(sidebar).toMatchObject({
      ...{ source: { limit: 25, query: { filters: { industry: 'mining' } } }, columns: ['id', 'name'] },
      ...{ where: { kind: 'table', tableId: bySearch?.id }, mode: 'update' },
    });
    expect(sidebar.sent('startBulk')).toEqual([]);
  });

  it('chooses the only table there is, and leaves the choice between several to the person', async () => {
    const order = createBulkOrder({ family: 'company_clean', columns: ['id', 'name'] });
    const sidebar = await open({ before: (server) => completeBulk(server, order) });
    await sidebar.page.getByLabel('Existing table').click();
    const [only] = await sidebar.server.callOk('tables', {});
    await eventually(() => sidebar.page.getByLabel('Table', { exact: true }).inputValue()).toBe(only?.id);
    await lastPlan(sidebar).toMatchObject({
      ...{ where: { kind: 'table', tableId: only?.id }, mode: 'replace', columns: ['id', 'name'] },
    });
    await sidebar.settle();
    await completeBulk(sidebar.server, { ...order, title: 'Others' });
    const several = await open({ server: sidebar.server });
    await several.page.getByLabel('Existing table').click();
    await several.price().toBe('Choose a table.');
  });

  it('needs a search without mistakes, and offers what can be ordered after one at companies', async () => {
    const sidebar = await open();
    await sidebar.tab('Search').click();
    await sidebar.button('Query').click();
    await sidebar.page.getByLabel('Query (JSON)').fill('{');
    await sidebar.tab('Bulk').click();
    await sidebar.shows('The search has a mistake');
    await sidebar.button('Open Search').click();
    await sidebar.button('Form').click();
    await sidebar.page.getByLabel('Find', { exact: true }).selectOption('People');
    await sidebar.page.getByLabel('At companies in a column').click();
    await sidebar.tab('Bulk').click();
    await sidebar.shows(
      /^A bulk order takes one search, not the companies of a column\. Write the people in Search/,
    );
    await sidebar.button('Order at all companies').click();
    await sidebar.price().toMatch(/^100 records/);
    await sidebar.shows('People, standard, without conditions, at all companies');
    await eventually(() => sidebar.page.locator('input:focus').getAttribute('value')).toBe('search');
    await lastPlan(sidebar).toMatchObject({ family: 'employee_clean', source: { limit: 100 } });
  });

  it('offers to update a closed sheet if there is a service account', async () => {
    const without = await open();
    await without.price().toMatch(/^100 records/);
    await eventually(() => without.page.getByLabel('Update the sheet while it is closed').count()).toBe(0);

    gateway.lists.pushAccount = 'sheets@gateway.example';
    const sidebar = await open();
    await sidebar.page.getByLabel('Update the sheet while it is closed').click();
    const account = sidebar.field('Share the spreadsheet with this editor');
    await eventually(() => account.inputValue()).toBe('sheets@gateway.example');
    await sidebar.button('Copy address').click();
    await sidebar.shows('Address copied.');
    await sidebar.button('Order 100 records · up to 1,000 credits').click();
    await sidebar.shows('100 rows arrived');
    expect(gateway.lists.tables.items).toMatchObject([{ push: true }]);
  });
});

describe('the list', () => {
  const openList = async (options?: SidebarOptions): Promise<ServedSidebar> => {
    const sidebar = await open(options);
    await sidebar.button(/^Orders/).click();
    return sidebar;
  };
  const event = (name: string, data: unknown): string =>
    `event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

  it('shows the state of each order; cancels one that is not sent, and writes the rows of one that nobody awaited', async () => {
    const problem = createProblemSummary('provider_unavailable', 'No files came.', 'Order it again.');
    const elsewhere = {
      ...createReadyRequest({
        family: 'company_base',
        kind: 'filter',
        requested: 400,
        rows: 23,
        columns: ['id'],
      }),
      ...{ created_at: '2026-11-22T11:56:00Z', rows_until: '2026-12-22T11:56:00Z' },
      credits: { reserved: 0, charged: 230, saved: 0 },
    };
    const sidebar = await openList({
      before: async (server) => {
        const { tableId } = await completeBulk(server, createOrder());
        const where = { kind: 'table', tableId } as const;
        await completeBulk(server, createOrder({ where, mode: 'update' }));
        gateway.requests.isHeld = true;
        await startBulk(server, createOrder({ family: 'job_base', title: 'Jobs' }));
        const [last, ...others] = gateway.requests.all;
        gateway.requests.all = [
          ...(last === undefined ? [] : [{ ...last, state: 'reserved' as const }]),
          ...others,
          { ...elsewhere, id: elsewhere.id.replace(/1$/, '8'), state: 'failed', rows: 0, problem },
          { ...elsewhere, id: elsewhere.id.replace(/1$/, '9'), state: 'cancelled', cancel_requested: true },
        ];
      },
    });
    const badges = () => sidebar.page.locator('#panel-bulk .badge').allTextContents();
    await eventually(badges).toEqual(['Waiting', 'Written', 'Written', 'Failed', 'Not waiting']);
    for (const text of [
      'Its credits are reserved. It is sent in a moment.',
      'The rows are in “Software”.',
      '20 of 20 records · 200 credits',
      'A later order has updated its table in “Software”.',
      'Companies, raw profile · ordered 4 minutes ago',
      'No files came. Order it again.',
      'It was delivered and charged. You can write its rows for free.',
      '23 of 400 records · 230 credits',
      'free to write until 22 Dec 2026',
    ])
      await sidebar.shows(text);
    // The rows of the first one would be older than those in its table.
    expect(await sidebar.button('Write rows again: Software').count()).toBe(1);
    await sidebar.button('Show Software in the sheet').last().click();
    await eventually(() => sidebar.server.getWorkbook().active?.sheet).toBe('Software');
    await sidebar.button('Cancel order: Jobs').click();
    await sidebar.shows('It was not sent. The sheet or headings made for its rows were removed.');
    await sidebar.shows('It wasn’t sent. Its credits were released.');
    await sidebar.button('Write rows: Company records by a search').click();
    await sidebar.button('Write rows for free').click();
    await sidebar.shows('23 of 23 rows · free');
    expect(countRows(sidebar, 'Company records by a search')).toBe(23);
  });

  it('follows an order live and checks for deliveries until it has its rows', async () => {
    gateway.requests.isHeld = true;
    const sidebar = await openList({
      before: (server) => startBulk(server, createOrder()),
      events: (path) => {
        const [order] = gateway.requests.all;
        if (order === undefined || !path.includes(order.id)) return undefined;
        const done = { ...order, state: 'ready', rows: 20, ended_at: '2026-11-22T12:00:00Z' };
        return event('state', done) + event('close', 'ended');
      },
      stopped: true,
    });
    await sidebar.shows('The rows appear in “Software” automatically.');
    await eventually(() => sidebar.sent('deliveries').length).toBe(2);
    await sidebar.settle();
    expect(sidebar.sent('writeDelivery')).toEqual([]);
    // The delivery appears shortly after the state.
    gateway.requests.isHeld = false;
    await eventually(async () => {
      await sidebar.page.clock.runFor(500);
      return sidebar.page.getByText('20 rows arrived in “Software” on sheet “Software”.').count();
    }).toBe(1);
    await sidebar.shows('The rows are in “Software”.');
  });
});
