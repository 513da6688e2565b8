// Searches into new sheets.
import { describe, expect, it } from 'vitest';
import { longIt } from '../../../pick-cases.ts';
import {
  createEnrichOrder,
  createSearchOrder,
  listIds,
  runSearch,
  searchColumns,
  searchHeadings,
} from '../../server/orders.ts';
import { completeRun, createWorkbook, gateway, openSidebar, startRun } from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';

describe('a search into a new sheet', () => {
  it('shows sample rows of bought records only, counts values, and buys nothing', async () => {
    const sidebar = await openSidebar();
    const { family, query } = createSearchOrder();
    const order = { family, query, columns: ['website', 'name', 'founded'] };
    expect(await sidebar.callOk('sampleRows', order)).toEqual({ rows: [] });
    expect(gateway.spent).toBe(0);
    await runSearch(sidebar, { columns: ['founded'], pages: 1 });
    const { spent } = gateway;
    expect(await sidebar.callOk('sampleRows', order)).toEqual({
      rows: [1, 2, 3].map((id) => ['', `Name of ${id}`, '1999']),
    });
    const queries = [{ text: 'industry:*ing' }, { text: 'zzzz' }, { text: '*' }];
    await sidebar.callOk('status', {});
    const calls = sidebar.listCalls().length;
    expect(await sidebar.callOk('counts', { family, queries })).toEqual({ totals: [40, 0, 120] });
    expect(await sidebar.callOk('counts', { family, queries })).toEqual({ totals: [40, 0, 120] });
    expect(sidebar.listCalls()).toHaveLength(calls + 3);
    expect(gateway.spent).toBe(spent);
  });

  it('names the table that has the search, which is updated without a second purchase', async () => {
    const sidebar = await openSidebar();
    const order = createSearchOrder({ pages: 1 });
    const { tableId } = await runSearch(sidebar, order);
    const { spent } = gateway;
    const existing = { tableId, title: 'Companies', columns: searchColumns, credits: 0 };
    expect(await sidebar.callOk('planSearch', order)).toMatchObject({ credits: 0, existing });
    const update = { ...order, where: { kind: 'table', tableId }, mode: 'update' } as const;
    expect(await sidebar.callOk('planSearch', update)).toMatchObject({ credits: 0, existing });
    expect(await completeRun(sidebar, 'startSearch', update)).toMatchObject({
      state: 'done',
      done: 20,
      credits: 0,
    });
    expect(gateway.spent).toBe(spent);
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ id: tableId, rows: 20 }]);
    await sidebar.callOk('renameTable', {
      id: (await runSearch(sidebar, { query: { text: 'industry:*ing' } })).tableId,
      title: 'Companies',
    });
    const titled = { existing: { title: 'Companies' } };
    expect(await sidebar.callOk('planSearch', order)).toMatchObject(titled);
    const others = [
      { ...order, where: { kind: 'cursor' } },
      { ...order, query: { text: 'zzzz' } },
      { ...order, family: 'company_clean' },
    ] as const;
    for (const other of others)
      expect(await sidebar.callOk('planSearch', createSearchOrder(other))).not.toHaveProperty('existing');
    await sidebar.callOk('freezeTable', { id: tableId });
    expect(await sidebar.callOk('planSearch', order)).not.toHaveProperty('existing');
  });

  it('keeps the search for the person and spreadsheet', async () => {
    const sidebar = await openSidebar();
    expect(await sidebar.callOk('status', {})).not.toHaveProperty('lastSearch');
    await sidebar.callOk('saveDraft', { lastSearch: '{"family":"job_base"}' });
    expect((await sidebar.callOk('status', {})).lastSearch).toBe('{"family":"job_base"}');
    expect(JSON.stringify(sidebar.getProperties())).not.toContain('job_base');
  });

  it('adds columns of full records for the highest price that it showed, and buys no record twice', async () => {
    const sidebar = await openSidebar();
    const order = createSearchOrder({ columns: ['name', 'founded', 'description'], pages: 1 });
    gateway.pendingCounts.set('2', 1);
    expect(await sidebar.callOk('planSearch', order)).toMatchObject({
      rows: 20,
      credits: 210,
      recordCredits: 200,
      approval: { credits: 210 },
    });
    const run = await startRun(sidebar, 'startSearch', order);
    const waiting = await sidebar.callOk('step', { runId: run.runId });
    expect(waiting).toMatchObject({ state: 'running', rows: 0 });
    const done = await sidebar.finishRun(waiting);
    expect(done).toMatchObject({ state: 'done', rows: 20, credits: 210, saved: 0, failed: {} });
    expect([...gateway.bought.values()]).toEqual(Array(21).fill(1));
    const [headings, first] = sidebar.getValues('Companies');
    expect([headings, first]).toEqual([
      ['Name', 'Founded', 'Description'],
      ['Company 1', 1999, 'About 1'],
    ]);
    // A second table of the same rows is free, although its price was a maximum.
    expect(await runSearch(sidebar, { ...order, title: 'Again' })).toMatchObject({ credits: 0, rows: 20 });
    expect(gateway.spent).toBe(210);
    const [table] = await sidebar.callOk('tables', {});
    const refresh = await sidebar.callOk('planRefresh', { id: table?.id ?? '', only: 'all' });
    expect(refresh).toMatchObject({ rows: 20, credits: 210 });
  });

  it('leaves records that are already bought out of the highest price', async () => {
    const sidebar = await openSidebar();
    const query = { text: 'industry:*ing' };
    const order = createSearchOrder({ query, columns: ['id', 'founded'], pages: 5 });
    const first = await sidebar.callOk('planSearch', order);
    expect(first).toMatchObject({ rows: 40, credits: 420, recordCredits: 400 });
    await runSearch(sidebar, { ...order, pages: 1 });
    expect(gateway.spent).toBe(210);
    // A page and the records of its rows are left.
    const second = await sidebar.callOk('planSearch', order);
    expect(second).toMatchObject({ rows: 40, credits: 210, recordCredits: 200, approval: { credits: 210 } });
    await runSearch(sidebar, order);
    expect(gateway.spent).toBe(420);
    const again = await sidebar.callOk('planSearch', order);
    expect(again).toMatchObject({ rows: 40, credits: 0, approval: { credits: 0 } });
    expect(again).not.toHaveProperty('recordCredits');
    expect(await runSearch(sidebar, order)).toMatchObject({ rows: 40, credits: 0 });
    expect(gateway.spent).toBe(420);
    const [table] = await sidebar.callOk('tables', {});
    const refresh = await sidebar.callOk('planRefresh', { id: table?.id ?? '', only: 'all' });
    expect(refresh).toMatchObject({ rows: 40, credits: 420 });
  });

  it('shows its price, writes one page per step, and costs no more than shown', async () => {
    const sidebar = await openSidebar();
    const plan = await sidebar.callOk('planSearch', createSearchOrder());
    expect(plan).toEqual({
      total: 120,
      without: [],
      pages: 2,
      rows: 40,
      credits: 20,
      approval: { credits: 20, digest: expect.any(String) },
      warnings: [],
    });
    const done = await runSearch(sidebar);
    expect(done).toMatchObject({ state: 'done', done: 40, total: 40, rows: 40, sheet: 'Companies' });
    expect([done.credits, done.saved, gateway.spent]).toEqual([20, 0, 20]);
    // Cached pages are free.
    expect(await sidebar.callOk('planSearch', createSearchOrder())).toMatchObject({ rows: 40, credits: 0 });
    expect(sidebar.getSheet('Companies').frozenRows).toBe(1);
    const values = sidebar.getValues('Companies');
    expect(values[0]).toEqual(searchHeadings);
    expect(values).toHaveLength(41);
    expect(new Set(listIds(values)).size).toBe(40);
    expect(sidebar.listCalls().filter((call) => call === 'POST preview')).toHaveLength(2);
  });

  longIt('keeps the conditions as entered, until its search is replaced by another one', async () => {
    const sidebar = await openSidebar();
    const conditions = [{ name: 'country', values: ['USA', 'DE'] }];
    const read = async () => (await sidebar.callOk('tables', {}))[0];
    const plan = await sidebar.callOk('planSearch', createSearchOrder({ conditions }));
    expect(plan.approval).toEqual((await sidebar.callOk('planSearch', createSearchOrder())).approval);
    await runSearch(sidebar, { conditions });
    const { id = '' } = (await read()) ?? {};
    await completeRun(sidebar, 'refreshTable', { id, only: 'stale' });
    expect(await read()).toMatchObject({ id, conditions });
    await runSearch(sidebar, { where: { kind: 'table', tableId: id } });
    expect(await read()).not.toHaveProperty('conditions');
  });

  it('makes links clickable and writes a page in one call', async () => {
    const sidebar = await openSidebar();
    const run = await startRun(sidebar, 'startSearch', createSearchOrder({ pages: 1 }));
    sidebar.takeWrites();
    await sidebar.finishRun(run);
    const writes = sidebar.takeWrites();
    expect(writes.filter(({ kind }) => kind === 'values')).toHaveLength(1);
    const { values, links } = sidebar.getSheet('Companies');
    const text = String(values[1]?.[2]);
    expect(text).toMatch(/^[^/]+$/);
    expect(links?.[1]?.[2]).toEqual([{ start: 0, end: text.length, link: `https://${text}` }]);
    expect(links?.[1]?.[1] ?? null).toBeNull();
  });

  it('has headings in words with the paths in notes, fitting widths, and a filter of the whole sheet', async () => {
    const sidebar = await openSidebar();
    const columns = [...searchColumns, 'headquarters_country_parsed'];
    await runSearch(sidebar, { columns, pages: 1 });
    const sheet = sidebar.getSheet('Companies');
    expect(sheet.values[0]).toEqual([...searchHeadings, 'Country']);
    expect(sheet.notes?.[0]).toEqual(columns);
    expect(columns.map((_, at) => sheet.columnWidths?.[at + 1])).toEqual([100, 200, 250, 230, 250, 100]);
    expect(sheet.filter).toEqual({ row: 1, column: 1, rows: 1000, columns: 26 });
    // The filter has no condition yet, so it hides no rows.
    const plan = await sidebar.callOk('planEnrich', {
      ...createEnrichOrder({ sheet: 'Companies', family: 'company_base', by: 'id', fields: ['name'] }),
    });
    expect(plan).toMatchObject({ columns: [{ heading: 'Name 2' }], warnings: [] });
  });

  it('chooses a free sheet name, and Undo deletes the sheet', async () => {
    const sidebar = await openSidebar({ workbook: createWorkbook([['mine']], { name: 'companies' }) });
    const before = describeWorkbook(sidebar.getWorkbook());
    const done = await runSearch(sidebar, { pages: 1 });
    expect(done.sheet).toBe('Companies 2');
    expect(await sidebar.callOk('undo', { runId: done.runId })).toMatchObject({
      cells: 21 * searchColumns.length,
    });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
    expect(await sidebar.callOk('tables', {})).toEqual([]);
  });

  it('and its table have the same number if both names are taken', async () => {
    const sidebar = await openSidebar();
    await runSearch(sidebar, { pages: 1 });
    await runSearch(sidebar, { pages: 1 });
    const tables = await sidebar.callOk('tables', {});
    expect(tables.map(({ title, sheet }) => [title, sheet])).toEqual(
      expect.arrayContaining([
        ['Companies', 'Companies'],
        ['Companies 2', 'Companies 2'],
      ]),
    );
  });

  it('is not deleted by Undo after manual changes', async () => {
    const sidebar = await openSidebar();
    const done = await runSearch(sidebar, { pages: 1 });
    sidebar.editSheet('Companies', ({ values }) => ({ values: [...values, ['my note']] }));
    await sidebar.callOk('undo', { runId: done.runId });
    expect(
      sidebar
        .getValues('Companies')
        .flat()
        .filter((cell) => cell !== ''),
    ).toEqual(['my note']);
  });

  it('can be undone for six hours', async () => {
    let now = Date.now();
    const sidebar = await openSidebar({ now: () => now });
    const run = await startRun(sidebar, 'startSearch', createSearchOrder({ pages: 1 }));
    const done = await sidebar.finishRun(run);
    expect(done.undo).toEqual({ possible: true });
    now += 7 * 3_600_000;
    expect(await sidebar.call('undo', { runId: done.runId })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/for six hours/),
    });
    expect(sidebar.getValues('Companies')).toHaveLength(21);
  });

  it('writes the source of each row into columns or notes', async () => {
    const sidebar = await openSidebar();
    await runSearch(sidebar, { pages: 1, provenance: 'columns', title: 'A' });
    const [head, first] = sidebar.getValues('A');
    expect(head?.slice(-3)).toEqual(['Retrieved at', 'Source', 'Credits']);
    expect(first?.at(-2)).toMatch(/^(?:bought|already bought)$/);
    await runSearch(sidebar, { pages: 1, provenance: 'notes', title: 'B' });
    expect(sidebar.getSheet('B').notes?.[1]?.[0]).toMatch(/^already bought, 0 credits$/);
  });
});
