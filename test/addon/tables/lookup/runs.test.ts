// Lookup runs: interruptions, pending rows, manual changes, exhausted budgets and slow gateways.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import { longIt, pickCases } from '../../../pick-cases.ts';
import { createEnrichOrder, createList, createSearchOrder, runEnrichment } from '../../server/orders.ts';
import {
  completeRun,
  gateway,
  openSidebar,
  parseBody,
  type Sidebar,
  startRun,
} from '../../server/sidebar.ts';
import { padRows } from '../../server/state.ts';
import { createResponse } from '../../spreadsheet.ts';

describe('a run', () => {
  const keys = Array.from({ length: 2500 }, (_, at) => `site-${at % 2300}.example`);
  const expected = [['Website', 'Name'], ...keys.map((key) => [key, `Name of ${key}`])];

  it('retries rows that were still pending when a step ended', async () => {
    for (const key of ['site-3.example', 'site-1200.example']) gateway.pendingCounts.set(key, 1);
    const sidebar = await openSidebar({ workbook: createList(keys.slice(0, 1500)) });
    const run = await completeRun(sidebar, 'startEnrich', createEnrichOrder({ fields: ['name'] }));
    expect(run).toMatchObject({ state: 'done', rows: 1500, done: 1500, failed: {} });
    expect(sidebar.getValues('Sheet1')).toEqual(expected.slice(0, 1501));
    // 1,500 rows and two retries.
    expect(gateway.lookups.flatMap((lookup) => lookup.keys)).toHaveLength(1502);
  });

  it('resumes after any crash without duplicate, missing or twice-paid rows', async () => {
    const moments: { workbook: Workbook; document: Record<string, string> }[] = [];
    let sidebar: Sidebar | undefined;
    const note = (): void => {
      if (sidebar !== undefined)
        moments.push({ workbook: sidebar.getWorkbook(), document: sidebar.getProperties() });
    };
    sidebar = await openSidebar({
      workbook: createList(keys),
      fetch: async (request) => {
        note();
        const answered = await gateway.fetch(request);
        note();
        return answered;
      },
      onWrites: note,
    });
    const run = await startRun(sidebar, 'startEnrich', createEnrichOrder({ fields: ['name'] }));
    moments.splice(0);
    await sidebar.finishRun(run);
    expect(padRows(sidebar.getValues('Sheet1'))).toEqual(expected);
    expect(gateway.bought.size).toBe(2300);
    // Around each of three lookups, after each write, and around the report.
    expect(moments.length).toBeGreaterThanOrEqual(9);
    for (const { workbook, document } of pickCases(moments, 2)) {
      const again = await openSidebar({ workbook, properties: { document } });
      for (const left of await again.callOk('unfinished', {})) await again.resumeRun(left.runId);
      expect(padRows(again.getValues('Sheet1'))).toEqual(expected);
      again.close();
    }
    expect([...gateway.bought.values()].every((times) => times === 1)).toBe(true);
    expect(gateway.bought.size).toBe(2300);
  });

  it('follows rows that people sort, move and add meanwhile', async () => {
    const sidebar = await openSidebar({ workbook: createList(keys.slice(0, 1500)) });
    let run = await startRun(sidebar, 'startEnrich', createEnrichOrder({ fields: ['name'] }));
    run = await sidebar.callOk('step', { runId: run.runId });
    sidebar.apply([
      { kind: 'insertRows', sheet: 1, row: 1, count: 2 },
      { kind: 'insertColumns', sheet: 1, column: 1, count: 1 },
    ]);
    sidebar.editSheet('Sheet1', ({ values: [, , head = [], ...rows] }) => ({
      name: 'Renamed',
      values: [[], ['', 'My list'], head, ...rows.slice(0, 1500).toReversed(), ['', 'site-9999.example']],
    }));
    run = await sidebar.finishRun(run);
    expect(run).toMatchObject({ state: 'done', sheet: 'Renamed' });
    const rows = padRows(sidebar.getValues('Renamed')).slice(3);
    // The added row exceeds the approved price.
    expect(rows.pop()?.slice(1)).toEqual(['site-9999.example', '#BUDGET']);
    expect(rows).toHaveLength(1500);
    expect(rows.every(([, key, name]) => name === `Name of ${key}`)).toBe(true);
    expect(gateway.bought.size).toBe(1500);
  });

  longIt('over a selection stops when its rows were moved', async () => {
    const selected = [{ row: 2, column: 1, rows: 1400, columns: 1 }];
    const sidebar = await openSidebar({
      workbook: {
        ...createList(keys.slice(0, 1500)),
        active: { sheet: 'Sheet1', row: 2, column: 1 },
        selected,
      },
    });
    let run = await startRun(
      sidebar,
      'startEnrich',
      createEnrichOrder({ fields: ['name'], scope: 'selection' }),
    );
    run = await sidebar.callOk('step', { runId: run.runId });
    sidebar.editSheet('Sheet1', ({ values: [head = [], ...rows] }) => ({
      values: [head, ...rows.toReversed()],
    }));
    run = await sidebar.callOk('step', { runId: run.runId });
    expect(run).toMatchObject({
      state: 'paused',
      failure: { message: expect.stringMatching(/^Rows were moved/) },
    });
  });

  it('writes each row beside its key when people sort during a call', async () => {
    let sortIt = true;
    const sidebar: Sidebar = await openSidebar({
      workbook: createList(keys.slice(0, 30)),
      fetch: async (request) => {
        const answered = await gateway.fetch(request);
        if (sortIt && request.url.endsWith('/lookup')) {
          sortIt = false;
          sidebar.editSheet('Sheet1', ({ values: [head = [], ...rows] }) => ({
            values: [head, ...rows.toReversed()],
          }));
        }
        return answered;
      },
    });
    const done = await runEnrichment(sidebar, { fields: ['name'] });
    expect(done).toMatchObject({ state: 'done', rows: 30, done: 30 });
    const [, ...rows] = padRows(sidebar.getValues('Sheet1'));
    expect(rows).toEqual(expected.slice(1, 31).toReversed());
    expect(gateway.bought.size).toBe(30);
  });

  longIt('keeps old values until new ones arrive', async () => {
    const sidebar = await openSidebar({ workbook: createList(keys.slice(0, 3)) });
    const { tableId: id } = await runEnrichment(sidebar, { fields: ['name'] });
    gateway.pendingCounts.set('site-1.example', 1);
    let run = await startRun(sidebar, 'refreshTable', { id, only: 'all' });
    run = await sidebar.callOk('step', { runId: run.runId });
    expect(run).toMatchObject({ state: 'running', rows: 2, done: 2 });
    expect(padRows(sidebar.getValues('Sheet1'))).toEqual(expected.slice(0, 4));
    run = await sidebar.finishRun(run);
    expect(run).toMatchObject({ state: 'done', rows: 3 });
    expect(gateway.lookups.map((lookup) => lookup.keys.length)).toEqual([3, 3, 1]);
  });

  it('pauses when the provider does not respond, and can be resumed', async () => {
    gateway.pendingCounts.set('site-0.example', Number.POSITIVE_INFINITY);
    const sidebar = await openSidebar({ workbook: createList(keys.slice(0, 2)) });
    const paused = await runEnrichment(sidebar, { fields: ['name'] });
    expect(paused).toMatchObject({
      state: 'paused',
      rows: 1,
      failure: { code: 'pending', message: expect.stringMatching(/^The data provider is too slow/) },
    });
    // A row without an answer stays blank.
    expect(padRows(sidebar.getValues('Sheet1'))[1]).toEqual(['site-0.example', '']);
    gateway.pendingCounts.clear();
    const done = await sidebar.resumeRun(paused.runId);
    expect(done).toMatchObject({ state: 'done', rows: 2 });
    expect(padRows(sidebar.getValues('Sheet1'))).toEqual(expected.slice(0, 3));
  });
});

const websites = ['a.example', 'b.example', 'c.example'];
const nameOnly = { fields: ['name'] };

/** Looks up three rows with a budget for one. */
async function openWithoutBudget() {
  gateway.budget = 10;
  const sidebar = await openSidebar({ workbook: createList(websites) });
  const run = await runEnrichment(sidebar, nameOnly);
  const names = () => sidebar.getValues('Sheet1').map((row) => row[1]);
  expect(run).toMatchObject({ state: 'done', rows: 1, failed: { '#BUDGET': 2 } });
  expect(names()).toEqual(['Name', 'Name of a.example', '#BUDGET', '#BUDGET']);
  gateway.budget = 100;
  return { sidebar, names };
}

it('says how many records are left out while spending is off', async () => {
  const sidebar = await openSidebar({ workbook: createList(websites) });
  await sidebar.callOk('setSpending', { on: false });
  expect(await sidebar.callOk('planEnrich', createEnrichOrder(nameOnly))).toMatchObject({
    credits: 0,
    toFetch: 0,
    warnings: [
      'Spending is off for this spreadsheet: only records your team already bought are written, 3 are left out.',
    ],
  });
});

const completeNames = ['Name', 'Name of a.example', 'Name of b.example', 'Name of c.example'];

describe('#BUDGET cells are completed when budget is available again', () => {
  it('by looking up empty rows', async () => {
    const { sidebar, names } = await openWithoutBudget();
    const run = await runEnrichment(sidebar, { ...nameOnly, scope: 'blank' });
    expect(run).toMatchObject({ state: 'done', rows: 2, credits: 20, failed: {} });
    expect(names()).toEqual(completeNames);
  });

  it.each(['stale', 'all'] as const)('by a refresh of %s rows', async (only) => {
    const { sidebar, names } = await openWithoutBudget();
    const [table] = await sidebar.callOk('tables', {});
    await completeRun(sidebar, 'refreshTable', { id: table?.id ?? '', only });
    expect(names()).toEqual(completeNames);
  });

  it('by resuming a stopped run', async () => {
    gateway.budget = 10;
    const many = Array.from({ length: 1001 }, (_, at) => `site-${at}.example`);
    const sidebar = await openSidebar({ workbook: createList(many) });
    const begun = await startRun(sidebar, 'startEnrich', createEnrichOrder(nameOnly));
    expect(await sidebar.callOk('step', begun)).toMatchObject({
      state: 'running',
      failed: { '#BUDGET': 49 },
      failedRows: { '#BUDGET': [3, 4, 5, 6, 7] },
    });
    await sidebar.callOk('stop', begun);
    gateway.budget = 20_000;
    const run = await sidebar.resumeRun(begun.runId);
    expect(run).toMatchObject({ state: 'done', rows: 1001, done: 1001, credits: 10_010, failed: {} });
    expect(run.failedRows).toEqual({});
    expect(sidebar.getValues('Sheet1').flat()).not.toContain('#BUDGET');
  });
});

it('a resumed run of empty rows reports what the whole run has found', async () => {
  gateway.budget = 20;
  const many = Array.from({ length: 59 }, (_, at) => `site-${at}.example`);
  const sidebar = await openSidebar({ workbook: createList(['nobody.example', ...many]) });
  const begun = await startRun(sidebar, 'startEnrich', createEnrichOrder({ ...nameOnly, scope: 'blank' }));
  const stopped = await sidebar.callOk('stop', await sidebar.callOk('step', begun));
  expect(stopped).toMatchObject({ rows: 2, failed: { '#NOT_FOUND': 1, '#BUDGET': 47 } });
  gateway.budget = 1000;
  const run = await sidebar.resumeRun(begun.runId);
  expect(run).toMatchObject({ state: 'done', rows: 59, done: 60, failed: { '#NOT_FOUND': 1 } });
  expect(run.failedRows).toEqual({ '#NOT_FOUND': [2] });
});

/** Limit of a step, default deadline of the gateway, and overhead of a call. */
const MAX_STEP_MS = 25_000;
const DEFAULT_DEADLINE_MS = 25_000;
const OVERHEAD_MS = 2000;

let now = Date.parse('2026-03-01T12:00:00Z');

/** Opens a sidebar whose gateway uses the whole deadline of each call. */
function openSlow(options: Parameters<typeof openSidebar>[0] = {}, isBusy = false): Promise<Sidebar> {
  return openSidebar({
    ...options,
    now: () => now,
    fetch: async (request) => {
      if (!/\/(search|preview|lookup)$/.test(request.url)) return gateway.fetch(request);
      const { wait_ms }: { wait_ms?: number } = Object(parseBody(request));
      now += (wait_ms ?? DEFAULT_DEADLINE_MS) + OVERHEAD_MS;
      return isBusy && request.url.endsWith('/preview')
        ? createResponse(429, { code: 'rate_limited', detail: 'Too fast.', fix: 'Wait.' })
        : gateway.fetch(request);
    },
  });
}

/** Measures a duration by the script's clock. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const start = now;
  await work();
  return now - start;
}

it.each([false, true])('a page of a search ends within 25 s (rate-limited: %s)', async (isBusy) => {
  const sidebar = await openSlow({}, isBusy);
  expect(await measure(() => sidebar.callOk('planSearch', createSearchOrder()))).toBeLessThan(MAX_STEP_MS);
  const run = await startRun(sidebar, 'startSearch', createSearchOrder({ pages: 2 }));
  expect(await measure(() => sidebar.callOk('step', { runId: run.runId }))).toBeLessThan(MAX_STEP_MS);
});

it('a step ends within 25 s', async () => {
  const sidebar = await openSlow({ workbook: createList(['nobody.example', 'nobody-else.example']) });
  const run = await startRun(sidebar, 'startEnrich', createEnrichOrder());
  expect(await measure(() => sidebar.callOk('step', { runId: run.runId }))).toBeLessThan(MAX_STEP_MS);
});
