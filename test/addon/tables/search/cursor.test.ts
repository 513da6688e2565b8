// Searches at the selected cell.
import { describe, expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import type { EnrichOrder } from '../../../../addon/server/api/index.ts';
import { createSearchOrder, runSearch, searchColumns, searchHeadings } from '../../server/orders.ts';
import { completeRun, createWorkbook, openSidebar, tryStartRun } from '../../server/sidebar.ts';
import { describeSheet, describeWorkbook, padRows } from '../../server/state.ts';

/** Creates a workbook with the active cell B3. */
const atB3 = (values: CellValue[][], sheet = {}) => ({
  ...createWorkbook(values, sheet),
  active: { sheet: 'Sheet1', row: 3, column: 2 },
});

describe('a search at the cursor', () => {
  const typed: CellValue[][] = [['a'], ['b'], ['', '', '', 'mine'], ['', 7, '', '=text?']];

  it('asks before it overwrites cells, with examples', async () => {
    const sidebar = await openSidebar({ workbook: atB3(typed) });
    const before = sidebar.getWorkbook();
    const plan = await sidebar.callOk('planSearch', createSearchOrder({ where: { kind: 'cursor' } }));
    expect(plan.willOverwrite).toMatchObject({
      cells: 3,
      sample: [
        { cell: 'Sheet1!D3', value: 'mine' },
        { cell: 'Sheet1!B4', value: '7' },
        { cell: 'Sheet1!D4', value: '=text?' },
      ],
    });
    expect(
      await tryStartRun(sidebar, 'startSearch', createSearchOrder({ where: { kind: 'cursor' } })),
    ).toMatchObject({
      ok: false,
      code: 'confirm_first',
    });
    expect(sidebar.getWorkbook()).toEqual(before);
    const done = await runSearch(sidebar, { where: { kind: 'cursor' } }, true);
    expect(sidebar.getValues('Sheet1')[2]).toEqual(['', ...searchHeadings]);
    expect(sidebar.getValues('Sheet1').slice(0, 2)).toEqual([['a'], ['b']]);
    expect(describeSheet(sidebar.getSheet('Sheet1'))).toMatchObject({
      frozen: 0,
      weights: [[], [], ['', ...searchColumns.map(() => 'bold')]],
    });
    // Each cell counts once, though it is cleared and then written.
    const cells = 41 * searchColumns.length;
    expect(await sidebar.callOk('undo', { runId: done.runId })).toMatchObject({ cells });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(describeWorkbook(before));
  });

  it('does not limit the rows of a list beside it', async () => {
    const websites = Array.from({ length: 8 }, (_, at) => `site-${at}.example`);
    const sidebar = await openSidebar({ workbook: atB3([['Website'], ...websites.map((one) => [one])]) });
    await runSearch(sidebar, { where: { kind: 'cursor' } });
    const enrichment: EnrichOrder = {
      sheet: 'Sheet1',
      column: 1,
      by: 'website',
      family: 'company_clean',
      scope: 'all',
      fields: ['name'],
    };
    expect(await sidebar.callOk('planEnrich', enrichment)).toMatchObject({ rows: websites.length });
    const done = await completeRun(sidebar, 'startEnrich', enrichment);
    expect(done).toMatchObject({ state: 'done', done: websites.length, failed: {} });
  });

  it('restores formulas, formats, notes and links on Undo', async () => {
    const sidebar = await openSidebar({
      workbook: atB3(
        padRows([
          ['', ''],
          [''],
          ['', 12.5, 'https://x.example', new Date('2026-01-02T00:00:00Z')],
          ['', '=1+1', '=2+2', '00123', '00123'],
          ['', '+49 30 123456', "'=1", "'=1", '=3+3 or x.example'],
        ]),
        {
          formulas: [[], [], ['', '', '', '', '=SUM(A1:A2)']],
          formats: [[], [], ['', '0.00%', '', 'dd.mm.yyyy'], ['', '', '@', '', '@'], ['', '', '@', '', '@']],
          notes: [[], [], ['', 'a note']],
          links: [
            [],
            [],
            [null, null, [{ start: 0, end: 5, link: 'https://x.example/y' }]],
            [],
            [null, null, null, null, [{ start: 8, end: 17, link: 'https://x.example/y' }]],
          ],
        },
      ),
    });
    const before = describeWorkbook(sidebar.getWorkbook());
    const done = await runSearch(sidebar, { where: { kind: 'cursor' }, provenance: 'notes' }, true);
    expect(describeWorkbook(sidebar.getWorkbook())).not.toEqual(before);
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
  });

  it.each([
    ['protected', { protections: [{ editors: [] }] }, /^“Sheet1” is protected/],
    [
      'partly protected',
      { protections: [{ editors: [], area: { row: 10, column: 4, rows: 1, columns: 1 } }] },
      /^D10 in “Sheet1” is protected/,
    ],
    ['of merged cells', { merges: [{ row: 5, column: 2, rows: 2, columns: 1 }] }, /B5:B6 .* merged/],
    [
      'for certain values only',
      {
        validations: [
          { area: { row: 6, column: 3, rows: 1, columns: 1 }, values: ['x'], allowInvalid: false },
          { area: { row: 4, column: 2, rows: 1, columns: 1 }, values: ['x'], allowInvalid: true },
        ],
      },
      /^C6 .* allows only certain values/,
    ],
    ['with a formula of ours', { formulas: [[], [], [], ['', '=CDAPI_ENRICH(A1)']] }, /B4 .* CDAPI formula/],
  ])('is refused at a place that is %s, which stays unchanged', async (_, sheet, words) => {
    const sidebar = await openSidebar({ workbook: atB3([['x']], sheet) });
    const before = sidebar.getWorkbook();
    const order = { ...createSearchOrder({ where: { kind: 'cursor' } }), confirmed: true };
    for (const reply of [
      await sidebar.call('planSearch', order),
      await tryStartRun(sidebar, 'startSearch', order),
    ]) {
      expect(reply).toMatchObject({
        ok: false,
        code: 'sheet_refused',
        message: expect.stringMatching(words),
      });
    }
    expect(sidebar.getWorkbook()).toEqual(before);
    expect(sidebar.getProperties()).not.toHaveProperty('CDAPI_TABLE_');
  });

  it.each([
    ['a new sheet', { kind: 'newSheet' }, { maxRows: 384_000 }],
    ['more rows', { kind: 'cursor' }, { maxRows: 16, maxColumns: 625_000 }],
  ] as const)(
    'is refused if %s would exceed Google’s limit of cells, in any language',
    async (_, where, grid) => {
      const sidebar = await openSidebar({ language: 'ja', workbook: atB3([['x']], grid) });
      expect(await tryStartRun(sidebar, 'startSearch', createSearchOrder({ where }))).toMatchObject({
        ok: false,
        code: 'sheet_refused',
        message: expect.stringMatching(/^This spreadsheet has reached Google’s limit of cells/),
      });
    },
  );

  it('changes nothing where a part of its columns is protected, so that they can’t be marked', async () => {
    const area = { row: 900, column: 4, rows: 1, columns: 1 };
    const sidebar = await openSidebar({
      workbook: atB3([['x']], { protections: [{ editors: [], area }] }),
    });
    const order = createSearchOrder({ where: { kind: 'cursor' }, pages: 1 });
    expect(await tryStartRun(sidebar, 'startSearch', order)).toMatchObject({
      code: 'sheet_refused',
      message: expect.stringMatching(/is protected/),
    });
    expect(sidebar.getValues('Sheet1')).toEqual([['x']]);
    expect(await sidebar.callOk('tables', {})).toEqual([]);
  });

  it('is undone except for a row that was changed by hand, which Undo names', async () => {
    const sidebar = await openSidebar({ workbook: atB3([]) });
    const done = await runSearch(sidebar, { where: { kind: 'cursor' }, pages: 1 });
    sidebar.editSheet('Sheet1', ({ values }) => ({
      values: values.map((row, at) => (at === 5 ? row.map((cell, c) => (c === 2 ? 'mine' : cell)) : row)),
    }));
    const changed = sidebar.getValues('Sheet1')[5];
    const undone = await sidebar.callOk('undo', { runId: done.runId });
    expect(undone).toMatchObject({ sheet: 'Sheet1', left: { rows: 1, first: ['6'] } });
    const rows = sidebar.getValues('Sheet1').map((row) => row.filter((cell) => cell !== ''));
    expect(rows.filter((row) => row.length > 0)).toEqual([changed?.filter((cell) => cell !== '')]);
    expect(await sidebar.callOk('tables', {})).toEqual([]);
  });

  it('cannot be undone after rows were moved', async () => {
    const sidebar = await openSidebar({ workbook: atB3([]) });
    const done = await runSearch(sidebar, { where: { kind: 'cursor' }, pages: 1 });
    sidebar.editSheet('Sheet1', ({ values }) => ({
      values: [...values.slice(0, 5), ...values.slice(5).toReversed()],
    }));
    const before = sidebar.getWorkbook();
    const reply = await sidebar.call('undo', { runId: done.runId });
    expect(reply).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^The sheet was changed since \(“Sheet1”, row 6\)/),
    });
    expect(sidebar.getWorkbook()).toEqual(before);
  });
});
