// Refreshing what was written: nothing is bought that nobody chose, and nothing twice; against the running instance.
import { describe, expect, it, vi } from 'vitest';
import type { Workbook } from '../../../addon/host/types.ts';
import { previewCredits, recordCredits } from '../../../shared/operations.ts';
import { olderThan, sampleWebsites, spentBy } from '../formulas/sheets.ts';
import { answer, network } from '../spreadsheet.ts';
import { searchOrder } from './orders.ts';
import { bodyOf, openSidebar, type Sidebar, startRun, workbookOf } from './sidebar.ts';

const columns = ['id', 'name', 'website', 'industry'];

async function written(bar: Sidebar, more: Parameters<typeof searchOrder>[0] = {}): Promise<string> {
  const order = searchOrder({ columns, pages: 1, ...more });
  return (await bar.finish(await startRun(bar, 'startSearch', order))).tableId;
}

describe('whole records', () => {
  it('are refreshed in the rows that were chosen, and bought for no other', async () => {
    const asked: string[] = [];
    const bar = await openSidebar({
      fetch: async (request) => {
        const { keys } = Object(bodyOf(request));
        if (request.url.endsWith('/lookup') && Array.isArray(keys)) asked.push(...keys.map(String));
        return network(request);
      },
    });
    const tableId = await written(bar);
    bar.edit((workbook) => ({
      ...workbook,
      active: { sheet: 'Companies', row: 3, column: 2, rows: 3, columns: 1 },
    }));
    await bar.finish(await startRun(bar, 'fullRecords', { tableId, fields: ['founded'], rows: 'selection' }));
    const ids = bar
      .values('Companies')
      .slice(2, 5)
      .map(([id]) => String(id));
    expect(asked.toSorted()).toEqual(ids.toSorted());
    const [records] = (await bar.value('tables', {})).filter(({ kind }) => kind === 'records');
    expect(records).toMatchObject({ rows: 3 });
    const id = records?.id ?? '';
    expect(await bar.value('planRefresh', { id, only: 'stale' })).toMatchObject({ rows: 3, credits: 0 });
    expect(await bar.value('planRefresh', { id, only: 'all' })).toMatchObject({
      rows: 3,
      credits: 3 * recordCredits('company_base'),
    });
    asked.splice(0);
    const done = await bar.finish(await startRun(bar, 'refreshTable', { id, only: 'all' }));
    expect(done).toMatchObject({ state: 'done', rows: 3, total: 3 });
    expect(asked.toSorted()).toEqual(ids.toSorted());
    const filled = bar.values('Companies').flatMap((row, at) => ((row[4] ?? '') === '' ? [] : [at]));
    expect([0, 2, 3, 4]).toEqual(expect.arrayContaining(filled));
  });
});

describe('a search', () => {
  it('asks anew, each page once, also where a step was cut off; of what is old alone it buys nothing that is fresh', async () => {
    const kept: { workbook: Workbook; document: Record<string, string> }[] = [];
    const bar: Sidebar = await openSidebar({
      fetch: async (request) => {
        const answered = await network(request);
        if (request.url.endsWith('/preview'))
          kept.push({ workbook: bar.workbook(), document: bar.properties() });
        return answered;
      },
    });
    const query = { es_dsl: { query: { bool: { must_not: { term: { name: 'nobody refreshed' } } } } } };
    const id = await written(bar, { query, pages: 2, mode: 'update' });
    const bought = Date.now();
    const refreshed = async (only: 'all' | 'stale') =>
      bar.finish(await startRun(bar, 'refreshTable', { id, only }));
    expect(await bar.value('planRefresh', { id, only: 'stale' })).toMatchObject({
      warnings: [expect.stringMatching(/less than a day ago are free/)],
    });
    expect(await spentBy(() => refreshed('stale'))).toBe(0);
    expect(await bar.value('planRefresh', { id, only: 'all' })).toMatchObject({
      rows: 40,
      credits: 2 * previewCredits('company_base'),
      warnings: [],
    });
    // What was bought in the second in which a run began counts as its own.
    await vi.waitFor(() => expect(Date.now() - bought).toBeGreaterThan(3000), { timeout: 10_000 });
    kept.splice(0);
    const spent = await spentBy(async () => {
      expect(await refreshed('all')).toMatchObject({ state: 'done', done: 40, saved: 0 });
      for (const { workbook, document } of kept) {
        const again = await openSidebar({ workbook, properties: { document } });
        const [left] = await again.value('unfinished', {});
        const done = await again.finish(await again.value('step', { runId: left?.runId ?? '' }));
        expect(done).toMatchObject({ state: 'done', done: 40 });
      }
    });
    expect(kept).toHaveLength(2);
    expect(spent).toBe(2 * previewCredits('company_base'));
  });
});

describe('looked-up values', () => {
  it('of what is stale buys nothing that is fresh; of all buys each once, also where a step was cut off', async () => {
    const known = [...new Set(await sampleWebsites())].slice(0, 3);
    const kept: { workbook: Workbook; document: Record<string, string> }[] = [];
    const bar: Sidebar = await openSidebar({
      workbook: workbookOf([['Website'], ...known.map((key) => [key])]),
      fetch: async (request) => {
        const answered = await network(request);
        if (request.url.endsWith('/lookup'))
          kept.push({ workbook: bar.workbook(), document: bar.properties() });
        return answered;
      },
    });
    const run = await startRun(bar, 'startEnrich', {
      sheet: 'Sheet1',
      column: 1,
      by: 'website',
      family: 'company_clean',
      scope: 'all',
      fields: ['name'],
    });
    const { tableId: id } = await bar.finish(run);
    const refreshed = async (only: 'all' | 'stale') =>
      bar.finish(await startRun(bar, 'refreshTable', { id, only }));
    expect(await bar.value('planRefresh', { id, only: 'stale' })).toMatchObject({ rows: 3, credits: 0 });
    expect(await spentBy(() => refreshed('stale'))).toBe(0);
    expect(await bar.value('planRefresh', { id, only: 'all' })).toMatchObject({ rows: 3, credits: 30 });
    // What was bought in the second in which a run began counts as its own.
    await olderThan(3, known);
    kept.splice(0);
    const spent = await spentBy(async () => {
      await refreshed('all');
      for (const { workbook, document } of kept) {
        const again = await openSidebar({ workbook, properties: { document } });
        const [left] = await again.value('unfinished', {});
        const done = await again.finish(await again.value('step', { runId: left?.runId ?? '' }));
        expect(done).toMatchObject({ state: 'done', rows: 3, credits: 0 });
      }
    });
    expect(kept).toHaveLength(1);
    expect(spent).toBe(30);
    expect((await bar.value('tables', {}))[0]?.lastRun).toMatchObject({ rows: 3, credits: 30 });
  });

  it('of a selection leaves rows alone that were never looked up, and asks again where nothing was found to write', async () => {
    const asked: string[] = [];
    const bar = await openSidebar({
      workbook: {
        ...workbookOf([['Website'], ['a.example'], ['b.example'], ['c.example'], ['d.example']]),
        active: { sheet: 'Sheet1', row: 3, column: 1, rows: 2, columns: 1 },
      },
      fetch: async (request) => {
        const { keys = [] } = Object(bodyOf(request));
        if (!/\/(lookup|estimate)$/.test(request.url)) return network(request);
        if (request.url.endsWith('/estimate')) {
          const count = keys.length;
          return answer(200, {
            keys: count,
            distinct: count,
            cached: 0,
            stale: 0,
            to_fetch: count,
            credits: count * 10,
          });
        }
        asked.push(...keys);
        const record = (key: string) => (key === 'b.example' ? { name: 'B' } : {});
        const rows = keys.map((key: string) => ({ key, status: 'hit', record: record(key), credits: 0 }));
        return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: 0 }, stamp: 'x' });
      },
    });
    const run = await startRun(bar, 'startEnrich', {
      sheet: 'Sheet1',
      column: 1,
      by: 'website',
      family: 'company_clean',
      scope: 'selection',
      fields: ['name'],
    });
    const { tableId: id } = await bar.finish(run);
    expect(bar.values('Sheet1').map((row) => row[1] ?? '')).toEqual(['name', '', 'B', '', '']);
    expect(await bar.value('tables', {})).toMatchObject([{ id, rows: 2 }]);
    expect(await bar.value('planRefresh', { id, only: 'all' })).toMatchObject({ rows: 2, credits: 20 });
    asked.splice(0);
    await bar.finish(await startRun(bar, 'refreshTable', { id, only: 'all' }));
    expect(asked).toEqual(['b.example', 'c.example']);
  });
});
