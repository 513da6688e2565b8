// Searches into tables that are there, and runs that stop, fail or are cut off.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import { idsOf, searchOrder, written } from '../../server/orders.ts';
import { bodyOf, gateway, openSidebar, type Sidebar, startAsking, startRun } from '../../server/sidebar.ts';
import { shownOf, square, withSheet } from '../../server/state.ts';
import { answer } from '../../spreadsheet.ts';

describe('a table that is there', () => {
  async function opened(): Promise<{ bar: Sidebar; tableId: string }> {
    const bar = await openSidebar();
    const { tableId } = await written(bar, { query: { text: 'industry:*ing' }, pages: 1 });
    return { bar, tableId };
  }

  it('is replaced: fewer rows leave nothing behind, and what was there comes back on Undo', async () => {
    const bar = await openSidebar();
    const { tableId } = await written(bar);
    const before = shownOf(bar.sheet('Companies'));
    const some = await written(bar, { where: { kind: 'table', tableId }, pages: 1 });
    expect(some).toMatchObject({ state: 'done', kind: 'refresh', rows: 20 });
    const left = bar.values('Companies').filter((row) => row.some((cell) => cell !== ''));
    expect(left).toHaveLength(21);
    await bar.value('undo', { runId: some.runId });
    expect(shownOf(bar.sheet('Companies'))).toEqual(before);
  });

  it('is updated by id: changed cells say what they held, the order of people stays', async () => {
    const { bar, tableId } = await opened();
    const values = square(bar.values('Companies'));
    const [head = [], one = [], ...others] = values;
    const aged = [one[0] ?? '', 'Old Name', ...one.slice(2)];
    bar.edit((workbook) =>
      withSheet(workbook, 'Companies', () => ({ values: [head, ...others.toReversed(), aged], links: [] })),
    );
    const ask = {
      ...searchOrder({
        where: { kind: 'table', tableId },
        mode: 'update',
        query: { text: 'industry:*ing' },
        pages: 1,
      }),
    };
    const plan = await bar.value('planSearch', ask);
    expect(plan.willOverwrite).toMatchObject({
      cells: 1,
      sample: [{ cell: 'Companies, row 21', value: expect.stringContaining(`${one[0]} · Old Name · `) }],
    });
    expect(await startAsking(bar, 'startSearch', ask)).toMatchObject({ code: 'confirm_first' });
    bar.writes();
    const done = await bar.finish(await startRun(bar, 'startSearch', { ...ask, confirmed: true }));
    expect(done.rows).toBe(1);
    const last = others.length + 1;
    expect(idsOf(bar.values('Companies'))).toEqual([...others.toReversed(), one].map(([id]) => id));
    expect(bar.values('Companies')[last]?.[1]).toBe(one[1]);
    expect(bar.sheet('Companies').notes?.[last]?.[1]).toMatch(/^Was “Old Name” until \d{4}-\d\d-\d\d$/);
    expect(bar.sheet('Companies').styles?.background?.[last]?.[1]).toBe('#fff2cc');
    const again = await bar.finish(await startRun(bar, 'startSearch', ask));
    expect(again.state).toBe('done');
    expect(bar.sheet('Companies').notes?.[last]?.[1]).toBe('');
    expect(bar.sheet('Companies').styles?.background?.[last]?.[1]).not.toBe('#fff2cc');
  });

  it('asks before rows are replaced that were changed by hand, and warns of columns beside it', async () => {
    const { bar, tableId } = await opened();
    bar.edit((workbook) =>
      withSheet(workbook, 'Companies', ({ values }) => ({
        values: values.map((row, at) => [...row, ...(at === 0 ? ['Notes'] : at === 2 ? ['call them'] : [])]),
      })),
    );
    const ask = searchOrder({ where: { kind: 'table', tableId }, pages: 1 });
    expect(await bar.value('planSearch', ask)).toMatchObject({
      warnings: [expect.stringContaining('“Notes” is beside the table')],
    });
    expect(await bar.value('planSearch', ask)).not.toHaveProperty('willOverwrite');
    bar.edit((workbook) =>
      withSheet(workbook, 'Companies', ({ values }) => ({
        values: values.map((row, at) => (at === 3 ? [row[0] ?? '', 'typed', ...row.slice(2)] : row)),
      })),
    );
    expect((await bar.value('planSearch', ask)).willOverwrite).toMatchObject({ cells: 1 });
  });

  it('moves down what stands below it, but does not cut a neighbour in two', async () => {
    const bar = await openSidebar();
    const { tableId } = await written(bar, { pages: 1 });
    bar.edit((workbook) =>
      withSheet(workbook, 'Companies', ({ values }) => ({ values: [...values, [], ['Total', 20]] })),
    );
    const more = { where: { kind: 'table', tableId } as const, mode: 'append' as const };
    const done = await written(bar, more);
    expect(done).toMatchObject({ state: 'done', rows: 20 });
    expect(
      bar
        .values('Companies')
        .slice(41)
        .filter((row) => row.some((cell) => cell !== '')),
    ).toEqual([['Total', 20]]);
    bar.edit((workbook) =>
      withSheet(workbook, 'Companies', ({ values }) => ({
        values: square(values).map((row) => [...row, '', 'mine']),
      })),
    );
    const before = bar.workbook();
    const stuck = await written(bar, { ...more, pages: 3 });
    expect(stuck).toMatchObject({ state: 'paused', failure: { code: 'sheet_refused' } });
    expect(stuck.failure?.message).toMatch(/no room for 20 more rows/);
    expect(bar.workbook()).toEqual(before);
  });
});

describe('a run', () => {
  it('stops when told, says how far it came, and goes on without paying twice', async () => {
    const bar = await openSidebar();
    const run = await startRun(bar, 'startSearch', searchOrder({ pages: 3 }));
    await bar.value('step', { runId: run.runId });
    expect(await bar.value('stop', { runId: run.runId })).toMatchObject({ state: 'stopped', done: 20 });
    expect(await bar.value('unfinished', {})).toMatchObject([{ runId: run.runId, state: 'stopped' }]);
    expect((await bar.value('status', {})).unfinished).toBe(1);
    let last = await bar.value('step', { runId: run.runId });
    last = await bar.finish(last);
    expect(last).toMatchObject({ state: 'done', done: 60, rows: 60 });
    expect(new Set(idsOf(bar.values('Companies'))).size).toBe(60);
    expect(await bar.value('unfinished', {})).toEqual([]);
    expect(await bar.ask('step', { runId: run.runId })).toMatchObject({ ok: false, code: 'gone' });
  });

  it.each(['replace', 'append', 'update'] as const)(
    'in the way %s that is killed anywhere goes on: no row twice, none missing, nothing paid twice',
    async (mode) => {
      const moments: { workbook: Workbook; document: Record<string, string> }[] = [];
      let recording = false;
      const note = (): void => {
        if (recording) moments.push({ workbook: bar.workbook(), document: bar.properties() });
      };
      const bar: Sidebar = await openSidebar({
        fetch: async (request) => {
          note();
          const answered = await gateway.fetch(request);
          note();
          return answered;
        },
        onWrites: note,
      });
      const query = { es_dsl: { query: { bool: { must_not: { term: { name: `nobody ${mode}` } } } } } };
      const { tableId } = await written(bar, { query, pages: 1 });
      const run = await startRun(
        bar,
        'startSearch',
        searchOrder({ query, pages: 3, mode, where: { kind: 'table', tableId } }),
      );
      recording = true;
      const done = await bar.finish(run);
      recording = false;
      expect(done.state).toBe('done');
      const expected = square(bar.values('Companies'));
      expect(new Set(idsOf(expected)).size).toBe(60);
      expect(moments.length).toBeGreaterThanOrEqual(8);
      const { spent } = gateway;
      for (const { workbook, document } of moments) {
        const again = await openSidebar({ workbook, properties: { document } });
        for (const { runId } of await again.value('unfinished', {})) {
          expect((await again.finish(await again.value('step', { runId }))).state).toBe('done');
        }
        expect(square(again.values('Companies'))).toEqual(expected);
        again.close();
      }
      expect(gateway.spent).toBe(spent);
    },
    120_000,
  );

  it('pauses where spending is switched off meanwhile', async () => {
    const bar = await openSidebar();
    const run = await startRun(bar, 'startSearch', searchOrder({ pages: 3 }));
    await bar.value('step', { runId: run.runId });
    await bar.value('setSpending', { on: false });
    expect(await bar.value('step', { runId: run.runId })).toMatchObject({
      state: 'paused',
      done: 20,
      failure: { code: 'spending_off' },
    });
  });

  it('pauses with the cause where a page fails, and goes on when it can', async () => {
    let down = true;
    const bar = await openSidebar({
      fetch: async (request) =>
        down && request.url.endsWith('/preview') && Object(bodyOf(request)).page === 2
          ? answer(429, { code: 'rate_limited', detail: 'Too fast.', fix: 'Wait.' })
          : gateway.fetch(request),
    });
    const paused = await written(bar, { pages: 3 });
    expect(paused).toMatchObject({
      state: 'paused',
      done: 20,
      failure: { code: 'rate_limited', message: 'Too fast. Wait.' },
    });
    down = false;
    const done = await bar.finish(await bar.value('step', { runId: paused.runId }));
    expect(done).toMatchObject({ state: 'done', done: 60 });
    expect((await bar.value('activity', {})).errors[0]).toMatchObject({ message: 'Too fast. Wait.' });
  });

  it.each([
    ['unknown columns', { columns: ['nope'] }, /“nope” is not a column/],
    ['an update without ids', { columns: ['name'], mode: 'update' as const }, /by id/],
    ['a table that is gone', { where: { kind: 'table' as const, tableId: 'x' } }, /no longer tracked/],
  ])('with %s is refused in words', async (_, more, words) => {
    const bar = await openSidebar();
    expect(await bar.ask('planSearch', searchOrder(more))).toMatchObject({
      ok: false,
      message: expect.stringMatching(words),
    });
  });
});
