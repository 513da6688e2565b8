// Lookups that fill a person's own columns.
import { describe, expect, it } from 'vitest';
import type { EnrichOrder } from '../../../../addon/server/api/index.ts';
import { createEnrichOrder, runEnrichment } from '../../server/orders.ts';
import { createWorkbook, gateway, openSidebar } from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';

describe('own columns', () => {
  const rows = [
    ['Website', 'Owner', 'Industry', 'Year'],
    ['site-0.example', 'Ann', '', ''],
    ['site-1.example', 'Ben', 'mine', ''],
    ['nobody-1.example', '', '', ''],
    ['site-2.example', '', '', 1850],
    ['site-3.example', '', 'mine', 1851],
  ];
  const into = [
    { path: 'industry', column: 3 },
    { path: 'founded', column: 4 },
  ];
  const order: Partial<EnrichOrder> = { fields: ['industry', 'founded'], into, scope: 'gaps' };

  it('receive values in their empty cells only, for rows with any empty cell, and Undo restores them', async () => {
    const sidebar = await openSidebar({ workbook: createWorkbook(rows) });
    const before = describeWorkbook(sidebar.getWorkbook());
    expect(await sidebar.callOk('planEnrich', createEnrichOrder(order))).toMatchObject({
      rows: 4,
      columns: [
        { heading: 'Industry', letter: 'C', isNew: false, isOwn: true },
        { heading: 'Year', letter: 'D', isNew: false, isOwn: true },
      ],
    });
    expect(await sidebar.callOk('planEnrich', createEnrichOrder(order))).not.toHaveProperty('willOverwrite');
    const done = await runEnrichment(sidebar, order);
    expect(done).toMatchObject({ state: 'done', done: 4, rows: 3, failed: { '#NOT_FOUND': 1 } });
    expect(sidebar.getValues('Sheet1').map((line) => line.slice(0, 4))).toEqual([
      rows[0],
      ['site-0.example', 'Ann', 'software', 1999],
      ['site-1.example', 'Ben', 'mine', 1999],
      rows[3],
      ['site-2.example', '', 'software', 1850],
      rows[5],
    ]);
    const [table] = await sidebar.callOk('tables', {});
    expect(table?.manualReason).toMatch(/columns of your own/);
    const { spent } = gateway;
    // Now only the row without a record has empty cells.
    expect(await sidebar.callOk('planEnrich', createEnrichOrder(order))).toMatchObject({ rows: 1 });
    expect(gateway.spent).toBe(spent);
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
  });

  it('need no confirmation after a manual change, since only their empty cells are filled', async () => {
    const sidebar = await openSidebar({ workbook: createWorkbook(rows) });
    const mixed = { ...order, fields: ['industry', 'founded', 'name'] };
    await runEnrichment(sidebar, mixed);
    const setCell = (row: number, column: number, value: string) =>
      sidebar.editSheet('Sheet1', ({ values }) => ({
        values: values.map((line, r) => line.map((cell, c) => (r === row && c === column ? value : cell))),
      }));
    setCell(1, 2, '');
    setCell(2, 3, 'unknown');
    expect(
      await sidebar.callOk('planEnrich', createEnrichOrder({ ...mixed, scope: 'all' })),
    ).not.toHaveProperty('willOverwrite');
    setCell(1, 4, 'My name');
    expect(await sidebar.callOk('planEnrich', createEnrichOrder({ ...mixed, scope: 'all' }))).toMatchObject({
      willOverwrite: { cells: 1 },
    });
  });

  it('are told from columns of tables and formulas, and replaced by a new one if an order does not name them', async () => {
    const formulas = [[], ['', '', '', '=CDAPI_ENRICH(A2:A6; "founded")']];
    const sidebar = await openSidebar({ workbook: createWorkbook(rows, { formulas }) });
    const listBeside = async () => (await sidebar.callOk('columns', {}))[0]?.beside;
    expect(await listBeside()).toEqual([
      { column: 2, letter: 'B', heading: 'Owner' },
      { column: 3, letter: 'C', heading: 'Industry' },
      { column: 4, letter: 'D', heading: 'Year', hasFormulas: true },
    ]);
    await runEnrichment(sidebar, { fields: ['industry', 'name'], into: into.slice(0, 1) });
    const family = 'company_clean';
    const name = { column: 5, letter: 'E', heading: 'Name', field: { family, path: 'name', isOwn: false } };
    expect((await listBeside())?.slice(1)).toEqual([
      { column: 3, letter: 'C', heading: 'Industry', field: { family, path: 'industry', isOwn: true } },
      { column: 4, letter: 'D', heading: 'Year', hasFormulas: true },
      name,
    ]);
    const { spent } = gateway;
    const owned = sidebar.getValues('Sheet1').map((line) => line[2]);
    expect(await runEnrichment(sidebar, { fields: ['industry', 'name'] })).toMatchObject({ credits: 0 });
    expect(gateway.spent).toBe(spent);
    expect(sidebar.getValues('Sheet1').map((line) => line[2])).toEqual(owned);
    expect(sidebar.getValues('Sheet1')[0]).toEqual([...(rows[0] ?? []), 'Name', 'Industry 2']);
    expect((await listBeside())?.slice(3)).toEqual([
      name,
      { column: 6, letter: 'F', heading: 'Industry 2', field: { family, path: 'industry', isOwn: false } },
    ]);
  });

  it('need a heading, and may not hold the keys', async () => {
    const sidebar = await openSidebar({ workbook: createWorkbook(rows) });
    for (const [column, words] of [
      [9, /Column I has no heading/],
      [1, /Column A is looked up/],
    ] as const) {
      const wrong = createEnrichOrder({ fields: ['industry'], into: [{ path: 'industry', column }] });
      expect(await sidebar.call('planEnrich', wrong)).toMatchObject({
        ok: false,
        message: expect.stringMatching(words),
      });
    }
  });
});
