// Refreshing what was written: nothing is bought that nobody chose, and nothing twice, wherever a step is cut off.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import { getPreviewPrice, getRecordPrice } from '../../../../shared/operations.ts';
import { enriched, list, written } from '../orders.ts';
import { gateway, openSidebar, type Sidebar, type SidebarOptions, startRun } from '../sidebar.ts';

let time = 0;
const now = (): number => time;
beforeEach(() => {
  time = Date.parse('2026-03-01T12:00:00Z');
  gateway.now = now;
});

/** A sidebar, and what its spreadsheet held after each answer of the gateway to a call of this name. */
async function recorded(call: string, options: SidebarOptions = {}) {
  const kept: { workbook: Workbook; properties: { document: Record<string, string> } }[] = [];
  const bar: Sidebar = await openSidebar({
    ...options,
    now,
    fetch: async (request) => {
      const answered = await gateway.fetch(request);
      if (request.url.endsWith(call))
        kept.push({ workbook: bar.workbook(), properties: { document: bar.properties() } });
      return answered;
    },
  });
  const refreshed = async (id: string, only: 'all' | 'stale') =>
    bar.finish(await startRun(bar, 'refreshTable', { id, only }));
  /** Goes on from each moment that was kept; gives how the runs ended. */
  const resumed = async () => {
    const ends: unknown[] = [];
    for (const moment of kept) {
      const again = await openSidebar({ ...moment, now });
      const [left] = await again.value('unfinished', {});
      ends.push(await again.finish(await again.value('step', { runId: left?.runId ?? '' })));
    }
    return ends;
  };
  return { bar, kept, refreshed, resumed };
}

it('whole records are refreshed in the rows that were chosen, and bought for no other', async () => {
  const { bar, refreshed } = await recorded('/lookup');
  const { tableId } = await written(bar, { pages: 1 });
  const active = { sheet: 'Companies', row: 3, column: 2, rows: 3, columns: 1 };
  bar.edit((workbook) => ({ ...workbook, active }));
  await bar.finish(await startRun(bar, 'startRecords', { tableId, fields: ['founded'], rows: 'selection' }));
  const ids = bar.values('Companies').slice(2, 5);
  const expected = ids.map(([id]) => String(id)).toSorted();
  const asked = () => gateway.lookups.flatMap(({ keys }) => keys).toSorted();
  expect(asked()).toEqual(expected);
  const records = (await bar.value('tables', {})).find(({ kind }) => kind === 'records');
  const id = records?.id ?? '';
  expect(records).toMatchObject({ rows: 3 });
  expect(await bar.value('planRefresh', { id, only: 'stale' })).toMatchObject({ rows: 3, credits: 0 });
  expect(await bar.value('planRefresh', { id, only: 'all' })).toMatchObject({
    rows: 3,
    credits: 3 * getRecordPrice('company_base'),
  });
  gateway.lookups.length = 0;
  expect(await refreshed(id, 'all')).toMatchObject({ state: 'done', rows: 3, total: 3 });
  expect(asked()).toEqual(expected);
});

describe('“all” buys each once, also where a step was cut off; “stale” buys nothing that is fresh', () => {
  it('a search', async () => {
    const { bar, kept, refreshed, resumed } = await recorded('/preview');
    const { tableId: id } = await written(bar, { pages: 2, mode: 'update' });
    const before = gateway.spent;
    expect(await bar.value('planRefresh', { id, only: 'stale' })).toMatchObject({
      warnings: [expect.stringMatching(/less than a day ago are free/)],
    });
    await refreshed(id, 'stale');
    expect(gateway.spent).toBe(before);
    const credits = 2 * getPreviewPrice('company_base');
    const plan = await bar.value('planRefresh', { id, only: 'all' });
    expect(plan).toMatchObject({ rows: 40, credits, warnings: [] });
    time += 5000;
    kept.splice(0);
    expect(await refreshed(id, 'all')).toMatchObject({ state: 'done', done: 40, saved: 0 });
    expect(await resumed()).toMatchObject(Array(2).fill({ state: 'done', done: 40 }));
    expect(gateway.spent).toBe(before + credits);
  });

  it('looked-up values', async () => {
    const workbook = list(['a.example', 'b.example', 'c.example']);
    const { bar, kept, refreshed, resumed } = await recorded('/lookup', { workbook });
    const { tableId: id } = await enriched(bar, { fields: ['name'] });
    const before = gateway.spent;
    expect(await bar.value('planRefresh', { id, only: 'stale' })).toMatchObject({ rows: 3, credits: 0 });
    await refreshed(id, 'stale');
    expect(gateway.spent).toBe(before);
    expect(await bar.value('planRefresh', { id, only: 'all' })).toMatchObject({ rows: 3, credits: 30 });
    time += 5000;
    kept.splice(0);
    await refreshed(id, 'all');
    expect(await resumed()).toMatchObject([{ state: 'done', rows: 3, credits: 0 }]);
    expect(gateway.spent).toBe(before + 30);
    expect((await bar.value('tables', {}))[0]?.lastRun).toMatchObject({ rows: 3, credits: 30 });
  });
});
