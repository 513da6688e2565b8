// Searches for people at the companies of a column: price, batches, Stop and Resume, companies without people, and Undo.
import { describe, expect, it } from 'vitest';
import type { CellValue, HostRequest } from '../../../../addon/dev/host/types.ts';
import type { SearchOrder } from '../../../../addon/server/api/index.ts';
import type { AccountsRequest } from '../../../../shared/api/accounts.ts';
import { createSearchOrder } from '../../server/orders.ts';
import {
  completeRun,
  createWorkbook,
  gateway,
  openSidebar,
  parseBody,
  type Sidebar,
  startRun,
  tryStartRun,
} from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';
import { createResponse } from '../../spreadsheet.ts';

const PAGE_SIZE = 20;
const PAGE_CREDITS = 10;

interface People {
  sidebar: Sidebar;
  /** Calls that buy rows. */
  calls: AccountsRequest[];
  /** Calls that only count. */
  estimates: AccountsRequest[];
  /** Companies that are late once. */
  late: Set<string>;
  /** Companies that the first of their people has in common. */
  shared: Set<string>;
}

/** Opens a list of companies: each has nine people, those that begin with "empty" have none. Bought pages are free. */
async function openCompanies(companies: readonly CellValue[], heading = 'Company'): Promise<People> {
  const bought = new Set<string>();
  const people: Omit<People, 'sidebar'> = { calls: [], estimates: [], late: new Set(), shared: new Set() };
  const fetch = async (request: HostRequest) => {
    if (!request.url.includes('/accounts/people')) return gateway.fetch(request);
    const body = parseBody(request) as AccountsRequest;
    const { companies: asked, per_company: most = 5, fields = [] } = body;
    const isEstimate = request.url.endsWith('/estimate');
    (isEstimate ? people.estimates : people.calls).push(body);
    const accounts = asked.map((company) => {
      if (!isEstimate && people.late.delete(company))
        return { company, total: 0, problem: 'pending', rows: [] };
      const total = company.startsWith('empty') ? 0 : 9;
      const rows = Array.from({ length: Math.min(total, most) }, (_, at) =>
        fields.map((field) =>
          field === 'id' && at === 0 && people.shared.has(company) ? 7 : `${field} ${at} of ${company}`,
        ),
      );
      return { company, total, rows, ...(total === 0 ? { problem: 'not_found' } : {}) };
    });
    const ids = accounts.flatMap(({ rows, company }) => rows.map((_, at) => `${company} ${at}`));
    const pages = Array.from({ length: Math.ceil(ids.length / PAGE_SIZE) }, (_, at) =>
      ids.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE).join(),
    ).filter((page) => !bought.has(page));
    const spent = pages.length * PAGE_CREDITS;
    if (isEstimate)
      return createResponse(200, {
        accounts: accounts.map((account) => ({ ...account, rows: account.rows.length })),
        credits: spent,
      });
    if (body.only_complete === true && accounts.some(({ problem }) => problem === 'pending')) {
      const credits = { spent: 0, saved: 0, remaining: null };
      return createResponse(200, { columns: [], accounts, credits, stamp: 'one' });
    }
    if (spent > (body.max_credits ?? spent))
      return createResponse(409, { code: 'price_changed', detail: 'The price has changed.', fix: '' });
    for (const page of pages) bought.add(page);
    return createResponse(200, {
      columns: fields.map((name) => ({ name, type: 'text' })),
      accounts,
      credits: { spent, saved: 0, remaining: null },
      stamp: 'one',
    });
  };
  return {
    ...people,
    sidebar: await openSidebar({
      workbook: createWorkbook([[heading], ...companies.map((company) => [company])]),
      fetch,
    }),
  };
}

const createOrder = (more: Partial<SearchOrder> = {}): SearchOrder =>
  createSearchOrder({
    family: 'employee_clean',
    query: { text: 'job_title:chief' },
    columns: ['full_name', 'job_title', 'id'],
    pages: 1,
    accounts: { sheet: 'Sheet1', column: 1, perCompany: 5 },
    title: 'Chiefs',
    ...more,
  });

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `company-${at}.example`);

describe('people at companies of a column', () => {
  it('are counted for free, and written beside their company for the price that was shown', async () => {
    const { sidebar, calls, estimates } = await openCompanies([
      'https://www.acme.example/',
      'acme.example',
      'Globex',
      '',
      'empty.example',
      'ada@gmail.com',
      '#N/A',
    ]);
    const before = describeWorkbook(sidebar.getWorkbook());
    const plan = await sidebar.callOk('planSearch', createOrder());
    expect(plan).toMatchObject({
      total: 18,
      rows: 10,
      credits: 10,
      companies: { all: 3, found: 2 },
      warnings: ['1 cell skipped: 1 private e-mail address.'],
    });
    const done = await completeRun(sidebar, 'startSearch', createOrder());
    expect(done).toMatchObject({
      state: 'done',
      done: 10,
      total: 10,
      rows: 10,
      credits: 10,
      failed: { '#NOT_FOUND': 1 },
      // The limit left out eight people.
      perCompany: 5,
    });
    const { tableId } = done;
    const existing = { tableId, title: 'Chiefs', columns: ['full_name', 'job_title', 'id'] };
    expect(await sidebar.callOk('planSearch', createOrder())).toMatchObject({ credits: 0, existing });
    expect(calls).toMatchObject([
      {
        companies: ['acme.example', 'Globex', 'empty.example'],
        text: 'job_title:chief',
        per_company: 5,
        fields: ['full_name', 'job_title', 'id'],
        max_credits: 10,
      },
    ]);
    expect(JSON.stringify([calls, estimates])).not.toContain('gmail');
    const values = sidebar.getValues('Chiefs');
    expect(values.slice(0, 2)).toEqual([
      ['Company', 'Full name', 'Job title', 'ID'],
      ['acme.example', 'full_name 0 of acme.example', 'job_title 0 of acme.example', 'id 0 of acme.example'],
    ]);
    expect(values.slice(1).map(([company]) => company)).toEqual([
      ...Array(5).fill('acme.example'),
      ...Array(5).fill('Globex'),
    ]);
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
  });

  it('count companies without rows neither as rows nor as failures, and no cell that is no company', async () => {
    const { sidebar, calls } = await openCompanies(['a.example', 'empty.example', 'bad value', 7], 'Website');
    const order = createOrder({ accounts: { sheet: 'Sheet1', column: 1, perCompany: 9 } });
    expect(await sidebar.callOk('planSearch', order)).toMatchObject({
      companies: { all: 3, found: 2 },
      warnings: ['1 cell skipped: 1 name.'],
    });
    const done = await completeRun(sidebar, 'startSearch', order);
    // No match is left out.
    expect(done).toMatchObject({ done: 18, total: 18, rows: 18, failed: { '#NOT_FOUND': 1 }, perCompany: 0 });
    expect(calls.map(({ companies }) => companies)).toEqual([['a.example', 'empty.example', '7']]);
    const [table] = await sidebar.callOk('tables', {});
    expect(table?.lastRun.counts).toMatchObject({ found: 18, without: 1, invalid: 0 });
    expect(table?.lastRun.counts).not.toHaveProperty('notFound');
    expect((await sidebar.callOk('activity', {})).runs).toMatchObject([
      { title: 'Chiefs', rows: 18, failed: 0 },
    ]);
  });

  it('are written 50 companies a step, which wait for a late one; Stop and Resume buy nothing twice', async () => {
    const companies = names(120);
    const { sidebar, calls, estimates, late } = await openCompanies(companies);
    const run = await startRun(sidebar, 'startSearch', createOrder());
    late.add('company-3.example');
    expect(estimates.slice(0, 3).map((each) => each.companies.length)).toEqual([50, 50, 20]);
    // 250, 250 and 100 rows, 20 to a page.
    expect(run.maxCredits).toBe((13 + 13 + 5) * PAGE_CREDITS);
    expect(await sidebar.callOk('step', { runId: run.runId })).toMatchObject({ state: 'running', done: 0 });
    await sidebar.callOk('step', { runId: run.runId });
    expect(await sidebar.callOk('stop', { runId: run.runId })).toMatchObject({ state: 'stopped', done: 250 });
    const done = await sidebar.resumeRun(run.runId);
    expect(done).toMatchObject({ state: 'done', rows: 600, credits: 310 });
    expect(calls.map((each) => each.companies.length)).toEqual([50, 50, 50, 20]);
    const written = sidebar.getValues('Chiefs').slice(1);
    expect(written).toHaveLength(600);
    expect(new Set(written.map(([company]) => company)).size).toBe(120);
  });

  it('cost at most the maximum of companies that are too many to count', async () => {
    const { sidebar, estimates } = await openCompanies(names(450));
    const plan = await sidebar.callOk('planSearch', createOrder());
    expect(estimates).toHaveLength(4);
    expect(plan).toMatchObject({ isMaximum: true, rows: 2250, companies: { all: 450 }, credits: 9 * 130 });
  });

  it('are refreshed from the column, wherever it is, for free if nothing changed', async () => {
    const { sidebar, calls } = await openCompanies(['acme.example', 'Globex']);
    const { tableId } = await completeRun(sidebar, 'startSearch', createOrder());
    expect(await sidebar.callOk('tables', {})).toMatchObject([
      { accounts: { column: 1 }, rows: 10, manualReason: expect.stringMatching(/no schedule/) },
    ]);
    sidebar.apply([{ kind: 'insertColumns', sheet: 1, column: 1, count: 1 }]);
    sidebar.editSheet('Sheet1', ({ values }) => ({ values: [['', 'Firma'], ...values.slice(1)] }));
    const refreshed = await completeRun(sidebar, 'refreshTable', { id: tableId, only: 'stale' });
    expect(refreshed).toMatchObject({ state: 'done', credits: 0 });
    expect(calls.map(({ companies }) => companies)).toEqual(Array(2).fill(['acme.example', 'Globex']));
    expect(sidebar.getValues('Chiefs')).toHaveLength(11);
    sidebar.apply([{ kind: 'deleteColumns', sheet: 1, column: 2, count: 1 }]);
    expect(await tryStartRun(sidebar, 'refreshTable', { id: tableId, only: 'all' })).toMatchObject({
      ok: false,
      code: 'gone',
    });
  });

  it('stay beside a person’s own column, also a person at two companies', async () => {
    const { sidebar, shared } = await openCompanies(['acme.example', 'Globex']);
    for (const company of ['acme.example', 'Globex']) shared.add(company);
    const { tableId } = await completeRun(sidebar, 'startSearch', createOrder());
    sidebar.apply([{ kind: 'insertColumns', sheet: sidebar.getSheet('Chiefs').id, column: 2, count: 1 }]);
    sidebar.editSheet('Chiefs', ({ values: [head = [], ...rows] }) => ({
      values: [
        [head[0] ?? '', 'Call', ...head.slice(2)],
        ...rows.toReversed().map(([company = '', , ...cells]) => [company, `note on ${cells[0]}`, ...cells]),
      ],
    }));
    const before = sidebar.getValues('Chiefs');
    expect(before.filter((row) => row.includes(7))).toHaveLength(2);
    await completeRun(sidebar, 'refreshTable', { id: tableId, only: 'stale' });
    expect(sidebar.getValues('Chiefs')).toEqual(before);
  });

  it('are not written into a table of another search, nor bought for a changed column', async () => {
    const { sidebar, calls } = await openCompanies(['acme.example']);
    const { tableId } = await completeRun(sidebar, 'startSearch', createOrder());
    const { accounts: _, ...everywhere } = createOrder({ where: { kind: 'table', tableId } });
    expect(await sidebar.call('planSearch', everywhere)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^This table shows other records/),
    });
    const { approval } = await sidebar.callOk('planSearch', createOrder());
    sidebar.editSheet('Sheet1', (sheet) => ({ ...sheet, values: [...sheet.values, ['Globex']] }));
    expect(await sidebar.call('startSearch', { ...createOrder(), approval })).toMatchObject({
      ok: false,
      code: 'price_changed',
    });
    expect(calls).toHaveLength(1);
  });
});
