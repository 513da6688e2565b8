// Freeze to values: the add-on's formulas become what they show, with all the cells that they fill, and nothing else changes.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { CellValue, UiAnswer, UiRequest } from '../../addon/host/types.ts';
import { Grid } from './grid.ts';
import { answer, openSpreadsheet, type Spreadsheet } from './spreadsheet.ts';

let opened: Spreadsheet[] = [];
afterEach(() => {
  for (const { host } of opened) host.close();
  opened = [];
});

interface How {
  button?: UiAnswer['button'];
  /** false: the formulas have not answered yet. */
  calculated?: boolean;
}

/** What is known of each website; one that is not there is still being fetched. */
const records: Record<string, Record<string, unknown>> = {
  'a.com': { name: 'Acme', size: 12, day: '2024-02-29', empty: null },
  'b.com': { name: 'Bolt', size: 7, day: '2020-01-01', empty: null },
  'c.com': { name: '=1+1', size: 0, day: '0012', empty: 'x' },
};

async function open(grid: Grid, { button = 'YES', calculated = true }: How = {}) {
  const shown: UiRequest[] = [];
  const spreadsheet = await openSpreadsheet({
    ...grid.options,
    fetch: async ({ body }) => {
      const { keys } = JSON.parse(new TextDecoder().decode(body ?? undefined)) as { keys: string[] };
      const rows = keys.map((key) =>
        key in records
          ? { key, status: 'hit', record: records[key], credits: 0 }
          : { key, status: 'pending', problem: 'pending', credits: 0 },
      );
      return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: null }, stamp: '1' });
    },
    onUi: (request) => {
      shown.push(request);
      return { button };
    },
  });
  opened.push(spreadsheet);
  if (calculated) await grid.calculate(spreadsheet.host);
  /** What was said, dialogs and notices alike. */
  const said = (): string[] =>
    shown.map((request) =>
      'prompt' in request ? request.prompt : 'message' in request ? request.message : '',
    );
  return { ...spreadsheet, said };
}

const noFormulas = (formulas: readonly (readonly string[])[]) => formulas.flat().every((text) => text === '');

describe('freezing a sheet', () => {
  it('keeps every cell that a formula fills, as it is: texts, numbers, dates and blanks', async () => {
    const grid = new Grid([
      ['Website', 'Name', 'Size', 'Nothing', 'Day'],
      ['a.com', '=CDAPI_ENRICH(A2:A4, "name, size, empty, day")'],
      ['b.com'],
      ['c.com'],
    ]);
    const { host, said } = await open(grid);
    const before = grid.values('A1:E5');
    expect(before[1]).toEqual(['a.com', 'Acme', 12, '', new Date('2024-02-29T00:00:00Z')]);
    await host.run('freezeSheet');
    expect(noFormulas(grid.formulas('A1:E5'))).toBe(true);
    expect(grid.values('A1:E5')).toEqual(before);
    expect(said()).toEqual([
      expect.stringMatching(/^Turn 1 formula in this sheet into what they show now\?/),
      '1 formula became values. Undo brings formulas back.',
    ]);
  });

  it('keeps a text that looks like a formula, a number or a date a text', async () => {
    const grid = new Grid([['c.com', '=CDAPI_ENRICH(A1, "name, day")']]);
    const { host } = await open(grid);
    await host.run('freezeSheet');
    expect(grid.values('B1:C1')).toEqual([['=1+1', '0012']]);
    expect(noFormulas(grid.formulas('A1:C1'))).toBe(true);
  });

  it('changes no other formula and nothing that somebody typed, also among the cells of a result', async () => {
    const grid = new Grid(
      [
        ['Website', 'Name', 'Size', '=COUNTA(B2:B3)', 'note'],
        ['a.com', '=CDAPI_ENRICH(A2, "name, size")', '', '', 'mine'],
        ['b.com', '=CDAPI_ENRICH(A3, "name, size")', '', '=LEN(B3)', '=1'],
      ],
      {
        '=COUNTA(B2:B3)': (read) => [[[2, 3].filter((row) => read(row, 2) !== '').length]],
        '=LEN(B3)': (read) => [[String(read(3, 2)).length]],
      },
    );
    const { host } = await open(grid);
    const before = grid.values('A1:E3');
    await host.run('freezeSheet');
    expect(grid.formulas('A1:E3')).toEqual([
      ['', '', '', '=COUNTA(B2:B3)', ''],
      ['', '', '', '', ''],
      ['', '', '', '=LEN(B3)', '=1'],
    ]);
    expect(grid.values('A1:E3')).toEqual(before);
  });

  it('leaves the cells of another formula’s result to that formula', async () => {
    const filter = (read: (row: number, column: number) => CellValue): CellValue[][] =>
      [2, 3].map((row) => [read(row, 2)]);
    const grid = new Grid(
      [['Website', 'Name', '', '={B2:B3}'], ['a.com', '=CDAPI_ENRICH(A2:A3, "name")'], ['b.com']],
      { '={B2:B3}': filter },
    );
    const { host } = await open(grid);
    const before = grid.values('A1:D3');
    expect(before.map(([, , , cell]) => cell)).toEqual(['Acme', 'Bolt', '']);
    await host.run('freezeSheet');
    expect(grid.values('A1:D3')).toEqual(before);
    expect(grid.formulas('D1:D3')).toEqual([['={B2:B3}'], [''], ['']]);
  });

  it('leaves formulas that wait or failed, and all of their rows, and says how many', async () => {
    const grid = new Grid([
      ['a.com', '=CDAPI_ENRICH(A1:A2, "name, size")'],
      ['slow.com'],
      ['b.com', '=CDAPI_ENRICH(A3, "name, size")'],
      ['c.com', '=CDAPI_ENRICH(A4, "na me[")'],
    ]);
    const { host, said } = await open(grid);
    const before = grid.values('A1:C4');
    expect(before.map(([, cell]) => cell)).toEqual(['Acme', '#PENDING', 'Bolt', '#ERROR!']);
    await host.run('freezeSheet');
    expect(grid.formulas('B1:B4')).toEqual([
      ['=CDAPI_ENRICH(A1:A2, "name, size")'],
      [''],
      [''],
      ['=CDAPI_ENRICH(A4, "na me[")'],
    ]);
    await grid.calculate(host);
    expect(grid.values('A1:C4')).toEqual(before);
    expect(said().at(-1)).toMatch(/^1 formula became values\. 2 formulas stayed: /);
  });

  it('leaves a formula that has not answered yet', async () => {
    const grid = new Grid([['a.com', '=CDAPI_ENRICH(A1, "name")']]);
    const { host, said } = await open(grid, { calculated: false });
    await host.run('freezeSheet');
    expect(grid.formulas('B1')).toEqual([['=CDAPI_ENRICH(A1, "name")']]);
    expect(said().at(-1)).toMatch(/^0 formulas became values\. 1 formula stayed/);
  });

  it('that Sheets refuses half-way leaves every formula in its place, and says why', async () => {
    const grid = new Grid([
      ['a.com', '=CDAPI_ENRICH(A1:A2, "name, size")'],
      ['b.com'],
      ['c.com', '=CDAPI_ENRICH(A3, "name")'],
    ]);
    const { host, said } = await open(grid);
    const before = grid.values('A1:C3');
    const formulas = grid.formulas('A1:C3');
    let batches = 0;
    grid.refuse = () => {
      batches += 1;
      if (batches === 2) throw new Error('You are trying to edit a protected cell.');
    };
    await host.run('freezeSheet').catch(() => undefined);
    grid.refuse = () => undefined;
    await grid.calculate(host);
    expect(batches).toBeGreaterThan(1);
    expect(grid.formulas('A1:C3')).toEqual(formulas);
    expect(grid.values('A1:C3')).toEqual(before);
    expect(said().at(-1)).toMatch(/protected cell/);
  });

  it.each(['NO', 'CLOSE'] as const)('answered with %s changes nothing', async (button) => {
    const grid = new Grid([['a.com', '=CDAPI_ENRICH(A1, "name")']]);
    const { host, said } = await open(grid, { button });
    await host.run('freezeSheet');
    expect(grid.formulas('B1')).toEqual([['=CDAPI_ENRICH(A1, "name")']]);
    expect(said()).toHaveLength(1);
  });

  it('without a formula of ours says so: a text or a sheet’s name is none', async () => {
    const grid = new Grid([['=IF(A1="CDAPI_ENRICH(", 1)', "='CDAPI_ENRICH(x'!A1", 'CDAPI_ENRICH(A1)']]);
    const { host, said } = await open(grid);
    await host.run('freezeSheet');
    expect(said()).toEqual(['There is no CDAPI formula in this sheet.']);
  });
});

describe('freezing a selection', () => {
  const two = () =>
    new Grid([
      ['a.com', '=CDAPI_ENRICH(A1:A2, "name, size")'],
      ['b.com'],
      ['c.com', '=CDAPI_ENRICH(A3, "size")'],
    ]);

  it('takes the formulas in it, with cells beyond it that they fill, and no others', async () => {
    const grid = two();
    const { host } = await open(grid);
    const before = grid.values('A1:C3');
    grid.select('B1');
    await host.run('freezeSelection');
    expect(grid.formulas('B1:B3')).toEqual([[''], [''], ['=CDAPI_ENRICH(A3, "size")']]);
    expect(grid.values('A1:C3')).toEqual(before);
  });

  it('that holds only filled cells says where the formula is to be found', async () => {
    const grid = two();
    const { host, said } = await open(grid);
    grid.select('B2:C2');
    await host.run('freezeSelection');
    expect(said()).toEqual([
      expect.stringMatching(/^There is no CDAPI formula in the selection\. Select the cell/),
    ]);
    expect(grid.formulas('B1')).toEqual([['=CDAPI_ENRICH(A1:A2, "name, size")']]);
  });

  it('takes a formula within another', async () => {
    const formula = '=IF(A1="", "", cdapi_enrich(A1, "name"))';
    const grid = new Grid([['a.com', formula]], { [formula]: () => [['Acme']] });
    const { host } = await open(grid);
    grid.select('A:Z');
    await host.run('freezeSelection');
    expect(grid.formulas('B1')).toEqual([['']]);
    expect(grid.values('B1')).toEqual([['Acme']]);
  });
});

describe('whatever stands where', () => {
  const SIZE = 7;
  const KEYS = ['a.com', 'slow.com', 'b.com', 'c.com', 'a.com'];
  const FIELDS = ['name', 'empty', 'size', 'day'];
  const place = fc.record({ row: fc.nat(SIZE - 1), column: fc.integer({ min: 1, max: SIZE - 1 }) });
  const formula = fc.record({
    at: place,
    first: fc.integer({ min: 1, max: KEYS.length }),
    rows: fc.integer({ min: 1, max: 3 }),
    fields: fc.subarray(FIELDS, { minLength: 1 }),
  });
  const typed = fc.record({
    at: place,
    text: fc.constantFrom('mine', '#PENDING', '-1', '2024-01-01', 7, true),
  });

  it('a frozen sheet shows what it showed, and only formulas that wait or failed are still formulas', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(formula, { minLength: 1, maxLength: 6 }),
        fc.array(typed, { maxLength: 5 }),
        async (formulas, texts) => {
          const cells: (string | number | boolean)[][] = Array.from({ length: SIZE }, (_, row) => [
            KEYS[row] ?? '',
            ...Array(SIZE - 1).fill(''),
          ]);
          for (const { at, text } of texts) cells[at.row]?.splice(at.column, 1, text);
          for (const { at, first, rows, fields } of formulas) {
            const range = `A${first}:A${Math.min(KEYS.length, first + rows - 1)}`;
            cells[at.row]?.splice(at.column, 1, `=CDAPI_ENRICH(${range}, "${fields.join(', ')}")`);
          }
          const grid = new Grid(cells);
          const { host } = await open(grid);
          const all = 'A1:N14';
          const before = grid.values(all);
          // A formula that finds no room may find some where another one’s blank is gone.
          fc.pre(!before.flat().includes('#REF!'));
          const were = grid.formulas(all);
          await host.run('freezeSheet');
          await grid.calculate(host);
          expect(grid.values(all)).toEqual(before);
          const left = grid
            .formulas(all)
            .flat()
            .filter((text) => text !== '');
          if (!before.flat().some((value) => /^#/.test(String(value)))) expect(left).toEqual([]);
          expect(were.flat()).toEqual(expect.arrayContaining(left));
          host.close();
        },
      ),
      { numRuns: 40 },
    );
  });
});
