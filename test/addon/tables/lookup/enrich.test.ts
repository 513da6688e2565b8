// Lookups of columns from the sidebar.
import { describe, expect, it } from 'vitest';
import type { EnrichOrder } from '../../../../addon/server/api/index.ts';
import { createEnrichOrder, createList, runEnrichment } from '../../server/orders.ts';
import { createWorkbook, gateway, openSidebar, tryStartRun } from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';
import { createResponse } from '../../spreadsheet.ts';

const websites = Array.from({ length: 8 }, (_, at) => `site-${at}.example`);

it('key columns are detected by their content', async () => {
  const values = [
    ['Customer', 'Staff', 'Where', 'Company id', 'Person'],
    ['Acme', 12, 'acme.example', 123456, 'https://www.professional-network.example/in/ada'],
    ['Globex', 40, 'https://www.globex.example/about', 234567, 'professional-network.example/in/bob'],
  ];
  const one = { id: 1, name: 'Sheet1', values };
  const plain = {
    id: 2,
    name: 'No heading',
    values: [['globex.example'], ['acme.example'], ['ann@acme.example']],
  };
  const hidden = { id: 3, name: 'Hidden', values: [['acme.example']], hidden: true };
  const active = { sheet: 'Sheet1', row: 1, column: 1 };
  const sidebar = await openSidebar({
    workbook: { ...createWorkbook([]), sheets: [plain, one, hidden], active },
  });
  expect(await sidebar.callOk('columns', {})).toMatchObject([
    { sheet: 'Sheet1', letter: 'C', heading: 'Where', headingRow: 1, kind: 'website', keys: 2 },
    { sheet: 'Sheet1', letter: 'D', heading: 'Company id', kind: 'id' },
    { letter: 'E', heading: 'Person', kind: 'url', families: expect.arrayContaining(['employee_clean']) },
    // Keys cost less than names.
    { sheet: 'Sheet1', letter: 'A', heading: 'Customer', kind: 'name', keys: 2 },
    { sheet: 'No heading', letter: 'A', heading: '', headingRow: 0, kind: 'website', keys: 3, distinct: 2 },
  ]);
});

it('columns are offered in which many keys are invalid, and one that should hold keys even for a single one', async () => {
  const values = [
    ['Notes', 'E-mail', 'Website', 'Company', 'Seen'],
    ['see acme.example', 'ann@gmail.com', 'none', 'Acme', 'acme.example'],
    ['globex.example', 'bob', 'acme.example', 'Globex', ''],
    ['acme.example', 'cy@acme.example', '?', 'acme.example', 'never'],
    ['call', 'dee@gmail.com', 'tbd', 'Initech', 'never'],
    ['wait', '', '', '', 'later'],
  ];
  const sidebar = await openSidebar({ workbook: createWorkbook(values) });
  expect(await sidebar.callOk('columns', {})).toMatchObject([
    { letter: 'B', kind: 'website', keys: 1, cells: 4, examples: ['cy@acme.example'] },
    { letter: 'C', kind: 'website', keys: 1, cells: 4 },
    { letter: 'D', kind: 'name', keys: 4 },
    // It may be chosen, not proposed.
    { letter: 'A', kind: 'website', keys: 2, cells: 5 },
  ]);
});

it('headings are found below titles and notes, and columns beside a column without a heading, not beyond an empty one', async () => {
  const values = [
    ['Leads of spring: please don’t sort', '', '', '', ''],
    ['', '', '', '', ''],
    ['Website', '', 'Industry', '', 'Size'],
    ['site-0.example', 'a note', '', '', ''],
    ['site-1.example', '', '', '', ''],
  ];
  const sidebar = await openSidebar({ workbook: createWorkbook(values) });
  const industry = { column: 3, letter: 'C', heading: 'Industry' };
  expect(await sidebar.callOk('columns', {})).toMatchObject([
    {
      ...{ letter: 'A', heading: 'Website', headingRow: 3, keys: 2 },
      beside: [industry, { column: 5, letter: 'E', heading: 'Size', isFar: true }],
    },
  ]);
  const order = { fields: ['industry'], into: [{ path: 'industry', column: 3 }] };
  expect(await runEnrichment(sidebar, order)).toMatchObject({ done: 2, rows: 2, failed: {} });
  expect(sidebar.getValues('Sheet1').map((line) => line[2])).toEqual([
    '',
    '',
    'Industry',
    'software',
    'software',
  ]);
});

describe('a thousand rows', () => {
  it('are planned and written in steps of 50, 100 and then 200 rows, with at most three writes each', async () => {
    const known = websites;
    const keys = Array.from({ length: 1000 }, (_, at) =>
      at % 4 === 0 ? `https://www.${known[at % known.length]}/` : `nobody-${at % 40}.example`,
    );
    const sidebar = await openSidebar({ workbook: createList(keys) });
    const plan = await sidebar.callOk('planEnrich', createEnrichOrder());
    expect(plan).toMatchObject({
      rows: 1000,
      distinct: new Set(keys).size,
      columns: [
        { heading: 'Name', letter: 'B', isNew: true },
        { heading: 'Founded', letter: 'C', isNew: true },
      ],
      invalid: 0,
      warnings: [],
    });
    const { approval } = plan;
    const done = await sidebar.finishRun(
      await sidebar.callOk('startEnrich', { ...createEnrichOrder(), approval }),
    );
    expect(done.failure).toBeUndefined();
    expect(done).toMatchObject({ state: 'done', done: 1000, rows: 250, failed: { '#NOT_FOUND': 750 } });
    const steps = 7;
    expect(sidebar.listCalls()).toEqual([
      'POST estimate',
      ...Array.from({ length: steps }, () => 'POST lookup'),
      'POST runs',
    ]);
    const writes = sidebar.takeWrites().filter(({ kind }) => kind !== 'putMetadata');
    expect(writes.length).toBeLessThanOrEqual(3 * steps);
    expect(done.credits).toBeLessThanOrEqual(plan.credits);
    const values = sidebar.getValues('Sheet1');
    expect(values[0]).toEqual(['Website', 'Name', 'Founded']);
    expect(values[1]?.[1]).toMatch(/^[^#]/);
    expect(values[2]?.[1]).toBe('#NOT_FOUND');
  });
});

describe('the written values', () => {
  it('go into empty columns, and Undo removes them', async () => {
    const [one = '', two = ''] = websites;
    const sidebar = await openSidebar({
      workbook: createWorkbook(
        [
          ['Website', 'Note', '', 'Sum'],
          [one, 'a', '', 1],
          ['', 'b', '', 2],
          [two, 'c', '', ''],
        ],
        { formulas: [[], [], [], ['', '', '', '=SUM(D2:D3)']] },
      ),
    });
    const before = describeWorkbook(sidebar.getWorkbook());
    const done = await runEnrichment(sidebar);
    expect(sidebar.getValues('Sheet1')[0]).toEqual(['Website', 'Note', '', 'Sum', 'Name', 'Founded']);
    expect(
      sidebar
        .getValues('Sheet1')[2]
        ?.slice(4)
        .every((cell) => cell === ''),
    ).toBe(true);
    expect(sidebar.getSheet('Sheet1').formulas?.[3]?.[3]).toBe('=SUM(D2:D3)');
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
  });

  it('are undone without the cells of others in the columns that were inserted for them', async () => {
    const sidebar = await openSidebar({ workbook: createList([websites[0] ?? '']) });
    sidebar.editSheet('Sheet1', () => ({ maxColumns: 2 }));
    const done = await runEnrichment(sidebar);
    expect(sidebar.getSheet('Sheet1').maxColumns).toBe(3);
    sidebar.editSheet('Sheet1', (sheet) => ({ values: [...sheet.values, ['', '', 'mine']] }));
    await sidebar.callOk('undo', { runId: done.runId });
    const { values } = sidebar.getSheet('Sheet1');
    expect(values.map((row) => row[2] ?? '')).toEqual(['', '', 'mine']);
    expect(values[0]?.slice(0, 2)).toEqual(['Website', '']);
  });

  it('include status and source columns', async () => {
    const [one = ''] = websites;
    const sidebar = await openSidebar({
      workbook: createList([one, 'nobody.example', 'no website', 'ann@gmail.com']),
    });
    await runEnrichment(sidebar, { statusColumn: true, provenance: 'columns' });
    const [head, first, second, third, last] = sidebar.getValues('Sheet1');
    expect(head).toEqual(['Website', 'Name', 'Founded', 'Status', 'Retrieved at', 'Source', 'Credits']);
    expect(first?.[3]).toMatch(/^(?:bought|already bought)$/);
    expect(first?.[4]).toBeInstanceOf(Date);
    expect(second?.slice(1, 4)).toEqual(['#NOT_FOUND', '', expect.stringMatching(/^#NOT_FOUND No record/)]);
    expect([third?.[3], last?.[3]]).toEqual([
      '#INVALID_KEY This is a company name. To look names up, choose “Company names” under “Cells hold” in the sidebar’s tab Enrich.',
      '#INVALID_KEY An address at gmail.com names no company. Use the company’s website.',
    ]);
  });

  it.each<[EnrichOrder['scope'], readonly number[]]>([
    ['blank', [0, 2, 4]],
    ['selection', [1, 3]],
    ['fromHere', [3, 4]],
  ])('cover only the rows of the scope %s', async (scope, rows) => {
    const active = { sheet: 'Sheet1', row: 5, column: 1 };
    const selected = [3, 5].map((row) => ({ row, column: 1, rows: 1, columns: 1 }));
    const chosen = scope === 'fromHere' ? {} : { selected };
    const sidebar = await openSidebar({
      workbook: { ...createList(websites.slice(0, 5)), active, ...chosen },
    });
    if (scope === 'blank') await runEnrichment(sidebar, { scope: 'selection' });
    gateway.lookups.length = 0;
    expect((await sidebar.callOk('planEnrich', createEnrichOrder({ scope }))).rows).toBe(rows.length);
    expect((await runEnrichment(sidebar, { scope })).done).toBe(rows.length);
    expect(gateway.lookups.flatMap(({ keys }) => keys)).toEqual(rows.map((at) => websites[at]));
  });

  it('keep the types of numbers, dates and long ids, whatever the cell format', async () => {
    const record = {
      staff: 12,
      flag: true,
      day: '2026-01-31',
      moment: '2026-07-01 13:14:15',
      year: '1999',
      post: '7123456789012345678',
      tags: ['a', null, '=b'],
      nothing: null,
    };
    const sidebar = await openSidebar({
      workbook: createList(['a.example'], { formats: [[], ['', '@', '@', '@']] }),
      fetch: async (request) =>
        request.url.endsWith('/lookup')
          ? createResponse(200, {
              rows: [{ key: 'a.example', status: 'hit', record, credits: 0 }],
              credits: { spent: 0, saved: 0, remaining: null },
              stamp: 'x',
            })
          : createResponse(200, { distinct: 1, to_fetch: 0, credits: 0 }),
    });
    await runEnrichment(sidebar, { fields: Object.keys(record) });
    expect(sidebar.getValues('Sheet1')[1]).toEqual([
      'a.example',
      12,
      true,
      new Date('2026-01-30T23:00:00Z'),
      new Date('2026-07-01T11:14:15Z'),
      '1999',
      '7123456789012345678',
      'a; =b',
      '',
    ]);
    const formats = sidebar.getSheet('Sheet1').formats?.[1];
    expect([formats?.[1], formats?.[3], formats?.[4]]).toEqual([
      'General',
      'yyyy-mm-dd',
      'yyyy-mm-dd hh:mm:ss',
    ]);
  });

  it('replace manual changes only after confirmation, and never values by failures', async () => {
    const known = websites.slice(0, 3);
    let down = false;
    const sidebar = await openSidebar({
      workbook: createList(known),
      fetch: async (request) => {
        if (!down || !request.url.endsWith('/lookup')) return gateway.fetch(request);
        const rows = known.map((key) => ({
          key,
          status: 'failed',
          problem: 'provider_unavailable',
          credits: 0,
        }));
        return createResponse(200, { rows, credits: { spent: 0, saved: 0, remaining: 0 }, stamp: 'x' });
      },
    });
    await runEnrichment(sidebar);
    const names = sidebar.getValues('Sheet1').map((row) => row[1]);
    sidebar.editSheet('Sheet1', ({ values }) => ({
      values: values.map((row, at) => (at === 2 ? [row[0] ?? '', 'typed', row[2] ?? ''] : row)),
    }));
    expect((await sidebar.callOk('planEnrich', createEnrichOrder())).willOverwrite).toMatchObject({
      cells: 1,
      sample: [{ cell: 'Sheet1, row 3', value: expect.stringMatching(/^typed/) }],
    });
    expect(await tryStartRun(sidebar, 'startEnrich', createEnrichOrder())).toMatchObject({
      code: 'confirm_first',
    });
    expect(sidebar.getValues('Sheet1')[2]?.[1]).toBe('typed');
    await runEnrichment(sidebar, {}, true);
    expect(sidebar.getValues('Sheet1').map((row) => row[1])).toEqual(names);
    down = true;
    const failed = await runEnrichment(sidebar);
    expect(failed).toMatchObject({ state: 'done', rows: 0, failed: { '#UNAVAILABLE': 3 } });
    expect(sidebar.getValues('Sheet1').map((row) => row[1])).toEqual(names);
  });

  it('that were changed by hand can be left out, and a confirmation is not used for later changes', async () => {
    const sidebar = await openSidebar({ workbook: createList(websites.slice(0, 3)) });
    await runEnrichment(sidebar);
    const type = (row: number, text: string) =>
      sidebar.editSheet('Sheet1', ({ values }) => ({
        values: values.map((line, at) => (at === row ? [line[0] ?? '', text, line[2] ?? ''] : line)),
      }));
    type(2, 'typed');
    const order = createEnrichOrder();
    const { approval, willOverwrite } = await sidebar.callOk('planEnrich', order);
    const { digest: changes = '' } = willOverwrite ?? {};
    expect(willOverwrite).toMatchObject({ cells: 1, canKeep: true });
    type(3, 'typed later');
    // The question is asked again, about both rows.
    const confirmed = { ...order, approval, confirmed: true, changes };
    expect(await sidebar.call('startEnrich', confirmed)).toMatchObject({
      code: 'confirm_first',
      replaced: { cells: 2, sample: [{ cell: 'Sheet1, row 3' }, { cell: 'Sheet1, row 4' }] },
    });
    const kept = { ...confirmed, keepChanges: true };
    const done = await sidebar.finishRun(await sidebar.callOk('startEnrich', kept));
    expect(done).toMatchObject({ state: 'done', rows: 1, total: 1 });
    expect(sidebar.getValues('Sheet1').map((line) => line[1])).toEqual([
      'Name',
      expect.stringMatching(/^Name of/),
      'typed',
      'typed later',
    ]);
    type(1, 'typed, too');
    const again = await sidebar.callOk('planEnrich', order);
    expect(await sidebar.call('startEnrich', { ...kept, approval: again.approval })).toMatchObject({
      code: 'bad_call',
      message: expect.stringMatching(/^All of these rows/),
    });
  });

  it('are cached ones only when spending is off', async () => {
    const sidebar = await openSidebar({ workbook: createList(['unasked.example']) });
    await sidebar.callOk('setSpending', { on: false });
    expect(await sidebar.callOk('planEnrich', createEnrichOrder())).toMatchObject({ credits: 0, toFetch: 0 });
    await runEnrichment(sidebar);
    expect(gateway.spent).toBe(0);
    expect(sidebar.getValues('Sheet1')[1]?.[1]).toBe('#BUDGET');
  });
});
