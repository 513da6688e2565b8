// Freeze to values: replaces the add-on's formulas and the cells that they fill by values.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getCellTexts, hasDecimalComma, toSheetFormula } from '../../../addon/dev/host/sheets/locales.ts';
import { pickCases, pickRuns } from '../../pick-cases.ts';
import { respondWithRecords } from '../functions/sheets.ts';
import { Grid } from '../grid.ts';
import { openSpreadsheet } from '../spreadsheet.ts';

/** Records by website; others are pending. */
const records: Record<string, Record<string, unknown>> = {
  'a.com': { name: 'Acme', size: 12, day: '2024-02-29', empty: null },
  'b.com': { name: 'Bolt', size: 7, day: '2020-01-01', empty: null },
  'c.com': { name: '=1+1', size: 0, day: '0012', empty: 'x', phone: '+49 30 123456' },
};

/** With a decimal point, and with a decimal comma and other words for loading and failed cells. */
const LOCALES = ['en_US', 'de_DE', 'es_ES', 'ja_JP', 'ru_RU'];

async function open(grid: Grid) {
  const fetch = respondWithRecords((key) => records[key]);
  const spreadsheet = await openSpreadsheet({ ...grid.options, fetch }, 'YES');
  await grid.calculate(spreadsheet.host);
  return spreadsheet;
}

describe.each(pickCases(LOCALES, 2))('freezing a sheet in %s', (locale) => {
  it('keeps other formulas and typed cells inside a result', async () => {
    const grid = new Grid(
      [
        ['Website', 'Name', 'Size', '=COUNTA(B2:B3)', 'note'],
        ['a.com', '=CDAPI_ENRICH(A2; "name, size")', '', '', 'mine'],
        ['b.com', '=CDAPI_ENRICH(A3; "name, size")', '', '=LEN(B3)', '=1'],
      ],
      {
        '=COUNTA(B2:B3)': (read) => [[[2, 3].filter((row) => read(row, 2) !== '').length]],
        '=LEN(B3)': (read) => [[String(read(3, 2)).length]],
      },
      locale,
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

  it('keeps pending and failed formulas with all their rows', async () => {
    const cells = [
      ['a.com', '=CDAPI_ENRICH(A1:A2; "name, size")'],
      ['slow.com'],
      ['b.com', '=CDAPI_ENRICH(A3; "name, size")'],
      ['c.com', '=CDAPI_ENRICH(A4; "na me[")'],
    ];
    const grid = new Grid(cells, {}, locale);
    const { host, listMessages: said } = await open(grid);
    const before = grid.values('A1:C4');
    expect(before.map(([, cell]) => cell)).toEqual(['Acme', '#PENDING', 'Bolt', getCellTexts(locale).error]);
    await host.run('freezeSheet');
    expect(grid.formulas('B1:B4')).toEqual([
      [grid.typed('=CDAPI_ENRICH(A1:A2; "name, size")')],
      [''],
      [''],
      [grid.typed('=CDAPI_ENRICH(A4; "na me[")')],
    ]);
    await grid.calculate(host);
    expect(grid.values('A1:C4')).toEqual(before);
    expect(said().at(-1)).toMatch(/^1 formula became values\. 2 formulas stayed: /);
  });

  it('never freezes a formula that is still loading or that Sheets could not parse', async () => {
    const map = toSheetFormula('=MAP(B1:B3; LAMBDA(x; CDAPI_ENRICH(x)))', locale);
    const { loading, error } = getCellTexts(locale);
    const cells = [
      [map, 'a.com', '=CDAPI_ENRICH(B1; "name")'],
      ['', 'b.com', '=CDAPI_ENRICH(B2, "name")'],
      ['', 'c.com', '=CDAPI_ENRICH(B3; "name")'],
    ];
    const grid = new Grid(cells, { [map]: () => [['x'], [loading], ['y']] }, locale);
    const fetch = respondWithRecords((key) => records[key]);
    const { host } = await openSpreadsheet({ ...grid.options, fetch }, 'YES');
    const formulas = grid.formulas('A1:C3');
    expect(grid.values('A1:C3').map(([a, , c]) => [a, c])).toEqual([
      ['x', loading],
      [loading, loading],
      ['y', loading],
    ]);
    await host.run('freezeSheet');
    expect(grid.formulas('A1:C3')).toEqual(formulas);
    await grid.calculate(host);
    await host.run('freezeSheet');
    await grid.calculate(host);
    const isWrong = hasDecimalComma(locale);
    expect(grid.values('C1:C3')).toEqual([['Acme'], [isWrong ? error : 'Bolt'], ['=1+1']]);
    expect(grid.formulas('A1:C3')).toEqual([
      [map, '', ''],
      ['', '', isWrong ? formulas[1]?.[2] : ''],
      ['', '', ''],
    ]);
  });

  it('restores every formula when Sheets refuses a change', async () => {
    const cells = [
      ['a.com', '=CDAPI_ENRICH(A1:A2; "name, size")'],
      ['b.com'],
      ['c.com', '=CDAPI_ENRICH(A3; "name")'],
    ];
    const grid = new Grid(cells, {}, locale);
    const { host, listMessages: said } = await open(grid);
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

  it('reports a sheet without CDAPI formulas', async () => {
    const grid = new Grid(
      [['=IF(A1="CDAPI_ENRICH("; 1)', "='CDAPI_ENRICH(x'!A1", 'CDAPI_ENRICH(A1)']],
      {},
      locale,
    );
    const { host, listMessages: said } = await open(grid);
    await host.run('freezeSheet');
    expect(said()).toEqual(['There is no CDAPI formula in this sheet.']);
  });
});

it.each(['@', ''])('keeps formula-like results as texts in cells with the format "%s"', async (format) => {
  const grid = new Grid([['c.com', '=CDAPI_ENRICH(A1; "name, day, phone")']]);
  const { host } = await open(grid);
  const before = grid.values('A1:D1');
  expect(before).toEqual([['c.com', '=1+1', '0012', '+49 30 123456']]);
  if (format !== '') grid.format('B1:D1', format);
  await host.run('freezeSheet');
  expect(grid.formulas('A1:D1')).toEqual([['', '', '', '']]);
  expect(grid.values('A1:D1')).toEqual(before);
  expect(grid.formats('B1:D1')).toEqual([[format, format, format]]);
});

describe('freezing a selection', () => {
  const two = () =>
    new Grid([
      ['a.com', '=CDAPI_ENRICH(A1:A2; "name, size")'],
      ['b.com'],
      ['c.com', '=CDAPI_ENRICH(A3; "size")'],
    ]);

  it('freezes only its formulas, with all cells that they fill', async () => {
    const grid = two();
    const { host } = await open(grid);
    const before = grid.values('A1:C3');
    grid.select('B1');
    await host.run('freezeSelection');
    expect(grid.formulas('B1:B3')).toEqual([[''], [''], [grid.typed('=CDAPI_ENRICH(A3; "size")')]]);
    expect(grid.values('A1:C3')).toEqual(before);
  });
});

describe('an execution that dies', () => {
  const cells = () => [
    ['Website', 'Name', 'Size', '=COUNT(C2:C4)', ''],
    ['a.com', '=CDAPI_ENRICH(A2:A3; "name, size")', '', '', 'mine'],
    ['b.com', '', '', '', ''],
    ['c.com', '=CDAPI_ENRICH(A4; "name, empty, size")', '', '', ''],
    ['a.com', '=CDAPI_ENRICH(A5; "name")', 'typed', '', ''],
    ['slow.com', '=CDAPI_ENRICH(A6; "name, size")', '', '', ''],
  ];
  const count = { '=COUNT(C2:C4)': () => [[2]] };

  it.each(pickCases(LOCALES.slice(0, 2), 1))(
    'keeps every formula or all its values after any number of writes in %s',
    async (locale) => {
      const all = 'A1:E6';
      let writes = 0;
      for (let isDead = true; isDead; writes += 1) {
        const grid = new Grid(cells(), count, locale);
        const { host } = await open(grid);
        const before = grid.values(all);
        const formulas = grid.formulas(all);
        grid.writesLeft = writes;
        await host.run('freezeSheet').catch(() => undefined);
        isDead = !(grid.writesLeft > 0);
        grid.writesLeft = Number.POSITIVE_INFINITY;
        for (const [row, line] of grid.formulas(all).entries()) {
          for (const [column, formula] of line.entries()) {
            const isKept = formula.includes(formulas[row]?.[column]?.slice(1) ?? '');
            expect(isKept || grid.values(all)[row]?.[column] === before[row]?.[column]).toBe(true);
          }
        }
        // What an interrupted Freeze leaves is completed like a pending row.
        await host.run('cdapiOnOpen');
        await grid.calculate(host);
        expect(grid.values(all), `${writes} writes`).toEqual(before);
        expect(grid.formulas(all).flat().join()).not.toContain('IF(');
        host.close();
      }
      expect(writes).toBeGreaterThan(4);
    },
  );

  it('writes single-cell formulas in one call', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ['a.com', `=CDAPI_ENRICH(A${at + 1}; "name")`]);
    const grid = new Grid(rows);
    const { host } = await open(grid);
    let writes = 0;
    grid.refuse = (journal) => {
      writes += journal.length;
    };
    await host.run('freezeSheet');
    expect(grid.formulas('A1:B100').flat().join('')).toBe('');
    expect(writes).toBe(1);
  });
});

it('keeps a heading formula above a result, and the result of a formula that depends on it', async () => {
  const lengths = (read: (row: number, column: number) => unknown) =>
    [2, 3].map((row) => [String(read(row, 2)).length]);
  const grid = new Grid(
    [
      ['Website', '="Name"', '="Size"'],
      ['a.com', '=CDAPI_ENRICH(A2:A3; "name, size")', ''],
      ['b.com', '', ''],
      ['=LENGTHS()', '', ''],
    ],
    { '="Name"': () => [['Name']], '="Size"': () => [['Size']], '=LENGTHS()': lengths },
  );
  const { host } = await open(grid);
  const before = grid.values('A1:C5');
  expect(before.slice(1)).toEqual([
    ['a.com', 'Acme', 12],
    ['b.com', 'Bolt', 7],
    [4, '', ''],
    [4, '', ''],
  ]);
  await host.run('freezeSheet');
  expect(grid.values('A1:C5')).toEqual(before);
  expect(grid.formulas('A1:C4')).toEqual([
    ['', '="Name"', '="Size"'],
    ['', '', ''],
    ['', '', ''],
    ['=LENGTHS()', '', ''],
  ]);
});

it('keeps the cells of a result that another, blocked formula would fill', async () => {
  const grid = new Grid([
    ['a.com', '=CDAPI_ENRICH(A1:A3; "name")'],
    ['b.com', ''],
    ['c.com', ''],
    ['=CDAPI_ENRICH(A1; "name, size")', '', ''],
  ]);
  grid.select('B1');
  const { host } = await open(grid);
  const before = grid.values('A1:C4');
  await host.run('freezeSelection');
  await grid.calculate(host);
  expect(grid.values('A1:C4')).toEqual(before);
});

describe('any sheet', () => {
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

  it('shows the same values after freezing, and keeps only pending and failed formulas', async () => {
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
            cells[at.row]?.splice(at.column, 1, `=CDAPI_ENRICH(${range}; "${fields.join(', ')}")`);
          }
          const grid = new Grid(cells);
          const { host } = await open(grid);
          const all = 'A1:N14';
          const before = grid.values(all);
          // A blocked formula may spill after another one was frozen.
          fc.pre(!before.flat().includes('#REF!'));
          const formulasBefore = grid.formulas(all);
          await host.run('freezeSheet');
          await grid.calculate(host);
          expect(grid.values(all)).toEqual(before);
          const remaining = grid
            .formulas(all)
            .flat()
            .filter((text) => text !== '');
          if (!before.flat().some((value) => /^#/.test(String(value)))) expect(remaining).toEqual([]);
          expect(formulasBefore.flat()).toEqual(expect.arrayContaining(remaining));
          host.close();
        },
      ),
      { numRuns: pickRuns(6, 15) },
    );
  });
});
