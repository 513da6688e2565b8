// The tab Tables: the tracked tables.
import { describe, expect, it } from 'vitest';
import type { Table } from '../../addon/server/api/index.ts';
import { accountColumn } from '../../shared/accounts.ts';
import { buildFormQuery } from '../../shared/query/form-query.ts';
import { eventually } from './browser.ts';
import {
  answers,
  lookedUp,
  NOW,
  plan,
  progress,
  refreshPlan,
  status,
  table,
  withRecords,
} from './sidebar-answers.ts';
import { setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

const at = (tab: typeof status.tab) => ({ status: () => ({ ...status, tab }) });

describe('tables', () => {
  it('lists tables with their age and deleted sheets', async () => {
    const sidebar = await open(at('tables'), { now: NOW });
    await sidebar.shows('Refreshed 2 days ago');
    await sidebar.shows('Its sheet was deleted.');
    await eventually(() => sidebar.page.getByRole('article').count()).toBe(3);
    await eventually(() => sidebar.button('Refresh Old list').count()).toBe(0);
  });

  it('says how many rows the last run found, missed and changed, and what it cost', async () => {
    const { lastRun } = table;
    const list = [{ found: 1238, notFound: 2, '#AMBIGUOUS': 1, changed: 12, added: 4 }, { updated: 0 }].map(
      (counts, at): Table => ({ ...table, id: `${at}`, title: `T${at}`, lastRun: { ...lastRun, counts } }),
    );
    const sidebar = await open({ ...at('tables'), tables: () => list }, { now: NOW });
    await sidebar.shows(
      'Last run 2 days ago: 1,238 found, 2 not found, 1 not certain, 12 changed, 4 added · 50 credits · 10 credits of data reused',
    );
    await sidebar.shows('Last run 2 days ago: nothing changed · 50 credits');
  });

  it('says in words what a table contains, and offers only what is possible', async () => {
    const query = { es_dsl: { query: { range: { 'stats.size': { gte: 5 } } } } };
    const conditions = buildFormQuery('company_clean', [
      { name: 'industry', values: ['software'], comparison: 'isNot' },
      { name: 'location_hq_city', values: [], comparison: 'hasValue' },
    ]);
    const excluding: Table = {
      ...{ ...table, id: 'excluding', title: 'Others', family: 'company_clean' },
      ...(conditions.ok && { query: conditions.query }),
    };
    const ordered = { ...table, id: 'bulk', title: 'Order', kind: 'bulk', query } as const;
    const atCompanies: Table = {
      ...{ ...table, id: 'people', title: 'People', family: 'employee_clean', rows: 30 },
      ...{
        accounts: { sheet: 'Companies', column: 1, perCompany: 5 },
        query: { es_dsl: { query: { match_all: {} } } },
        columns: [accountColumn, 'full_name'],
        lastRun: { ...table.lastRun, counts: { found: 23, without: 1 } },
      },
    };
    const lookups = ['Companies', 'Leads'].map(
      (sheet): Table => ({ ...lookedUp, id: sheet, sheet, rows: 15, frozen: false }),
    );
    const sidebar = await open({
      ...at('tables'),
      tables: () => [
        ...[table, excluding, ordered, withRecords, atCompanies, ...lookups],
        { ...lookedUp, id: 'names', title: 'Names', rows: 3, frozen: false, hasNames: true },
      ],
    });
    await sidebar.shows('100 companies from a search');
    await sidebar.shows('Industry: software · Country: Germany');
    await sidebar.shows('Refresh: at most 50 credits, if all 100 rows are outdated');
    await sidebar.shows(/^Last run .* ago: 23 found, 1 company without rows · 50 credits/);
    await sidebar.shows('100 companies from a bulk order');
    await sidebar.shows('City: has a value · Industry: not software');
    await sidebar.shows('All people at these companies');
    await sidebar.shows('a custom query');
    await sidebar.shows('ID, Name and Website for 15 rows of Companies');
    await sidebar.shows('Website (Companies)');
    await eventually(() => sidebar.button('Refresh Website (Leads)').count()).toBe(1);
    await sidebar.shows('Refresh: at most 10 credits, and up to 160 more for outdated full records');
    await sidebar.shows('Refresh: at most 150 credits, if all 15 records are outdated');
    for (const title of ['Names', 'People'])
      await sidebar.page
        .getByRole('article', { name: title })
        .getByText('Refresh shows its price first: it depends on the matches')
        .waitFor();
    await eventually(() => sidebar.button('Refresh Order').count()).toBe(0);
    await eventually(() => sidebar.button('Schedule Order').count()).toBe(1);
  });

  it('goes to the cells, renames a table, undoes its last run and opens its search again', async () => {
    const country = '(United States) OR (United States of America) OR (Germany)';
    const scheduled: Table = {
      ...table,
      query: { filters: { country, industry: 'software' } },
      conditions: [
        { name: 'country', values: ['USA', 'Germany'] },
        { name: 'industry', values: ['software'] },
      ],
      undo: 'last',
      pages: 2,
      autoRefresh: { every: 'week', state: 'on', nextAt: '2026-11-23T07:00:00Z', maxCredits: 100, spent: 0 },
    };
    const sidebar = await open(
      {
        ...at('tables'),
        tables: () => [scheduled],
        renameTable: ({ title }) => [{ ...scheduled, title }],
      },
      { now: NOW },
    );
    await sidebar.shows(/^Next refresh (?:\w+day|tomorrow) \d\d:00, at most 100 credits \(your limit\)$/);
    await sidebar.button('Go to Software · A1:G1').click();
    await eventually(() => sidebar.sent('showTable')).toEqual([{ id: 'one' }]);
    await sidebar.page.locator('summary', { hasText: 'More' }).click();
    await sidebar.button('Rename Companies: software').click();
    await eventually(() => sidebar.field('Name').evaluate((field) => field.matches(':focus'))).toBe(true);
    await sidebar.field('Name').fill('Accounts');
    await sidebar.button('Save name').click();
    await sidebar.page.getByRole('article', { name: 'Accounts' }).waitFor();
    expect(sidebar.sent('renameTable')).toEqual([{ id: 'one', title: 'Accounts' }]);
    await eventually(() => sidebar.overflow()).toBe(0);
    const loads = sidebar.sent('tables').length;
    await sidebar.button('Undo last run Accounts').click();
    await sidebar.shows('Undone (300 cells restored). Credits aren’t refunded');
    expect(sidebar.sent('undo')).toEqual([{ runId: 'last' }]);
    await eventually(() => sidebar.sent('tables').length).toBe(loads + 1);
    await sidebar.button('Edit search').click();
    await eventually(() => sidebar.field('Industry').inputValue()).toBe('software');
    // The entered conditions, without spellings that the form adds.
    const inputs = sidebar.page.locator('.panel:not([hidden]) .value input');
    await eventually(() =>
      inputs.evaluateAll((all) => all.map((each) => Reflect.get(each, 'value'))),
    ).toEqual(['USA', 'Germany', 'software', '']);
    await eventually(() => sidebar.sent('planSearch').at(-1)).toMatchObject({
      ...{ family: 'company_base', query: scheduled.query, columns: table.columns, pages: 2 },
      ...{ where: { kind: 'table', tableId: 'one' }, mode: 'replace', title: table.title },
    });
    expect(sidebar.sent('startSearch')).toEqual([]);
  });

  it('is named, with what becomes of its rows, beside the price of its edited search', async () => {
    const target = { title: 'Companies: software', rows: 11 };
    const sidebar = await open({
      ...at('search'),
      tables: () => [table],
      planSearch: ({ where }) => ({ ...plan, rows: 7, total: 7, ...(where.kind === 'table' && { target }) }),
      step: () => progress(100, 'done', { kind: 'refresh' }),
    });
    await sidebar.price().toMatch(/^7 companies/);
    const top = () => sidebar.page.locator('#panel-search > .content').evaluate((box) => box.scrollTop);
    await sidebar.page.getByText('Use as a formula').scrollIntoViewIfNeeded();
    expect(await top()).toBeGreaterThan(0);
    await sidebar.tab('Tables').click();
    await sidebar.page.locator('summary', { hasText: 'More' }).click();
    await sidebar.button('Edit search').click();
    await eventually(top).toBe(0);
    await sidebar.shows('Updates “Companies: software”: replaces its 11 rows.');
    await sidebar.page.getByLabel('Keep them, add new rows below').check();
    await sidebar.shows('Updates “Companies: software”: adds rows below its 11 rows.');
    await sidebar.page.getByLabel('Replace them').check();
    await sidebar.button('Update with 7 rows · 10 credits').click();
    await sidebar.button('Go to “Companies: software”').click();
    await eventually(() => sidebar.sent('showTable')).toEqual([{ id: 'one' }]);
    // The next search must not replace the rows by accident.
    await sidebar.field('Industry').fill('mining');
    await eventually(() => sidebar.sent('planSearch').at(-1)).toMatchObject({ where: { kind: 'newSheet' } });
  });

  it.each([
    ['Companies: software, Germany', 'Companies: mining, Germany'],
    ['My accounts', 'My accounts'],
  ])('with the name %s is called %s when its search is edited', async (title, edited) => {
    const sidebar = await open({ ...at('tables'), tables: () => [{ ...table, title }] });
    await sidebar.page.locator('summary', { hasText: 'More' }).click();
    await sidebar.button('Edit search').click();
    await sidebar.field('Industry').fill('mining');
    await eventually(() => JSON.stringify(sidebar.sent('planSearch').at(-1)?.query)).toMatch(/mining/);
    expect(sidebar.sent('planSearch').at(-1)?.title).toBe(edited);
  });

  it('of a bulk order is updated in the bulk tab after its search was edited', async () => {
    const ordered = { ...table, kind: 'bulk', limit: 250 } as const;
    const sidebar = await open({ ...at('tables'), tables: () => [ordered] });
    await sidebar.page.locator('summary', { hasText: 'More' }).click();
    await sidebar.button('Edit search').click();
    await sidebar.field('Industry').fill('mining');
    await sidebar.shows('“Companies: software” is a bulk order.');
    await sidebar.button('Update it in Bulk').click();
    await sidebar.price().toMatch(/^250 records/);
    await eventually(() => sidebar.sent('planBulk').at(-1)).toMatchObject({
      ...{ source: { limit: 250 }, columns: table.columns, mode: 'update' },
      where: { kind: 'table', tableId: 'one' },
    });
    expect(JSON.stringify(sidebar.sent('planBulk').at(-1))).toContain('mining');
  });

  it('is frozen after a question, and Undo is offered', async () => {
    const sidebar = await open({ ...at('tables'), tables: () => [table] });
    await sidebar.page.locator('summary', { hasText: 'More' }).click();
    const freeze = sidebar.button('Freeze Companies: software');
    await freeze.click();
    await sidebar.confirm('Cancel');
    await eventually(() => freeze.evaluate((button) => button.matches(':focus'))).toBe(true);
    await freeze.click();
    await sidebar.confirm('Freeze table');
    await sidebar.shows('“Companies: software” is frozen.');
    expect(sidebar.sent('freezeTable')).toEqual([{ id: 'one' }]);
    await sidebar.button('Undo').click();
    await eventually(() => sidebar.sent('undo')).toEqual([{ runId: 'end' }]);
  });

  it('keeps ages up to date, and each table in its place while the list is shown', async () => {
    const other: Table = { ...table, id: 'other', title: 'Others' };
    const sidebar = await open(
      { ...at('tables'), tables: () => [table, other] },
      { now: new Date('2026-11-20T11:58:30Z'), stopped: true },
    );
    const pass = (ms: number) => sidebar.page.clock.runFor(ms);
    const read = () => sidebar.page.locator('article').first().textContent();
    await eventually(async () => {
      await pass(10);
      return sidebar.page.locator('article').count();
    }).toBe(2);
    expect(await read()).toContain('58 minutes ago');
    sidebar.answers.tables = () => [{ ...other, lastRun: { ...other.lastRun, rows: 1 } }, table];
    await sidebar.page.evaluate("dispatchEvent(new Event('focus'))");
    await pass(60_000);
    await eventually(() => sidebar.sent('tables').length).toBeGreaterThan(1);
    await eventually(read).toContain('59 minutes ago');
    await eventually(() => sidebar.page.locator('article h3').allTextContents()).toEqual([
      table.title,
      'Others',
    ]);
  });

  it('shows the price of a refresh before it starts', async () => {
    const sidebar = await open(at('tables'));
    await sidebar.button('Refresh Companies: software').click();
    await sidebar.shows('100 rows · 50 credits');
    expect(sidebar.sent('refreshTable')).toEqual([]);
    await sidebar
      .button(/^Refresh/)
      .and(sidebar.page.locator('.primary'))
      .click();
    await sidebar.shows('100 of 100');
    const { approval } = refreshPlan;
    await eventually(() => sidebar.sent('refreshTable')).toEqual([{ id: 'one', only: 'stale', approval }]);
  });

  it('says why the price of a refresh is a maximum', async () => {
    const reason = 'full records that your team has are free';
    const sidebar = await open({ ...at('tables'), planRefresh: () => ({ ...refreshPlan, reason }) });
    await sidebar.button('Refresh Companies: software').click();
    await sidebar.shows(`100 rows · up to 50 credits: ${reason}`);
    await sidebar.button('Refresh 100 rows · up to 50 credits').waitFor();
    sidebar.answers.planRefresh = () => ({ ...refreshPlan, credits: 0 });
    await sidebar.page.getByLabel('All rows').check();
    await sidebar.button('Write 100 rows again · free').waitFor();
  });

  it('removes the schedule of a table with a deleted sheet and moves the table', async () => {
    const autoRefresh = { every: 'day', state: 'stopped', nextAt: null, maxCredits: 30, spent: 20 } as const;
    const gone = 'Its sheet was deleted. Its schedule has stopped and buys nothing.';
    const lost = { ...table, range: '', rows: 0, gone, sheetDeleted: true };
    let tables: Table[] = [{ ...lost, autoRefresh }];
    const sidebar = await open({
      ...at('tables'),
      tables: () => tables,
      setAutoRefresh: () => {
        tables = [lost];
        const report = { signals: false, snapshots: 0 };
        return { schedule: null, push: false, report, pushed: null, pushAccount: null };
      },
      moveTable: () => [table],
    });
    await sidebar.shows(gone);
    await sidebar.shows('Sheet deleted');
    await sidebar.shows('Stopped');
    await sidebar.button('Remove schedule: Companies: software').click();
    await eventually(() => sidebar.page.getByText('Stopped', { exact: true }).count()).toBe(0);
    await eventually(() => sidebar.sent('setAutoRefresh')).toEqual([
      { tableId: 'one', schedule: null, push: false },
    ]);
    await sidebar.button('Move to a new sheet: Companies: software').click();
    await sidebar.button('Refresh Companies: software').waitFor();
    await eventually(() => sidebar.sent('moveTable')).toEqual([{ id: 'one' }]);
  });
});
