// Searches that the sidebar writes into sheets.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import type { EnrichOrder } from '../../../../addon/server/api/index.ts';
import { idsOf, searchColumns, searchOrder, written } from '../../server/orders.ts';
import { gateway, openSidebar, startAsking, startRun, workbookOf } from '../../server/sidebar.ts';
import { allShown, shownOf, square, withSheet } from '../../server/state.ts';

/** A workbook in whose first sheet the active cell is B3. */
const atB3 = (values: CellValue[][], sheet = {}) => ({
  ...workbookOf(values, sheet),
  active: { sheet: 'Sheet1', row: 3, column: 2 },
});

describe('a search into a new sheet', () => {
  it('says what it costs, writes a page a step under a frozen heading, and costs no more than it said', async () => {
    const bar = await openSidebar();
    const plan = await bar.value('planSearch', searchOrder());
    expect(plan).toEqual({
      total: 120,
      without: [],
      pages: 2,
      rows: 40,
      credits: 20,
      approval: { credits: 20, digest: expect.any(String) },
      warnings: [],
    });
    const done = await written(bar);
    expect(done).toMatchObject({ state: 'done', done: 40, total: 40, rows: 40, sheet: 'Companies' });
    expect([done.credits, done.saved, gateway.spent]).toEqual([20, 0, 20]);
    // “Search says 50 credits, then charges 0”: what the team has is not priced.
    expect(await bar.value('planSearch', searchOrder())).toMatchObject({ rows: 40, credits: 0 });
    expect(bar.sheet('Companies').frozenRows).toBe(1);
    const values = bar.values('Companies');
    expect(values[0]).toEqual(searchColumns);
    expect(values).toHaveLength(41);
    expect(new Set(idsOf(values)).size).toBe(40);
    expect(bar.calls().filter((call) => call === 'POST preview')).toHaveLength(2);
  });

  it('makes links clickable, and sets the values of a page in one call', async () => {
    const bar = await openSidebar();
    const run = await startRun(bar, 'startSearch', searchOrder({ pages: 1 }));
    bar.writes();
    await bar.finish(run);
    const writes = bar.writes();
    expect(writes.filter(({ kind }) => kind === 'values')).toHaveLength(1);
    const { values, links } = bar.sheet('Companies');
    expect(links?.[1]?.[2]).toEqual([{ start: 0, end: String(values[1]?.[2]).length, link: values[1]?.[2] }]);
    expect(links?.[1]?.[1] ?? null).toBeNull();
  });

  it('takes a name that is free, and goes away again when it is taken back', async () => {
    const bar = await openSidebar({ workbook: workbookOf([['mine']], { name: 'companies' }) });
    const before = allShown(bar.workbook());
    const done = await written(bar, { pages: 1 });
    expect(done.sheet).toBe('Companies 2');
    expect(await bar.value('undo', { runId: done.runId })).toEqual({ cells: 21 * searchColumns.length });
    expect(allShown(bar.workbook())).toEqual(before);
    expect(await bar.value('tables', {})).toEqual([]);
  });

  it('is not deleted by Undo where someone typed into it', async () => {
    const bar = await openSidebar();
    const done = await written(bar, { pages: 1 });
    bar.edit((workbook) =>
      withSheet(workbook, 'Companies', ({ values }) => ({ values: [...values, ['my note']] })),
    );
    await bar.value('undo', { runId: done.runId });
    expect(
      bar
        .values('Companies')
        .flat()
        .filter((cell) => cell !== ''),
    ).toEqual(['my note']);
  });

  it('can be taken back for six hours', async () => {
    let now = Date.now();
    const bar = await openSidebar({ now: () => now });
    const run = await startRun(bar, 'startSearch', searchOrder({ pages: 1 }));
    const done = await bar.finish(run);
    expect(done.undo).toEqual({ possible: true });
    now += 7 * 3_600_000;
    expect(await bar.ask('undo', { runId: done.runId })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/for six hours/),
    });
    expect(bar.values('Companies')).toHaveLength(21);
  });

  it('says where each row comes from, in columns or in notes', async () => {
    const bar = await openSidebar();
    await written(bar, { pages: 1, provenance: 'columns', title: 'A' });
    const [head, first] = bar.values('A');
    expect(head?.slice(-3)).toEqual(['Retrieved at', 'Source', 'Credits']);
    expect(first?.at(-2)).toMatch(/^(?:bought|from memory)$/);
    await written(bar, { pages: 1, provenance: 'notes', title: 'B' });
    expect(bar.sheet('B').notes?.[1]?.[0]).toMatch(/^from memory, 0 credits$/);
  });
});

describe('a search at the cursor', () => {
  const typed: CellValue[][] = [['a'], ['b'], ['', '', '', 'mine'], ['', 7, '', '=text?']];

  it('asks before it replaces what was typed, with a sample; and writes when told to', async () => {
    const bar = await openSidebar({ workbook: atB3(typed) });
    const before = bar.workbook();
    const plan = await bar.value('planSearch', searchOrder({ where: { kind: 'cursor' } }));
    expect(plan.willOverwrite).toMatchObject({
      cells: 3,
      sample: [
        { cell: 'Sheet1!D3', value: 'mine' },
        { cell: 'Sheet1!B4', value: '7' },
        { cell: 'Sheet1!D4', value: '=text?' },
      ],
    });
    expect(await startAsking(bar, 'startSearch', searchOrder({ where: { kind: 'cursor' } }))).toMatchObject({
      ok: false,
      code: 'confirm_first',
    });
    expect(bar.workbook()).toEqual(before);
    const done = await written(bar, { where: { kind: 'cursor' } }, true);
    expect(bar.values('Sheet1')[2]).toEqual(['', ...searchColumns]);
    expect(bar.values('Sheet1').slice(0, 2)).toEqual([['a'], ['b']]);
    expect(shownOf(bar.sheet('Sheet1'))).toMatchObject({
      frozen: 0,
      weights: [[], [], ['', ...searchColumns.map(() => 'bold')]],
    });
    // Emptied first, and then written: each cell is told once.
    const cells = 41 * searchColumns.length;
    expect(await bar.value('undo', { runId: done.runId })).toEqual({ cells });
    expect(allShown(bar.workbook())).toEqual(allShown(before));
  });

  it('leaves a list that stands beside it whole: all of its rows are looked up', async () => {
    const websites = Array.from({ length: 8 }, (_, at) => `site-${at}.example`);
    const bar = await openSidebar({ workbook: atB3([['Website'], ...websites.map((one) => [one])]) });
    await written(bar, { where: { kind: 'cursor' } });
    const enrichment: EnrichOrder = {
      sheet: 'Sheet1',
      column: 1,
      by: 'website',
      family: 'company_clean',
      scope: 'all',
      fields: ['name'],
    };
    expect(await bar.value('planEnrich', enrichment)).toMatchObject({ rows: websites.length });
    const done = await bar.finish(await startRun(bar, 'startEnrich', enrichment));
    expect(done).toMatchObject({ state: 'done', done: websites.length, failed: {} });
  });

  it('puts back formulas, formats, notes and links exactly', async () => {
    const bar = await openSidebar({
      workbook: atB3(
        square([['', ''], [''], ['', 12.5, 'https://x.example', new Date('2026-01-02T00:00:00Z')]]),
        {
          formulas: [[], [], ['', '', '', '', '=SUM(A1:A2)']],
          formats: [[], [], ['', '0.00%', '', 'dd.mm.yyyy']],
          notes: [[], [], ['', 'a note']],
          links: [[], [], [null, null, [{ start: 0, end: 5, link: 'https://x.example/y' }]]],
        },
      ),
    });
    const before = allShown(bar.workbook());
    const done = await written(bar, { where: { kind: 'cursor' }, provenance: 'notes' }, true);
    expect(allShown(bar.workbook())).not.toEqual(before);
    await bar.value('undo', { runId: done.runId });
    expect(allShown(bar.workbook())).toEqual(before);
  });

  it.each([
    ['protected', { protections: [{ editors: [] }] }, /protected/],
    [
      'partly protected',
      { protections: [{ editors: [], area: { row: 10, column: 4, rows: 1, columns: 1 } }] },
      /protected/,
    ],
    ['of merged cells', { merges: [{ row: 5, column: 2, rows: 2, columns: 1 }] }, /B5:B6 .* merged/],
    ['with a formula of ours', { formulas: [[], [], [], ['', '=CDAPI_ENRICH(A1)']] }, /B4 .* CDAPI formula/],
  ])('refuses a place that is %s, in clear words, and leaves it as it was', async (_, sheet, words) => {
    const bar = await openSidebar({ workbook: atB3([['x']], sheet) });
    const before = bar.workbook();
    const order = { ...searchOrder({ where: { kind: 'cursor' } }), confirmed: true };
    for (const reply of [await bar.ask('planSearch', order), await startAsking(bar, 'startSearch', order)]) {
      expect(reply).toMatchObject({
        ok: false,
        code: 'sheet_refused',
        message: expect.stringMatching(words),
      });
    }
    expect(bar.workbook()).toEqual(before);
    expect(bar.properties()).not.toHaveProperty('CDAPI_TABLE_');
  });

  it('refuses Undo once someone has changed what it wrote', async () => {
    const bar = await openSidebar({ workbook: atB3([]) });
    const done = await written(bar, { where: { kind: 'cursor' }, pages: 1 });
    bar.edit((workbook) =>
      withSheet(workbook, 'Sheet1', ({ values }) => ({
        values: values.map((row, at) => (at === 5 ? row.map((cell, c) => (c === 2 ? 'mine' : cell)) : row)),
      })),
    );
    const before = bar.workbook();
    const reply = await bar.ask('undo', { runId: done.runId });
    expect(reply).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^The sheet was changed since/),
    });
    expect(bar.workbook()).toEqual(before);
  });
});
