// Runs over columns of keys that are cut off, late, or meet people who change the sheet meanwhile.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import { enriched, enrichOrder, list } from '../../server/orders.ts';
import { gateway, openSidebar, type Sidebar, startRun } from '../../server/sidebar.ts';
import { square, withSheet } from '../../server/state.ts';

describe('a run', () => {
  const keys = Array.from({ length: 2500 }, (_, at) => `site-${at % 2300}.example`);
  const expected = [['Website', 'name'], ...keys.map((key) => [key, `Name of ${key}`])];

  it('asks again for rows whose calls were withdrawn when a step ended, until they are there', async () => {
    for (const key of ['site-3.example', 'site-1200.example']) gateway.late.set(key, 1);
    const bar = await openSidebar({ workbook: list(keys.slice(0, 1500)) });
    const run = await bar.finish(await startRun(bar, 'startEnrich', enrichOrder({ fields: ['name'] })));
    expect(run).toMatchObject({ state: 'done', rows: 1500, done: 1500, failed: {} });
    expect(bar.values('Sheet1')).toEqual(expected.slice(0, 1501));
    // 1,500 rows, and the two that were asked again.
    expect(gateway.lookups.flatMap((lookup) => lookup.keys)).toHaveLength(1502);
  });

  it('that is killed anywhere goes on: no row twice, none missing, nothing paid twice', async () => {
    const moments: { workbook: Workbook; document: Record<string, string> }[] = [];
    let bar: Sidebar | undefined;
    const note = (): void => {
      if (bar !== undefined) moments.push({ workbook: bar.workbook(), document: bar.properties() });
    };
    bar = await openSidebar({
      workbook: list(keys),
      fetch: async (request) => {
        note();
        const answered = await gateway.fetch(request);
        note();
        return answered;
      },
      onWrites: note,
    });
    const run = await startRun(bar, 'startEnrich', enrichOrder({ fields: ['name'] }));
    moments.splice(0);
    await bar.finish(run);
    expect(square(bar.values('Sheet1'))).toEqual(expected);
    expect(gateway.bought.size).toBe(2300);
    // Before and after each of three lookups, after each write, and around the report.
    expect(moments.length).toBeGreaterThanOrEqual(9);
    for (const { workbook, document } of moments) {
      const again = await openSidebar({ workbook, properties: { document } });
      for (const left of await again.value('unfinished', {}))
        await again.finish(await again.value('step', left));
      expect(square(again.values('Sheet1'))).toEqual(expected);
      again.close();
    }
    expect([...gateway.bought.values()].every((times) => times === 1)).toBe(true);
    expect(gateway.bought.size).toBe(2300);
  }, 120_000);

  it('is not confused where people sort, move and add rows meanwhile', async () => {
    const bar = await openSidebar({ workbook: list(keys.slice(0, 1500)) });
    let run = await startRun(bar, 'startEnrich', enrichOrder({ fields: ['name'] }));
    run = await bar.value('step', { runId: run.runId });
    bar.edit((workbook) =>
      withSheet(workbook, 'Sheet1', ({ values: [head = [], ...rows] }) => ({
        name: 'Renamed',
        values: [
          [],
          ['', 'My list'],
          ['', ...head],
          ...rows.toReversed().map((row) => ['', ...row]),
          ['', 'site-9999.example'],
        ],
      })),
    );
    run = await bar.finish(run);
    expect(run).toMatchObject({ state: 'done', sheet: 'Renamed' });
    const rows = square(bar.values('Renamed')).slice(3);
    // The row that was added is beyond the price that was approved.
    expect(rows.pop()?.slice(1)).toEqual(['site-9999.example', '#BUDGET']);
    expect(rows).toHaveLength(1500);
    expect(rows.every(([, key, name]) => name === `Name of ${key}`)).toBe(true);
    expect(gateway.bought.size).toBe(1500);
  });

  it('over a selection stops where its rows were moved, since nobody knows any more which they were', async () => {
    const selected = [{ row: 2, column: 1, rows: 1400, columns: 1 }];
    const bar = await openSidebar({
      workbook: { ...list(keys.slice(0, 1500)), active: { sheet: 'Sheet1', row: 2, column: 1 }, selected },
    });
    let run = await startRun(bar, 'startEnrich', enrichOrder({ fields: ['name'], scope: 'selection' }));
    run = await bar.value('step', { runId: run.runId });
    bar.edit((workbook) =>
      withSheet(workbook, 'Sheet1', ({ values: [head = [], ...rows] }) => ({
        values: [head, ...rows.toReversed()],
      })),
    );
    run = await bar.value('step', { runId: run.runId });
    expect(run).toMatchObject({
      state: 'paused',
      failure: { message: expect.stringMatching(/^Rows were moved/) },
    });
  });

  it('writes each row beside its key also where people sort while it asks', async () => {
    let sortIt = true;
    const bar: Sidebar = await openSidebar({
      workbook: list(keys.slice(0, 30)),
      fetch: async (request) => {
        const answered = await gateway.fetch(request);
        if (sortIt && request.url.endsWith('/lookup')) {
          sortIt = false;
          bar.edit((workbook) =>
            withSheet(workbook, 'Sheet1', ({ values: [head = [], ...rows] }) => ({
              values: [head, ...rows.toReversed()],
            })),
          );
        }
        return answered;
      },
    });
    const done = await enriched(bar, { fields: ['name'] });
    expect(done).toMatchObject({ state: 'done', rows: 30, done: 30 });
    const [, ...rows] = square(bar.values('Sheet1'));
    expect(rows).toEqual(expected.slice(1, 31).toReversed());
    expect(gateway.bought.size).toBe(30);
  });

  it('keeps old values until new ones have come', async () => {
    const bar = await openSidebar({ workbook: list(keys.slice(0, 3)) });
    const { tableId: id } = await enriched(bar, { fields: ['name'] });
    gateway.late.set('site-1.example', 1);
    let run = await startRun(bar, 'refreshTable', { id, only: 'all' });
    run = await bar.value('step', { runId: run.runId });
    expect(run).toMatchObject({ state: 'running', rows: 2, done: 2 });
    expect(square(bar.values('Sheet1'))).toEqual(expected.slice(0, 4));
    run = await bar.finish(run);
    expect(run).toMatchObject({ state: 'done', rows: 3 });
    expect(gateway.lookups.map((lookup) => lookup.keys.length)).toEqual([3, 3, 1]);
  });

  it('to which the provider answers nothing pauses, and can be resumed', async () => {
    gateway.late.set('site-0.example', Number.POSITIVE_INFINITY);
    const bar = await openSidebar({ workbook: list(keys.slice(0, 2)) });
    const paused = await enriched(bar, { fields: ['name'] });
    expect(paused).toMatchObject({
      state: 'paused',
      rows: 1,
      failure: { code: 'pending', message: expect.stringMatching(/^The data provider is too slow/) },
    });
    // A row without an answer stays blank: nothing is being fetched for it.
    expect(square(bar.values('Sheet1'))[1]).toEqual(['site-0.example', '']);
    gateway.late.clear();
    const done = await bar.finish(await bar.value('step', { runId: paused.runId }));
    expect(done).toMatchObject({ state: 'done', rows: 2 });
    expect(square(bar.values('Sheet1'))).toEqual(expected.slice(0, 3));
  });
});
