// Looking columns up from the sidebar, against the running instance.
import { describe, expect, it } from 'vitest';
import type { EnrichOrder } from '../../../addon/server/api.ts';
import { sampleWebsites, spentBy } from '../formulas/sheets.ts';
import { answer, network } from '../spreadsheet.ts';
import { enriched, enrichOrder, list } from './orders.ts';
import { openSidebar, startAsking, workbookOf } from './sidebar.ts';
import { allShown, shownOf, withSheet } from './state.ts';

const websites = async (): Promise<string[]> => [...new Set(await sampleWebsites())];

describe('columns that hold something to look up', () => {
  it('are found by their content, whatever they are called and wherever they are', async () => {
    const [one = '', two = ''] = await websites();
    const bar = await openSidebar({
      workbook: {
        ...workbookOf([
          ['Customer', 'Staff', 'Where', 'Company id', 'Person'],
          ['Acme', 12, one, 123456, 'https://www.professional-network.example/in/ada'],
          ['Globex', 40, `https://www.${two}/about`, 234567, 'professional-network.example/in/bob'],
        ]),
        sheets: [
          { id: 2, name: 'No heading', values: [[two], [one]] },
          {
            id: 1,
            name: 'Sheet1',
            values: [
              ['Customer', 'Staff', 'Where', 'Company id', 'Person'],
              ['Acme', 12, one, 123456, 'https://www.professional-network.example/in/ada'],
              ['Globex', 40, `https://www.${two}/about`, 234567, 'professional-network.example/in/bob'],
            ],
          },
          { id: 3, name: 'Hidden', values: [[one]], hidden: true },
        ],
        active: { sheet: 'Sheet1', row: 1, column: 1 },
      },
    });
    expect(await bar.value('columns', {})).toMatchObject([
      { sheet: 'Sheet1', letter: 'C', heading: 'Where', headingRow: 1, kind: 'website', keys: 2 },
      { sheet: 'Sheet1', letter: 'D', heading: 'Company id', kind: 'id' },
      {
        sheet: 'Sheet1',
        letter: 'E',
        heading: 'Person',
        kind: 'url',
        families: expect.arrayContaining(['employee_clean']),
      },
      { sheet: 'No heading', letter: 'A', heading: '', headingRow: 0, kind: 'website', distinct: 2 },
    ]);
  });
});

describe('a thousand rows', () => {
  it('are priced and written in at most four calls of the gateway and four writes', async () => {
    const known = await websites();
    const keys = Array.from({ length: 1000 }, (_, at) =>
      at % 4 === 0 ? `https://www.${known[at % known.length]}/` : `nobody-${at % 40}.example`,
    );
    const bar = await openSidebar({ workbook: list(keys) });
    const plan = await bar.value('planEnrich', enrichOrder());
    expect(plan).toMatchObject({
      rows: 1000,
      distinct: new Set(keys).size,
      columns: [
        { heading: 'name', letter: 'B', isNew: true },
        { heading: 'founded', letter: 'C', isNew: true },
      ],
      invalid: 0,
      warnings: [],
    });
    const { approval } = plan;
    const done = await bar.finish(await bar.value('startEnrich', { ...enrichOrder(), approval }));
    expect(done.trouble).toBeUndefined();
    expect(done).toMatchObject({ state: 'done', done: 1000, rows: 250, failed: { '#NOT_FOUND': 750 } });
    expect(bar.calls()).toEqual(['POST estimate', 'POST lookup', 'POST runs']);
    expect(bar.writes().length).toBeLessThanOrEqual(4);
    expect(done.credits).toBeLessThanOrEqual(plan.credits);
    const values = bar.values('Sheet1');
    expect(values[0]).toEqual(['Website', 'name', 'founded']);
    expect(values[1]?.[1]).toMatch(/^[^#]/);
    expect(values[2]?.[1]).toBe('#NOT_FOUND');
  });

  it('cost nothing the second time, whatever fields are added', async () => {
    const bar = await openSidebar({ workbook: list(await websites()) });
    await enriched(bar);
    const spent = await spentBy(() => enriched(bar, { fields: ['industry'] }));
    expect(spent).toBe(0);
    expect(bar.values('Sheet1')[0]).toEqual(['Website', 'name', 'founded', 'industry']);
    expect(await bar.value('tables', {})).toMatchObject([
      { kind: 'enrich', columns: ['name', 'founded', 'industry'], range: 'A1:D1' },
    ]);
  });
});

describe('what is written', () => {
  it('is only where nothing else stands, and Undo takes it away', async () => {
    const [one = '', two = ''] = await websites();
    const bar = await openSidebar({
      workbook: workbookOf(
        [
          ['Website', 'Note', '', 'Sum'],
          [one, 'a', '', 1],
          ['', 'b', '', 2],
          [two, 'c', '', ''],
        ],
        { formulas: [[], [], [], ['', '', '', '=SUM(D2:D3)']] },
      ),
    });
    const before = allShown(bar.workbook());
    const done = await enriched(bar);
    expect(bar.values('Sheet1')[0]).toEqual(['Website', 'Note', '', 'Sum', 'name', 'founded']);
    expect(
      bar
        .values('Sheet1')[2]
        ?.slice(4)
        .every((cell) => cell === ''),
    ).toBe(true);
    expect(bar.sheet('Sheet1').formulas?.[3]?.[3]).toBe('=SUM(D2:D3)');
    await bar.value('undo', { runId: done.runId });
    expect(allShown(bar.workbook())).toEqual(before);
  });

  it('gets a row for headings where the column has none', async () => {
    const known = (await websites()).slice(0, 3);
    const bar = await openSidebar({ workbook: workbookOf(known.map((key) => [key])) });
    const before = allShown(bar.workbook());
    expect((await bar.value('planEnrich', enrichOrder())).warnings).toEqual([
      expect.stringMatching(/no heading/),
    ]);
    const done = await enriched(bar);
    expect(bar.values('Sheet1').map(([key]) => key)).toEqual(['Website', ...known]);
    expect(done.rows).toBe(3);
    await bar.value('undo', { runId: done.runId });
    expect(allShown(bar.workbook())).toEqual(before);
  });

  it('says in a column how each row came about, and where it comes from', async () => {
    const [one = ''] = await websites();
    const bar = await openSidebar({ workbook: list([one, 'nobody.example', 'no website']) });
    await enriched(bar, { statusColumn: true, provenance: 'columns' });
    const [head, first, second, third] = bar.values('Sheet1');
    expect(head).toEqual(['Website', 'name', 'founded', 'Status', 'Retrieved at', 'Source', 'Credits']);
    expect(first?.[3]).toMatch(/^(?:bought|from memory)$/);
    expect(first?.[4]).toBeInstanceOf(Date);
    expect(second?.slice(1, 4)).toEqual(['', '', expect.stringMatching(/^#NOT_FOUND There is nothing/)]);
    expect(third?.[3]).toMatch(/^#INVALID_KEY /);
  });

  it('says it in notes', async () => {
    const [one = ''] = await websites();
    const bar = await openSidebar({ workbook: list([one]) });
    await enriched(bar, { provenance: 'notes' });
    expect(bar.sheet('Sheet1').notes?.[1]?.[1]).toMatch(/^Retrieved \d{4}-\d\d-\d\d \d\d:\d\d UTC, /);
  });

  it.each<[EnrichOrder['scope'], readonly number[], object]>([
    ['blank', [0, 2, 3, 4], {}],
    [
      'selection',
      [1, 3],
      {
        selected: [
          { row: 3, column: 1, rows: 1, columns: 2 },
          { row: 5, column: 1, rows: 1, columns: 1 },
        ],
      },
    ],
    ['fromHere', [3, 4], {}],
  ])('is about the rows of the scope %s alone', async (scope, rows, more) => {
    const known = (await websites()).slice(0, 5);
    const bar = await openSidebar({
      workbook: { ...list(known), active: { sheet: 'Sheet1', row: 5, column: 1 }, ...more },
    });
    const first = scope === 'blank' ? { only: [1] } : undefined;
    if (first !== undefined) {
      bar.edit((workbook) => ({ ...workbook, active: { sheet: 'Sheet1', row: 3, column: 1 } }));
      await enriched(bar, { scope: 'selection' });
      expect(bar.values('Sheet1').filter((row) => (row[1] ?? '') !== '')).toHaveLength(2);
    }
    const plan = await bar.value('planEnrich', enrichOrder({ scope }));
    expect(plan.rows).toBe(rows.length);
    const done = await enriched(bar, { scope });
    expect(done.done).toBe(rows.length);
    const filled = bar
      .values('Sheet1')
      .slice(1)
      .flatMap((row, at) => ((row[1] ?? '') === '' ? [] : [at]));
    expect(filled).toEqual(scope === 'blank' ? [0, 1, 2, 3, 4] : rows);
  });

  it('keeps numbers, days, times and long ids what they are, whatever format a cell had', async () => {
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
    const bar = await openSidebar({
      workbook: list(['a.example'], { formats: [[], ['', '@', '@', '@']] }),
      fetch: async (request) =>
        request.url.endsWith('/lookup')
          ? answer(200, {
              rows: [{ key: 'a.example', status: 'hit', record, credits: 0 }],
              credits: { spent: 0, saved: 0, remaining: null },
              stamp: 'x',
            })
          : answer(200, { distinct: 1, to_fetch: 0, credits: 0 }),
    });
    await enriched(bar, { fields: Object.keys(record) });
    expect(bar.values('Sheet1')[1]).toEqual([
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
    const formats = bar.sheet('Sheet1').formats?.[1];
    expect([formats?.[1], formats?.[3], formats?.[4]]).toEqual([
      'General',
      'yyyy-mm-dd',
      'yyyy-mm-dd hh:mm:ss',
    ]);
  });

  it.each(['bold', 'normal'] as const)(
    'has headings that look like the one beside them: %s; and takes that back',
    async (weight) => {
      const known = (await websites()).slice(0, 2);
      const bar = await openSidebar({ workbook: list(known, { styles: { fontWeight: [[weight]] } }) });
      const before = shownOf(bar.sheet('Sheet1'));
      const { runId } = await enriched(bar);
      const bold = weight === 'bold' ? [['bold', 'bold', 'bold']] : [];
      expect(shownOf(bar.sheet('Sheet1'))).toMatchObject({ frozen: 0, weights: bold });
      await bar.value('undo', { runId });
      expect(shownOf(bar.sheet('Sheet1'))).toEqual(before);
    },
  );

  it('says before that rows which a filter hides are included', async () => {
    const known = (await websites()).slice(0, 3);
    const filter = { row: 1, column: 1, rows: 4, columns: 1 };
    const bar = await openSidebar({ workbook: list(known, { filter, filteredRows: [3] }) });
    expect((await bar.value('planEnrich', enrichOrder())).warnings).toEqual([
      expect.stringMatching(/filter hides/),
    ]);
    expect(await enriched(bar)).toMatchObject({ rows: 3 });
  });

  it('does not replace what someone typed, unless confirmed; nor values by failures', async () => {
    const known = (await websites()).slice(0, 3);
    let down = false;
    const bar = await openSidebar({
      workbook: list(known),
      fetch: async (request) => {
        if (!down || !request.url.endsWith('/lookup')) return network(request);
        const rows = known.map((key) => ({
          key,
          status: 'failed',
          problem: 'provider_unavailable',
          credits: 0,
        }));
        return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: 0 }, stamp: 'x' });
      },
    });
    await enriched(bar);
    const names = bar.values('Sheet1').map((row) => row[1]);
    bar.edit((workbook) =>
      withSheet(workbook, 'Sheet1', ({ values }) => ({
        values: values.map((row, at) => (at === 2 ? [row[0] ?? '', 'typed', row[2] ?? ''] : row)),
      })),
    );
    expect((await bar.value('planEnrich', enrichOrder())).willOverwrite).toMatchObject({
      cells: 1,
      sample: [{ cell: 'Sheet1, row 3', value: expect.stringMatching(/^typed/) }],
    });
    expect(await startAsking(bar, 'startEnrich', enrichOrder())).toMatchObject({ code: 'confirm_first' });
    expect(bar.values('Sheet1')[2]?.[1]).toBe('typed');
    await enriched(bar, {}, true);
    expect(bar.values('Sheet1').map((row) => row[1])).toEqual(names);
    down = true;
    const failed = await enriched(bar);
    expect(failed).toMatchObject({ state: 'done', rows: 0, failed: { '#UNAVAILABLE': 3 } });
    expect(bar.values('Sheet1').map((row) => row[1])).toEqual(names);
  });

  it('is only what is remembered where spending is off for the sheet', async () => {
    const bar = await openSidebar({ workbook: list(['nobody-has-asked.example']) });
    await bar.value('setSpending', { on: false });
    expect(await bar.value('planEnrich', enrichOrder())).toMatchObject({ credits: 0, toFetch: 0 });
    expect(await spentBy(() => enriched(bar))).toBe(0);
    expect(bar.values('Sheet1')[1]?.[1]).toBe('#BUDGET');
  });
});
