// Searches into existing tables, and runs that stop, fail or are interrupted.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import { pickCases } from '../../../pick-cases.ts';
import { createSearchOrder, listIds, runSearch, searchColumns } from '../../server/orders.ts';
import {
  completeRun,
  gateway,
  openSidebar,
  parseBody,
  type Sidebar,
  startRun,
  tryStartRun,
} from '../../server/sidebar.ts';
import { describeSheet, padRows } from '../../server/state.ts';
import { createResponse } from '../../spreadsheet.ts';

describe('a search into an existing table', () => {
  async function opened(): Promise<{ sidebar: Sidebar; tableId: string }> {
    const sidebar = await openSidebar();
    const { tableId } = await runSearch(sidebar, { query: { text: 'industry:*ing' }, pages: 1 });
    return { sidebar, tableId };
  }

  it('replaces all rows, and Undo restores them', async () => {
    const sidebar = await openSidebar();
    const { tableId } = await runSearch(sidebar);
    const before = describeSheet(sidebar.getSheet('Companies'));
    const some = await runSearch(sidebar, { where: { kind: 'table', tableId }, pages: 1 });
    expect(some).toMatchObject({ state: 'done', kind: 'refresh', rows: 20 });
    const remaining = sidebar.getValues('Companies').filter((row) => row.some((cell) => cell !== ''));
    expect(remaining).toHaveLength(21);
    await sidebar.callOk('undo', { runId: some.runId });
    expect(describeSheet(sidebar.getSheet('Companies'))).toEqual(before);
  });

  it('keeps whole URLs that a person has typed', async () => {
    const { sidebar, tableId } = await opened();
    const [head = [], ...rows] = padRows(sidebar.getValues('Companies'));
    const website = searchColumns.indexOf('website');
    const typed = rows.map((row) => row.map((cell, at) => (at === website ? `https://${cell}` : cell)));
    sidebar.editSheet('Companies', () => ({ values: [head, ...typed] }));
    const query = { text: 'industry:*ing' };
    const order = createSearchOrder({ where: { kind: 'table', tableId }, mode: 'update', query, pages: 1 });
    const done = await completeRun(sidebar, 'startSearch', { ...order, confirmed: true });
    expect(done).toMatchObject({ state: 'done', rows: 0 });
    expect(padRows(sidebar.getValues('Companies'))).toEqual([head, ...typed]);
  });

  it('updates rows by id, notes previous values and keeps the order', async () => {
    const { sidebar, tableId } = await opened();
    const values = padRows(sidebar.getValues('Companies'));
    const [head = [], first = [], ...others] = values;
    const aged = [first[0] ?? '', 'Old Name', ...first.slice(2)];
    sidebar.editSheet('Companies', () => ({ values: [head, ...others.toReversed(), aged], links: [] }));
    const ask = {
      ...createSearchOrder({
        where: { kind: 'table', tableId },
        mode: 'update',
        query: { text: 'industry:*ing' },
        pages: 1,
      }),
    };
    const plan = await sidebar.callOk('planSearch', ask);
    expect(plan.willOverwrite).toMatchObject({
      cells: 1,
      sample: [{ cell: 'Companies, row 21', value: expect.stringContaining(`${first[0]} · Old Name · `) }],
    });
    expect(await tryStartRun(sidebar, 'startSearch', ask)).toMatchObject({ code: 'confirm_first' });
    sidebar.takeWrites();
    const done = await completeRun(sidebar, 'startSearch', { ...ask, confirmed: true });
    expect(done.rows).toBe(1);
    const last = others.length + 1;
    expect(listIds(sidebar.getValues('Companies'))).toEqual(
      [...others.toReversed(), first].map(([id]) => id),
    );
    expect(sidebar.getValues('Companies')[last]?.[1]).toBe(first[1]);
    expect(sidebar.getSheet('Companies').notes?.[last]?.[1]).toMatch(
      /^Was “Old Name” until \d{4}-\d\d-\d\d$/,
    );
    expect(sidebar.getSheet('Companies').styles?.background?.[last]?.[1]).toBe('#fff2cc');
    const again = await completeRun(sidebar, 'startSearch', ask);
    expect(again.state).toBe('done');
    expect(sidebar.getSheet('Companies').notes?.[last]?.[1]).toBe('');
    expect(sidebar.getSheet('Companies').styles?.background?.[last]?.[1]).not.toBe('#fff2cc');
  });

  it('leaves its rows out of the search, so that every bought page has new rows', async () => {
    const { sidebar, tableId } = await opened();
    const more = {
      query: { text: 'industry:*ing' },
      pages: 1,
      mode: 'append',
      excludeExisting: true,
    } as const;
    const where = { kind: 'table', tableId } as const;
    const before = listIds(sidebar.getValues('Companies'));
    expect(await sidebar.callOk('planSearch', createSearchOrder({ ...more, where }))).toMatchObject({
      total: 20,
      rows: 20,
      credits: 10,
      warnings: [],
    });
    const done = await runSearch(sidebar, { ...more, where });
    expect(done).toMatchObject({ state: 'done', rows: 20, credits: 10 });
    const ids = listIds(sidebar.getValues('Companies'));
    expect(ids.slice(0, 20)).toEqual(before);
    expect(new Set(ids).size).toBe(40);
    // A refresh runs the search of the table, which has no ids.
    const [table] = await sidebar.callOk('tables', {});
    expect(table?.query).toEqual(more.query);
    const filters = createSearchOrder({ ...more, where, query: { filters: {} } });
    expect(await sidebar.call('planSearch', filters)).toMatchObject({ ok: false, code: 'bad_call' });
  });

  it('asks before it replaces manual changes, and warns about adjacent columns', async () => {
    const { sidebar, tableId } = await opened();
    sidebar.editSheet('Companies', ({ values }) => ({
      values: values.map((row, at) => [...row, ...(at === 0 ? ['Notes'] : at === 2 ? ['call them'] : [])]),
    }));
    const ask = createSearchOrder({ where: { kind: 'table', tableId }, pages: 1 });
    expect(await sidebar.callOk('planSearch', ask)).toMatchObject({
      warnings: [expect.stringContaining('“Notes” is beside the table')],
    });
    expect(await sidebar.callOk('planSearch', ask)).not.toHaveProperty('willOverwrite');
    sidebar.editSheet('Companies', ({ values }) => ({
      values: values.map((row, at) => (at === 3 ? [row[0] ?? '', 'typed', ...row.slice(2)] : row)),
    }));
    expect((await sidebar.callOk('planSearch', ask)).willOverwrite).toMatchObject({ cells: 1 });
  });

  it('moves content below it down, unless that would split a neighbouring table', async () => {
    const sidebar = await openSidebar();
    const { tableId } = await runSearch(sidebar, { pages: 1 });
    sidebar.editSheet('Companies', ({ values }) => ({ values: [...values, [], ['Total', 20]] }));
    const more = { where: { kind: 'table', tableId } as const, mode: 'append' as const };
    const done = await runSearch(sidebar, more);
    expect(done).toMatchObject({ state: 'done', rows: 20 });
    expect(
      sidebar
        .getValues('Companies')
        .slice(41)
        .filter((row) => row.some((cell) => cell !== '')),
    ).toEqual([['Total', 20]]);
    sidebar.editSheet('Companies', ({ values }) => ({
      values: padRows(values).map((row) => [...row, '', 'mine']),
    }));
    const before = sidebar.getWorkbook();
    const stuck = await runSearch(sidebar, { ...more, pages: 3 });
    expect(stuck).toMatchObject({ state: 'paused', failure: { code: 'sheet_refused' } });
    expect(stuck.failure?.message).toMatch(/no room for 20 more rows/);
    expect(sidebar.getWorkbook()).toEqual(before);
  });
});

describe('a run', () => {
  it('stops, reports its progress, and resumes without paying twice', async () => {
    const sidebar = await openSidebar();
    const run = await startRun(sidebar, 'startSearch', createSearchOrder({ pages: 3 }));
    await sidebar.callOk('step', { runId: run.runId });
    expect(await sidebar.callOk('stop', { runId: run.runId })).toMatchObject({ state: 'stopped', done: 20 });
    expect(await sidebar.callOk('unfinished', {})).toMatchObject([{ runId: run.runId, state: 'stopped' }]);
    expect((await sidebar.callOk('status', {})).unfinished).toBe(1);
    let last = await sidebar.callOk('step', { runId: run.runId });
    last = await sidebar.finishRun(last);
    expect(last).toMatchObject({ state: 'done', done: 60, rows: 60 });
    expect(new Set(listIds(sidebar.getValues('Companies'))).size).toBe(60);
    expect(await sidebar.callOk('unfinished', {})).toEqual([]);
    expect(await sidebar.call('step', { runId: run.runId })).toMatchObject({ ok: false, code: 'gone' });
  });

  it('that replaces rows keeps the others when it is stopped, and clears what is left over at its end', async () => {
    const sidebar = await openSidebar();
    const { tableId } = await runSearch(sidebar, { pages: 3 });
    const before = padRows(sidebar.getValues('Companies'));
    const order = createSearchOrder({
      query: { text: 'industry:*ing' },
      pages: 2,
      where: { kind: 'table', tableId },
    });
    const run = await startRun(sidebar, 'startSearch', order);
    await sidebar.callOk('step', { runId: run.runId });
    expect(await sidebar.callOk('stop', { runId: run.runId })).toMatchObject({ state: 'stopped', done: 20 });
    const stopped = padRows(sidebar.getValues('Companies'));
    expect(stopped.slice(21)).toEqual(before.slice(21));
    expect(stopped.slice(1, 21)).not.toEqual(before.slice(1, 21));
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ id: tableId, rows: 60 }]);
    expect(await sidebar.callOk('planRefresh', { id: tableId, only: 'all' })).not.toHaveProperty(
      'willOverwrite',
    );
    await sidebar.finishRun(await sidebar.callOk('step', { runId: run.runId }));
    expect(listIds(sidebar.getValues('Companies')).filter((id) => id !== '')).toHaveLength(40);
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ id: tableId, rows: 40 }]);
    await sidebar.callOk('undo', { runId: run.runId });
    expect(padRows(sidebar.getValues('Companies'))).toEqual(before);
  });

  it.each(pickCases(['replace', 'append', 'update'] as const, 2))(
    'in mode %s resumes after any crash without duplicate, missing or twice-paid rows',
    async (mode) => {
      const moments: { workbook: Workbook; document: Record<string, string> }[] = [];
      let recording = false;
      const note = (): void => {
        if (recording) moments.push({ workbook: sidebar.getWorkbook(), document: sidebar.getProperties() });
      };
      const sidebar: Sidebar = await openSidebar({
        fetch: async (request) => {
          note();
          const answered = await gateway.fetch(request);
          note();
          return answered;
        },
        onWrites: note,
      });
      const query = { es_dsl: { query: { bool: { must_not: { term: { name: `nobody ${mode}` } } } } } };
      const { tableId } = await runSearch(sidebar, { query, pages: 1 });
      const run = await startRun(
        sidebar,
        'startSearch',
        createSearchOrder({ query, pages: 3, mode, where: { kind: 'table', tableId } }),
      );
      recording = true;
      const done = await sidebar.finishRun(run);
      recording = false;
      expect(done.state).toBe('done');
      const expected = padRows(sidebar.getValues('Companies'));
      expect(new Set(listIds(expected)).size).toBe(60);
      expect(moments.length).toBeGreaterThanOrEqual(8);
      const { spent } = gateway;
      for (const { workbook, document } of pickCases(moments, 3)) {
        const again = await openSidebar({ workbook, properties: { document } });
        for (const { runId } of await again.callOk('unfinished', {})) {
          expect((await again.finishRun(await again.callOk('step', { runId }))).state).toBe('done');
        }
        expect(padRows(again.getValues('Companies'))).toEqual(expected);
        again.close();
      }
      expect(gateway.spent).toBe(spent);
    },
    120_000,
  );

  it('is refused without credits for its first page, before it creates a sheet', async () => {
    const sidebar = await openSidebar();
    gateway.budget = 0;
    expect(await tryStartRun(sidebar, 'startSearch', createSearchOrder({ pages: 3 }))).toMatchObject({
      code: 'over_budget',
      message: expect.stringMatching(
        /^These rows cost 30 credits, and your team has 0 credits left\. Nothing/,
      ),
    });
    expect(sidebar.getWorkbook().sheets).toHaveLength(1);
  });

  it('pauses when spending is switched off', async () => {
    const sidebar = await openSidebar();
    const run = await startRun(sidebar, 'startSearch', createSearchOrder({ pages: 3 }));
    await sidebar.callOk('step', { runId: run.runId });
    await sidebar.callOk('setSpending', { on: false });
    expect(await sidebar.callOk('step', { runId: run.runId })).toMatchObject({
      state: 'paused',
      done: 20,
      failure: { code: 'spending_off' },
    });
  });

  it('pauses with the cause when a page fails, and resumes later', async () => {
    let down = true;
    const sidebar = await openSidebar({
      fetch: async (request) =>
        down && request.url.endsWith('/preview') && Object(parseBody(request)).page === 2
          ? createResponse(429, { code: 'rate_limited', detail: 'Too fast.', fix: 'Wait.' })
          : gateway.fetch(request),
    });
    const paused = await runSearch(sidebar, { pages: 3 });
    expect(paused).toMatchObject({
      state: 'paused',
      done: 20,
      failure: { code: 'rate_limited', message: 'Too fast. Wait.' },
    });
    down = false;
    const done = await sidebar.resumeRun(paused.runId);
    expect(done).toMatchObject({ state: 'done', done: 60 });
    expect((await sidebar.callOk('activity', {})).errors[0]).toMatchObject({ message: 'Too fast. Wait.' });
  });

  it.each([
    ['unknown columns', { columns: ['nope'] }, /"nope" is not a field/],
    ['an update without ids', { columns: ['name'], mode: 'update' as const }, /by id/],
    ['a missing table', { where: { kind: 'table' as const, tableId: 'x' } }, /no longer tracked/],
  ])('with %s is refused with a message', async (_, more, words) => {
    const sidebar = await openSidebar();
    expect(await sidebar.call('planSearch', createSearchOrder(more))).toMatchObject({
      ok: false,
      message: expect.stringMatching(words),
    });
  });
});
