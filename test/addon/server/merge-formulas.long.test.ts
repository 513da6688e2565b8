// Merging formulas of single cells into formulas of ranges: same cells, no purchase, undoable, safe when interrupted.
import { describe, expect, inject, it } from 'vitest';
import { getCellTexts } from '../../../addon/dev/host/sheets/locales.ts';
import { pickCases } from '../../pick-cases.ts';
import { Grid } from '../grid.ts';
import { gateway, openFormulas } from './sidebar.ts';

type Cells = ConstructorParameters<typeof Grid>[0];

async function open(grid: Grid, button: 'OK' | 'YES' = 'OK') {
  const spreadsheet = await openFormulas(grid, gateway.fetch, button);
  const { callOk } = spreadsheet;
  const getOffer = async () => (await callOk('planMerge', {})).offer;
  const merge = async () => {
    const offer = await getOffer();
    if (offer === null) throw new Error('nothing to merge');
    return callOk('mergeFormulas', { sheetId: offer.sheetId, approval: offer.approval });
  };
  return { ...spreadsheet, getOffer, merge };
}

const key = (at: number): string => `site-${at}.example`;

/** Creates a column of keys from row 1 with formulas beside them. */
const column = (rows: number, formula: (row: number) => string): Cells =>
  Array.from({ length: rows }, (_, at) => [key(at + 1), formula(at + 1)]);

const ROWS = 40;
const byName = (row: number) => `=CDAPI_ENRICH(A${row}; "name")`;

describe.each(pickCases(['de_DE', 'en_US'], 1))('formulas of single cells in %s', (locale) => {
  it('become one, with the same values and without a purchase, and Undo restores each', async () => {
    const grid = new Grid(column(ROWS, byName), {}, locale);
    const { getOffer, merge, callOk, calculate, requests } = await open(grid);
    await calculate();
    const all = `A1:C${ROWS}`;
    const [values, formulas] = [grid.values(all), grid.formulas(all)];
    const spent = gateway.spent;
    expect(await getOffer()).toMatchObject({ formulas: ROWS, ranges: 1, columns: ['B'], credits: 0 });
    const { formulas: count, ranges, runId } = await merge();
    expect([count, ranges]).toEqual([ROWS, 1]);
    const calls = requests.length;
    await calculate();
    expect(requests.length - calls).toBeLessThanOrEqual(1);
    expect(grid.formulas('B1:B3')).toEqual([[grid.typed(`=CDAPI_ENRICH(A1:A${ROWS}; "name")`)], [''], ['']]);
    expect(grid.values(all)).toEqual(values);
    expect(gateway.spent).toBe(spent);
    expect(await getOffer()).toBeNull();
    expect(await callOk('undo', { runId })).toMatchObject({ cells: ROWS });
    expect(grid.formulas(all)).toEqual(formulas);
    await calculate();
    expect(grid.values(all)).toEqual(values);
    expect(gateway.spent).toBe(spent);
  });
});

it('merges a thousand formulas that are still loading into one, whose lookup is one call', async () => {
  const grid = new Grid(column(1000, byName));
  const formulas = grid.formulas('B1:B1000');
  const { merge, callOk, calculate, requests } = await open(grid);
  const { runId, ...merged } = await merge();
  expect(merged).toEqual({ formulas: 1000, ranges: 1 });
  const calls = requests.length;
  await calculate();
  expect(requests.length - calls).toBe(1);
  expect(grid.formulas('B1:B2')).toEqual([['=CDAPI_ENRICH(A1:A1000, "name")'], ['']]);
  expect(grid.values('B1:B1000')).toEqual(formulas.map((_, at) => [`Name of ${key(at + 1)}`]));
  expect(await callOk('undo', { runId })).toMatchObject({ cells: 1000 });
  expect(grid.formulas('B1:B1000')).toEqual(formulas);
});

describe('the merged formula', () => {
  it.each([
    ['=cdapi_enrich( $a{row} ;"name" )', '=CDAPI_ENRICH($A1:$A40, "name")'],
    ['=CDAPI_ENRICH(A{row})', '=CDAPI_ENRICH(A1:A40)'],
    [
      '=CDAPI_COMPANY(Sheet1!A{row}; ; "max_age=7d, refresh=5")',
      '=CDAPI_COMPANY(Sheet1!A1:A40, , "max_age=7d")',
    ],
    ["=CDAPI_ENRICH('Sheet1'!$A{row}; $F$1)", "=CDAPI_ENRICH('Sheet1'!$A1:$A40, $F$1)"],
  ])('of %s is %s', async (formula, merged) => {
    const cells = column(ROWS, (row) => formula.replace('{row}', String(row)));
    const hasForeignFields = formula.includes('$F$1');
    if (hasForeignFields) cells[0]?.push('', '', '', 'name');
    const grid = new Grid(cells);
    const { merge, getOffer, calculate } = await open(grid);
    if (hasForeignFields) {
      // Until there are results, these formulas could fill any cells.
      expect(await getOffer()).toBeNull();
      await calculate();
    }
    await merge();
    expect(grid.formulas('B1:B40').flat().filter(Boolean)).toEqual([merged]);
  });

  it.each([
    ['an absolute row', (_: number) => '=CDAPI_ENRICH(A$1; "name")'],
    ['a range', (row: number) => `=CDAPI_ENRICH(A${row}:A${row + 1}; "name")`],
    ['other arguments in each row', (row: number) => `=CDAPI_ENRICH(A${row}; C${row})`],
    ['other options in each row', (row: number) => `=CDAPI_ENRICH(A${row}; "name"; "max_age=${row}d")`],
    ['a heading row', (row: number) => `=CDAPI_ENRICH(A${row}; "name"; "header")`],
    ['a credit limit for each', (row: number) => `=CDAPI_ENRICH(A${row}; "name"; "max_credits=9")`],
    ['options from a cell', (row: number) => `=CDAPI_ENRICH(A${row}; "name"; $D$1)`],
    ['the formula above as key', (row: number) => `=CDAPI_COMPANY(B${row + 1}; "name")`],
    ['an expression around it', (row: number) => `=UPPER(CDAPI_ENRICH(A${row}; "name"))`],
    ['an expression as fields', (row: number) => `=CDAPI_ENRICH(A${row}; IF(ROW()=2; "name"; "founded"))`],
    ['gaps', (row: number) => (row % 2 === 0 ? byName(row) : 'typed')],
    ['keys in another order', (row: number) => byName(ROWS + 1 - row)],
    ['unknown options', (row: number) => `=CDAPI_ENRICH(A${row}; "name"; "colour=red")`],
  ])('does not replace formulas with %s', async (_, formula) => {
    const grid = new Grid(column(ROWS, formula));
    const { getOffer } = await open(grid);
    expect(await getOffer()).toBeNull();
  });

  it('fills only cells that the formulas filled, and keeps what was typed in between', async () => {
    const cells = column(ROWS + 2, (row) => `=CDAPI_ENRICH(A${row}; "name, founded")`);
    // In the way of one formula, so that it shows an error.
    cells[ROWS]?.push('mine');
    const grid = new Grid(cells);
    const { getOffer, merge, calculate } = await open(grid);
    await calculate();
    const all = `A1:D${ROWS + 2}`;
    const before = grid.values(all);
    expect(before[ROWS]?.[1]).toBe(getCellTexts('en_US').blocked);
    expect(await getOffer()).toMatchObject({ formulas: ROWS, ranges: 1 });
    await merge();
    await calculate();
    expect(grid.values(all)).toEqual(before);
  });

  it('replaces the formulas of each column, and pending rows cost what the offer says', async () => {
    for (let row = 1; row <= ROWS; row += 1) gateway.pendingCounts.set(key(row), row > 3 ? 0 : 3);
    const cells = column(ROWS, byName).map((line, at) => [...line, `=CDAPI_ENRICH(A${at + 1}; "founded")`]);
    const grid = new Grid(cells);
    const { getOffer, merge, calculate, call } = await open(grid);
    await calculate();
    expect(grid.values('B1:C1')).toEqual([['#PENDING', '#PENDING']]);
    const offer = await getOffer();
    expect(offer).toMatchObject({ formulas: 2 * ROWS, ranges: 2, columns: ['B', 'C'] });
    expect(offer?.credits).toBeGreaterThan(0);
    if (offer === null) return;
    const { sheetId, approval } = offer;
    const cheaper = { ...approval, credits: approval.credits - 1 };
    expect(await call('mergeFormulas', { sheetId, approval: cheaper })).toMatchObject({
      ok: false,
      code: 'price_changed',
    });
    const spent = gateway.spent;
    await merge();
    for (const row of [1, 2, 3]) gateway.pendingCounts.delete(key(row));
    await calculate();
    expect(gateway.spent - spent).toBe(offer.credits);
    expect(grid.values('B1:C1')).toEqual([[`Name of ${key(1)}`, 1999]]);
  });
});

it('many short runs are merged in several clicks, each with a bounded number of service calls and with Undo', async () => {
  const grid = new Grid(column(70 * 3, (row) => (row % 3 === 0 ? 'typed' : byName(row))));
  const formulas = grid.formulas('B1:B210');
  const { getOffer, merge, callOk, host } = await open(grid);
  const before = host.usage.serviceCalls;
  expect(await getOffer()).toMatchObject({ formulas: 100, ranges: 50 });
  expect(host.usage.serviceCalls - before).toBeLessThanOrEqual(130);
  const { runId } = await merge();
  expect(await getOffer()).toMatchObject({ formulas: 40, ranges: 20 });
  await callOk('undo', { runId });
  expect(grid.formulas('B1:B210')).toEqual(formulas);
});

describe('the offer', () => {
  it('is made for formulas that are still loading, and not for few formulas', async () => {
    const grid = new Grid(column(ROWS, byName));
    const { getOffer } = await open(grid);
    expect(grid.values('B1')).toEqual([[getCellTexts('en_US').loading]]);
    expect(await getOffer()).toMatchObject({ formulas: ROWS, ranges: 1 });
    const few = await open(new Grid(column(29, byName)));
    expect(await few.getOffer()).toBeNull();
    expect(few.requests).toEqual([]);
  });

  // Without a connection the merged formula would show an error instead of the values.
  it('is not made where only the sidebar is connected, and keeps the values', async () => {
    const grid = new Grid(column(ROWS, byName));
    const { getOffer, call, calculate, host } = await open(grid, 'YES');
    await calculate();
    const before = grid.values(`A1:B${ROWS}`);
    const offer = await getOffer();
    if (offer === null) throw new Error('nothing to merge');
    await host.run('disconnect');
    const { url, team_token: token } = inject('session');
    await call('connect', { link: `${url}/connect#${token}`, for: 'me' });
    expect(await call('status', {})).toMatchObject({ value: { connection: { for: 'me' } } });
    expect(await getOffer()).toBeNull();
    const { sheetId, approval } = offer;
    expect(await call('mergeFormulas', { sheetId, approval })).toMatchObject({ ok: false, code: 'gone' });
    await calculate();
    expect(grid.values(`A1:B${ROWS}`)).toEqual(before);
  });

  it('ends when it is dismissed', async () => {
    const { getOffer, callOk } = await open(new Grid(column(ROWS, byName)));
    await callOk('dismissMerge', { sheetId: (await getOffer())?.sheetId ?? 0 });
    expect(await getOffer()).toBeNull();
  });
});

describe('an interrupted or outdated merge', () => {
  const twoColumns = () =>
    column(ROWS, byName).map((line, at) => [...line, `=CDAPI_ENRICH(A${at + 1}; "founded")`]);

  it.each([0, 1, 2])('keeps the values of every cell after %i writes', async (writes) => {
    const grid = new Grid(twoColumns());
    const { getOffer, call, calculate } = await open(grid);
    await calculate();
    const before = grid.values(`A1:D${ROWS}`);
    const offer = await getOffer();
    if (offer === null) throw new Error('nothing to merge');
    grid.writesLeft = writes;
    await call('mergeFormulas', { sheetId: offer.sheetId, approval: offer.approval });
    grid.writesLeft = Number.POSITIVE_INFINITY;
    await calculate();
    expect(grid.values(`A1:D${ROWS}`)).toEqual(before);
    expect(grid.formulas(`B1:C${ROWS}`).flat().filter(Boolean)).toHaveLength(2 + (2 - writes) * (ROWS - 1));
  });

  it('is undone after a refresh, which changes only an option', async () => {
    const grid = new Grid(column(ROWS, byName));
    const formulas = grid.formulas(`B1:B${ROWS}`);
    const { merge, callOk, host, calculate } = await open(grid);
    const { runId } = await merge();
    await calculate();
    grid.select('B1');
    await host.run('refreshSelection');
    await callOk('undo', { runId });
    expect(grid.formulas(`B1:B${ROWS}`)).toEqual(formulas);
  });

  it('is not undone when other cells would be lost', async () => {
    const grid = new Grid(column(ROWS, byName));
    const { merge, call, host, calculate } = await open(grid, 'YES');
    const { runId } = await merge();
    await calculate();
    await host.run('freezeSheet');
    const values = grid.values(`A1:B${ROWS}`);
    expect(await call('undo', { runId })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^The sheet was changed since/),
    });
    expect(grid.values(`A1:B${ROWS}`)).toEqual(values);
  });
});
