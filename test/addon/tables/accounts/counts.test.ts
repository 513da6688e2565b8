// Counts of people and open jobs beside companies, for free, and orders that they limit.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import type { EnrichOrder } from '../../../../addon/server/api/index.ts';
import type { AccountCountsRequest } from '../../../../shared/api/accounts.ts';
import { createEnrichOrder, createSearchOrder } from '../../server/orders.ts';
import {
  completeRun,
  createWorkbook,
  gateway,
  openSidebar,
  type Sidebar,
  startRun,
  tryStartRun,
} from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';

interface Jobs {
  sidebar: Sidebar;
  /** Calls that count. */
  calls: AccountCountsRequest[];
  /** Open jobs by company. Default: 0. */
  open: Map<string, number>;
  /** Companies that are late once. */
  late: Set<string>;
}

/** Opens a list of companies. Any other call about people or jobs fails. */
async function openCompanies(
  rows: readonly CellValue[][],
  heading: CellValue[] = ['Website'],
): Promise<Jobs> {
  const jobs: Omit<Jobs, 'sidebar'> = { calls: [], open: new Map(), late: new Set() };
  gateway.answer('POST accounts/jobs/counts', (body) => {
    jobs.calls.push(body);
    const accounts = body.companies.map((company) =>
      jobs.late.delete(company)
        ? { company, total: 0, problem: 'pending' as const }
        : { company, total: jobs.open.get(company) ?? 0 },
    );
    return { accounts, stamp: 'one' };
  });
  return { ...jobs, sidebar: await openSidebar({ workbook: createWorkbook([heading, ...rows]) }) };
}

const createCountOrder = (more: Partial<EnrichOrder> = {}): EnrichOrder =>
  createEnrichOrder({
    family: 'job_base',
    fields: ['count'],
    count: { query: { filters: { title: 'sales' } }, heading: 'Open jobs: sales' },
    ...more,
  });

/** Runs a count. @returns the id of its table */
const countJobs = async (sidebar: Sidebar): Promise<string> =>
  (await completeRun(sidebar, 'startEnrich', createCountOrder())).tableId;

const PAID_CALLS = /^POST (?:lookup|match|preview|requests|accounts\/\w+)$/;

describe('counts at companies of a column', () => {
  it('stand beside each company, cost nothing with spending off, and are undone', async () => {
    const { sidebar, calls, open } = await openCompanies(
      [
        ['https://www.acme.example/', 'x'],
        ['Globex', 'y'],
        ['', 'z'],
        ['acme.example', ''],
        ['ada@gmail.com', ''],
        ['none.example', ''],
      ],
      ['Company', 'Note'],
    );
    open.set('acme.example', 12).set('Globex', 3);
    await sidebar.callOk('setSpending', { on: false });
    const before = describeWorkbook(sidebar.getWorkbook());
    expect(await sidebar.callOk('planEnrich', createCountOrder({ by: 'name' }))).toMatchObject({
      rows: 5,
      distinct: 3,
      credits: 0,
      invalid: 1,
      warnings: [],
      columns: [{ heading: 'Open jobs: sales', letter: 'C', isNew: true }],
    });
    const done = await completeRun(sidebar, 'startEnrich', createCountOrder({ by: 'name' }));
    expect(done).toMatchObject({
      kind: 'count',
      state: 'done',
      rows: 4,
      credits: 0,
      maxCredits: 0,
      failed: { '#INVALID_KEY': 1 },
    });
    expect(sidebar.getValues('Sheet1').map(([, , count = '']) => count)).toEqual([
      'Open jobs: sales',
      12,
      3,
      '',
      12,
      '#INVALID_KEY',
      0,
    ]);
    expect(calls).toMatchObject([
      { companies: ['acme.example', 'Globex', 'none.example'], filters: { title: 'sales' } },
    ]);
    expect(sidebar.listCalls().filter((call) => PAID_CALLS.test(call))).toEqual([]);
    expect((await sidebar.callOk('activity', {})).runs).toMatchObject([
      { kind: 'count', rows: 4, credits: 0 },
    ]);
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
  });

  it('of late companies are asked again, and of the others after Stop and Resume', async () => {
    const { sidebar, calls, open, late } = await openCompanies([['a.example'], ['b.example'], ['c.example']]);
    open.set('b.example', 2).set('c.example', 5);
    for (const company of ['a.example', 'b.example', 'c.example']) late.add(company);
    const { runId } = await startRun(sidebar, 'startEnrich', createCountOrder());
    expect(await sidebar.callOk('step', { runId })).toMatchObject({
      state: 'running',
      done: 0,
      waitMs: 3000,
    });
    late.add('b.example');
    expect(await sidebar.callOk('step', { runId })).toMatchObject({ state: 'running', done: 2 });
    expect(await sidebar.callOk('stop', { runId })).toMatchObject({ state: 'stopped', done: 2 });
    expect(sidebar.getValues('Sheet1').map(([, count]) => count)).toEqual([
      'Open jobs: sales',
      0,
      undefined,
      5,
    ]);
    expect(await sidebar.resumeRun(runId)).toMatchObject({ state: 'done', done: 3, credits: 0 });
    expect(sidebar.getValues('Sheet1')[2]).toEqual(['b.example', 2]);
    expect(calls.map(({ companies }) => companies)).toEqual([
      ['a.example', 'b.example', 'c.example'],
      ['a.example', 'b.example', 'c.example'],
      ['b.example'],
    ]);
  });

  it('take 1,000 companies a call', async () => {
    const rows = Array.from({ length: 1001 }, (_, at) => [`company-${at}.example`]);
    const { sidebar, calls } = await openCompanies(rows);
    expect(await completeRun(sidebar, 'startEnrich', createCountOrder())).toMatchObject({ rows: 1001 });
    expect(calls.map(({ companies }) => companies.length)).toEqual([1000, 1]);
  });

  it('are counted again in their column, wherever it is, with new companies; another search has its own', async () => {
    const { sidebar, open } = await openCompanies([['a.example'], ['b.example']]);
    open.set('a.example', 1).set('b.example', 2);
    const id = await countJobs(sidebar);
    sidebar.apply([{ kind: 'insertColumns', sheet: 1, column: 2, count: 1 }]);
    sidebar.editSheet('Sheet1', ({ values }) => ({
      values: [...values.map((row, at) => (at === 2 ? ['b.example', '', 99] : row)), ['c.example']],
    }));
    open.set('a.example', 7).set('c.example', 3);
    const asked = await tryStartRun(sidebar, 'refreshTable', { id, only: 'all' });
    expect(asked).toMatchObject({ ok: false, code: 'confirm_first', replaced: { cells: 1, canKeep: true } });
    const kept = await completeRun(sidebar, 'refreshTable', {
      id,
      only: 'all',
      confirmed: true,
      keepChanges: true,
    });
    expect(kept).toMatchObject({ state: 'done', credits: 0 });
    expect(sidebar.getValues('Sheet1').map(([, , count]) => count)).toEqual(['Open jobs: sales', 7, 99, 3]);
    const other = createCountOrder({ count: { query: { text: '*' }, heading: 'Open jobs' } });
    const { tableId } = await completeRun(sidebar, 'startEnrich', other);
    expect(tableId).not.toBe(id);
    expect(await sidebar.callOk('tables', {})).toMatchObject([
      { id: tableId, kind: 'count', title: 'Open jobs', rows: 3 },
      {
        id,
        kind: 'count',
        title: 'Open jobs: sales',
      },
    ]);
  });
});

describe('a column of counts', () => {
  /** Counts jobs at three companies: 0, 3 and 5. */
  async function openCounted() {
    const jobs = await openCompanies([['a.example'], ['b.example'], ['c.example']]);
    jobs.open.set('b.example', 3).set('c.example', 5);
    const tableId = await countJobs(jobs.sidebar);
    return { ...jobs, atLeast: { tableId, count: 3 } };
  }

  it('is offered beside its companies, and limits what is bought and its price', async () => {
    const { sidebar, atLeast } = await openCounted();
    const [column] = await sidebar.callOk('columns', {});
    expect(column?.beside).toMatchObject([{ heading: 'Open jobs: sales', counts: atLeast.tableId }]);
    const order = createEnrichOrder({ atLeast });
    expect(await sidebar.callOk('planEnrich', order)).toMatchObject({ rows: 2, credits: 20 });
    // Only the counts have changed since the price was shown.
    const { approval } = await sidebar.callOk('planEnrich', order);
    sidebar.editSheet('Sheet1', ({ values }) => ({
      values: values.map((row, at) => (at === 1 ? ['a.example', 3] : row)),
    }));
    expect(await sidebar.call('startEnrich', { ...order, approval })).toMatchObject({
      code: 'price_changed',
    });
    sidebar.editSheet('Sheet1', ({ values }) => ({
      values: values.map((row, at) => (at === 1 ? ['a.example', 2] : row)),
    }));
    await completeRun(sidebar, 'startEnrich', order);
    expect(gateway.lookups.flatMap(({ keys }) => keys)).toEqual(['b.example', 'c.example']);
    expect(sidebar.getValues('Sheet1')[1]).toEqual(['a.example', 2]);
  });

  it('limits the companies whose people are listed, until it is deleted', async () => {
    const { sidebar, atLeast } = await openCounted();
    const asked: string[][] = [];
    gateway.answer('POST accounts/people/estimate', ({ companies }) => {
      asked.push(companies);
      const accounts = companies.map((company) => ({ company, total: 5, rows: 5 }));
      return { accounts, rows: 10, pages: 1, cached: 0, to_fetch: 1, credits: 10 };
    });
    const order = createSearchOrder({
      family: 'employee_clean',
      columns: ['full_name', 'id'],
      accounts: { sheet: 'Sheet1', column: 1, perCompany: 5, atLeast },
    });
    expect(await sidebar.callOk('planSearch', order)).toMatchObject({ rows: 10, companies: { all: 2 } });
    expect(asked).toEqual([['b.example', 'c.example']]);
    sidebar.apply([{ kind: 'deleteColumns', sheet: 1, column: 2, count: 1 }]);
    expect(await sidebar.call('planSearch', order)).toMatchObject({
      code: 'gone',
      message: expect.stringMatching(/^The column of numbers was deleted/),
    });
    expect(await sidebar.call('planEnrich', createEnrichOrder({ atLeast }))).toMatchObject({ code: 'gone' });
  });
});
