// Bulk orders in the sidebar: price, order and progress.
import { describe, expect, it } from 'vitest';
import type { BulkList, Table } from '../../addon/server/api/index.ts';
import type { Family } from '../../shared/families/index.ts';
import { eventually } from './browser.ts';
import { answers, NOW, plan as searchPlan, status, table } from './sidebar-answers.ts';
import { ACCOUNT, bulkList, bulkPlan, ready, request } from './sidebar-bulk-answers.ts';
import { type CannedSidebar, Refused, setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);
const atBulk = { status: () => ({ ...status, tab: 'bulk' as const }) };
const only = (...requests: BulkList['requests']): BulkList => ({ ...bulkList, requests });

/** Fills in a search and opens the bulk tab. */
async function enterSearch(sidebar: CannedSidebar, family: Family = 'company_base'): Promise<void> {
  await sidebar.tab('Search').click();
  await sidebar.chooseFamily(family);
  await sidebar.field('Industry').fill('software');
  await sidebar.tab('Bulk').click();
}

describe('an order', () => {
  it('uses the search of the Search tab and shows the price first', async () => {
    const sidebar = await open(atBulk);
    await sidebar.shows('Companies, standard, without conditions');
    await sidebar.price().toBe('100 records · up to 1,000 credits, charged on delivery');
    await sidebar.shows(/10 credits a record\. The rows appear when they are ready/);
    expect(sidebar.sent('planBulk').at(-1)?.source).toEqual({
      ...{ by: 'search', limit: 100 },
      query: { es_dsl: { query: { match_all: {} } } },
    });
    await enterSearch(sidebar);
    await sidebar.price().toMatch(/^100 records/);
    await sidebar.shows('Companies: software');
    await eventually(() => sidebar.page.getByText('without conditions').count()).toBe(0);
    await sidebar.field('Maximum number of records').fill('10,000');
    await sidebar.price().toBe('1,240 records · up to 12,400 credits, charged on delivery');
    expect(sidebar.sent('startBulk')).toEqual([]);
    await sidebar.button('Order 1,240 records · up to 12,400 credits').click();
    await sidebar.shows('Order placed. Its rows appear when they are ready.');
    await sidebar.shows('The provider is collecting the records.');
    await eventually(() => sidebar.sent('startBulk')).toEqual([
      {
        family: 'company_base',
        source: { by: 'search', query: { filters: { industry: 'software' } }, limit: 10_000 },
        approval: { credits: 12_400, digest: 'bulk' },
        columns: ['name', 'industry'],
        where: { kind: 'newSheet' },
        mode: 'replace',
        title: 'Companies: software',
        push: false,
      },
    ]);
  });

  it('writes the columns of the search, also where records name them differently', async () => {
    const columns = ['name', 'websites_main', 'founded'].map((name) => ({ name, type: 'text' as const }));
    const sidebar = await open({
      ...atBulk,
      fields: () => ({ columns, preview: [], defaults: ['founded'] }),
    });
    await enterSearch(sidebar, 'company_clean');
    await sidebar.price().toMatch(/^100 records/);
    await eventually(async () => sidebar.sent('planBulk').at(-1)?.columns).toEqual(['name', 'websites_main']);
  });

  it('says what its columns cost in Search, if a search has all of them and is cheaper', async () => {
    let answer = (): void => {};
    const sidebar = await open(atBulk);
    await enterSearch(sidebar);
    const free = sidebar.answers.planSearch;
    sidebar.answers.planSearch = () =>
      new Promise((resolve) => {
        answer = () => resolve({ ...searchPlan, credits: 10 });
      });
    const limit = sidebar.field('Maximum number of records');
    await limit.fill('23');
    await sidebar.shows('These columns cost at most 20 credits in Search.');
    answer();
    // A page is already bought.
    await sidebar.shows('These columns cost 10 credits in Search.');
    expect(await sidebar.findings()).toEqual([]);
    sidebar.answers.planSearch = () => ({ ...searchPlan, credits: 0 });
    await limit.fill('10,000');
    await sidebar.shows('The first 1,000 rows with these columns are free in Search.');
    await eventually(() => sidebar.sent('planSearch').at(-1)).toMatchObject({
      pages: 50,
      where: { kind: 'newSheet' },
    });
    if (free) sidebar.answers.planSearch = free;
    await sidebar.button('Open Search').click();
    await sidebar.price().toMatch(/^1,240 companies match/);
    await sidebar.tab('Bulk').click();
    await sidebar.page.locator('#panel-bulk summary', { hasText: 'Columns' }).click();
    await sidebar.button('Add column').click();
    await sidebar.button('Founded').click();
    await sidebar.price().toMatch(/^1,240 records/);
    await eventually(() => sidebar.page.getByText('in Search.').count()).toBe(0);
    sidebar.answers.planBulk = () => ({ ...bulkPlan, cached: 1240, credits: 0 });
    await sidebar.button('Remove Founded').click();
    await sidebar.price().toBe('1,240 records · all already bought (free)');
    await eventually(() => sidebar.page.getByText('in Search.').count()).toBe(0);
  });

  it('is not possible while spending is off', async () => {
    const sidebar = await open({ status: () => ({ ...status, tab: 'bulk', sheetSpending: false }) });
    await enterSearch(sidebar);
    const order = sidebar.page.getByRole('button', { name: /^Order [\d,]+ records/ });
    await eventually(() => order.isDisabled()).toBe(true);
  });

  it('distinguishes new records from those already bought', async () => {
    let plan = { ...bulkPlan, cached: 240, credits: 10_000, approval: { credits: 10_000, digest: 'bulk' } };
    const sidebar = await open({ ...atBulk, planBulk: () => plan });
    await enterSearch(sidebar);
    const price =
      '1,240 records · 240 already bought (free) · 1,000 to buy: up to 10,000 credits, charged on delivery';
    await sidebar.price().toBe(price);
    await eventually(() => sidebar.button('Order 1,240 records · up to 10,000 credits').isEnabled()).toBe(
      true,
    );
    plan = { ...plan, cached: 1240, credits: 0, approval: { credits: 0, digest: 'bulk' } };
    await sidebar.field('Maximum number of records').fill('2,000');
    await sidebar.price().toBe('1,240 records · all already bought (free)');
    await sidebar.shows(/The rows appear at once\./);
    await sidebar.button('Order 1,240 records · free').click();
    await eventually(() => sidebar.sent('startBulk').at(-1)).toMatchObject({ approval: { credits: 0 } });
  });

  it('says that it is being ordered, and asks again with the new price if the price has changed', async () => {
    let credits = 10_000;
    let answer = (): void => {};
    const sidebar = await open({
      ...atBulk,
      planBulk: () => ({ ...bulkPlan, records: 1000, credits, approval: { credits, digest: 'bulk' } }),
      startBulk: ({ approval }) => {
        if (approval.credits === 11_000) {
          return new Promise((resolve) => {
            answer = () => resolve(bulkList);
          });
        }
        credits = 11_000;
        return new Refused('The price changed from 10,000 to 11,000 credits.');
      },
    });
    await enterSearch(sidebar);
    await sidebar.button('Order 1,000 records · up to 10,000 credits').click();
    await sidebar.shows('The price changed from 10,000 to 11,000 credits.');
    await sidebar.button('Order 1,000 records · up to 11,000 credits').click();
    await eventually(() => sidebar.button('Ordering …').getAttribute('aria-busy')).toBe('true');
    answer();
    await sidebar.shows('The provider is collecting the records.');
  });

  it('asks for confirmation above the limit of the admin', async () => {
    const connection = status.connection && { ...status.connection, confirmAbove: 9_999 };
    const sidebar = await open({ status: () => ({ ...status, tab: 'bulk', connection }) });
    await enterSearch(sidebar);
    await sidebar.field('Maximum number of records').fill('1,000');
    const order = 'Order 1,000 records · up to 10,000 credits';
    await sidebar.button(order).click();
    await sidebar.shows('This costs up to 10,000 credits. Continue?');
    expect(sidebar.sent('startBulk')).toEqual([]);
    await sidebar.confirm('Cancel');
    await sidebar.button(order).click();
    await sidebar.confirm(order);
    await sidebar.shows('The provider is collecting the records.');
    await eventually(() => sidebar.sent('startBulk')).toHaveLength(1);
  });

  it('is repeated from its table: conditions, columns and table are filled in, and nothing is ordered before a click', async () => {
    const ordered: Table = {
      ...{ ...table, id: 'ordered', kind: 'bulk', title: 'Software', columns: ['id', 'name'] },
      ...{ query: { filters: { industry: 'software', founded_gte: '2010' } }, limit: 2500 },
    };
    const byColumn: Table = { ...ordered, id: 'column', title: 'By link' };
    delete byColumn.query;
    const sidebar = await open({
      status: () => ({ ...status, tab: 'tables' }),
      tables: () => [ordered, byColumn],
    });
    await sidebar.shows('Order again: at most 1,000 credits; records your team has are free');
    await sidebar.button('Order again: Software').click();
    await sidebar.price().toMatch(/^1,240 records · up to/);
    await sidebar.button('Order 1,240 records · up to 12,400 credits').waitFor();
    const expected = {
      ...{ family: 'company_base', columns: ordered.columns, mode: 'update', title: 'Software' },
      ...{ source: { by: 'search', query: ordered.query, limit: 2500 } },
      where: { kind: 'table', tableId: 'ordered' },
    };
    expect(sidebar.sent('planBulk').at(-1)).toMatchObject(expected);
    expect(sidebar.sent('startBulk')).toEqual([]);
    await sidebar.tab('Tables').click();
    await sidebar.button('Order again: By link').click();
    const choice = sidebar.page.getByLabel('From IDs or links in a column');
    await eventually(() => choice.isChecked()).toBe(true);
    expect(sidebar.sent('startBulk')).toEqual([]);
  });

  it('chooses the only table there is, and leaves the choice between several to the person', async () => {
    const only: Table = { ...table, id: 'only', kind: 'bulk', family: 'company_clean' };
    const sidebar = await open({ ...atBulk, tables: () => [only] });
    const existing = sidebar.page.getByLabel('Existing table');
    const chosen = sidebar.page.getByLabel('Table', { exact: true });
    await existing.click();
    await eventually(() => chosen.inputValue()).toBe('only');
    await eventually(() => sidebar.sent('planBulk').at(-1)).toMatchObject({
      ...{ where: { kind: 'table', tableId: 'only' }, mode: 'replace', columns: only.columns },
    });
    const several = await open({ ...atBulk, tables: () => [only, { ...only, id: 'other' }] });
    await several.page.getByLabel('Existing table').click();
    await several.price().toBe('Choose a table.');
  });

  it('names a range in its default title', async () => {
    const sidebar = await open(atBulk);
    await sidebar.tab('Search').click();
    await sidebar.chooseFamily('company_clean');
    await sidebar.field('Industry').fill('software');
    await sidebar.button('Add condition').click();
    await sidebar.field('Find a condition').fill('founded');
    await sidebar.field('Find a condition').press('Enter');
    await sidebar.page
      .getByRole('textbox', { name: /founded/i })
      .first()
      .fill('2010');
    await sidebar.tab('Bulk').click();
    await sidebar.shows('Companies: software, founded 2010 or later');
    // Names of sheets are short.
    await eventually(() => sidebar.sent('planBulk').at(-1)?.title).toBe(
      'Companies: software, founded 2010 …',
    );
  });

  it('needs a search without mistakes, and offers what can be ordered after one at companies', async () => {
    const sidebar = await open(atBulk);
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
    await eventually(() => sidebar.sent('planBulk').at(-1)).toMatchObject({
      family: 'employee_clean',
      source: { limit: 100 },
    });
  });

  it('offers to update a closed sheet if there is a service account', async () => {
    const sidebar = await open(atBulk);
    await enterSearch(sidebar);
    await sidebar.page.getByLabel('Update the sheet while it is closed').click();
    await eventually(() => sidebar.field('Share the spreadsheet with this editor').inputValue()).toBe(
      ACCOUNT,
    );
    await sidebar.button('Copy address').click();
    await sidebar.shows('Address copied.');
    await sidebar.button('Order 100 records · up to 1,000 credits').click();
    await eventually(() => sidebar.sent('startBulk').at(-1)?.push).toBe(true);

    const without = await open({ ...atBulk, bulkRequests: () => ({ ...bulkList, pushAccount: null }) });
    await enterSearch(without);
    await without.shows('Maximum number of records');
    await eventually(() => without.page.getByLabel('Update the sheet while it is closed').count()).toBe(0);
  });
});

describe('the list', () => {
  const openList = async (...[changed, options]: Parameters<typeof open>): Promise<CannedSidebar> => {
    const sidebar = await open({ ...atBulk, ...changed }, { now: NOW, ...options });
    await sidebar.button(/^Orders/).click();
    return sidebar;
  };
  const bulkEvents = ({ id }: { id: string }) => ({ url: `https://gateway.example/${id}` });
  const event = (name: string, data: unknown): string =>
    `event: ${name}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

  it('shows the state, credits and failure of each order', async () => {
    const sidebar = await openList();
    await sidebar.shows('Companies, raw profile · ordered 4 minutes ago');
    await sidebar.shows('1,240 records · 12,400 credits reserved');
    await sidebar.shows('1 file · free to write until 22 Dec 2026');
    await sidebar.shows('The provider could not make the files. Order it again; nothing was charged.');
    await sidebar.shows('The provider delivers the order and charges what it delivers.');
    const badges = sidebar.page.locator('#panel-bulk .badge');
    await eventually(() => badges.allTextContents()).toEqual(['Running', 'Written', 'Failed', 'Not waiting']);
  });

  it('follows an order live and checks for deliveries when it is ready', async () => {
    const done = { ...request, state: 'ready', rows: 1240, ended_at: '2026-11-22T11:59:30Z' };
    const sidebar = await openList(
      { bulkRequests: () => only(request), bulkEvents },
      { events: () => event('state', done) + event('close', 'ended'), stopped: true },
    );
    await sidebar.shows('The rows appear in “Software” automatically.');
    await eventually(() => sidebar.sent('bulkEvents')).toEqual([{ id: 'running' }]);
    await eventually(() => sidebar.sent('deliveries').length).toBe(2);
    // The delivery may appear shortly after the state.
    await eventually(async () => {
      await sidebar.page.clock.runFor(500);
      return sidebar.sent('deliveries').length;
    }).toBeGreaterThan(2);
  });

  it('cancels an order before it is sent and shows the released credits', async () => {
    let list = only({ ...request, state: 'reserved' });
    const sidebar = await openList({
      bulkRequests: () => list,
      stopBulk: () => {
        list = only({ ...request, state: 'cancelled', watched: false, ended_at: '2026-11-22T12:00:00Z' });
        return { message: 'Cancelled: 12,400 credits were given back.', list };
      },
    });
    await sidebar.button('Cancel order: Companies: software').click();
    await sidebar.shows('12,400 credits were given back.');
    await sidebar.shows('It wasn’t sent. Its credits were released.');
  });

  it('warns that a sent order is charged before it stops waiting', async () => {
    const sidebar = await openList();
    await sidebar.button('Stop waiting (you’ll still be charged): Companies: software').click();
    await sidebar.shows(/It was already sent, so you’ll still be charged up to 12,400 credits/);
    expect(sidebar.sent('stopBulk')).toEqual([]);
    await sidebar.confirm('Stop waiting');
    await sidebar.shows('It was sent before: the provider charges it all the same.');
    await eventually(() => sidebar.sent('stopBulk')).toEqual([{ id: 'running' }]);
  });

  it('says that a later order has updated the table, and asks for nothing', async () => {
    const sidebar = await openList({ bulkRequests: () => only({ ...ready, updated: true }) });
    await sidebar.shows('A later order has updated its table in “Germany”.');
    await sidebar.button('Show Companies in Germany in the sheet').waitFor();
    expect(await sidebar.button(/^Write rows/).count()).toBe(0);
    await eventually(() => sidebar.page.getByText('free to write').count()).toBe(0);
  });

  it('writes the rows of an abandoned order for free', async () => {
    const abandoned = { ...ready, state: 'cancelled', watched: false, written: false } as const;
    const sidebar = await openList({ bulkRequests: () => only(abandoned) });
    await sidebar.shows('It was delivered and charged. You can write its rows for free.');
    await sidebar.shows('238 of 400 records · 2,380 credits');
    await sidebar.button('Write rows: Companies in Germany').click();
    await sidebar.button('Write rows for free').click();
    await sidebar.shows('100 of 100');
    await eventually(() => sidebar.sent('writeBulk')).toMatchObject([
      { id: 'ready', where: { kind: 'newSheet' } },
    ]);
  });
});
