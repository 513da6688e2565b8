// The list of formulas: states, ages and prices, rerunning and freezing, and spending by sheet.
import { describe, expect, inject, it } from 'vitest';
import { getCellTexts } from '../../../addon/dev/host/sheets/locales.ts';
import type { Method, Payload } from '../../../addon/server/api/index.ts';
import { getComparisonPrice } from '../../../addon/tables/lookup/names.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { getPreviewPrice } from '../../../shared/operations.ts';
import { problems } from '../../../shared/problems.ts';
import { Grid } from '../grid.ts';
import { callSidebar, createResponse, openSpreadsheet } from '../spreadsheet.ts';
import { createWorkbook, gateway, openFormulas, openSidebar } from './sidebar.ts';

const key = (at: number): string => `site-${at}.example`;
const enrichColumn = (rows: number) =>
  Array.from({ length: rows }, (_, at) => [key(at), `=CDAPI_ENRICH(A${at + 1}; "name")`]);
const enrich = { sheetId: 1, name: 'CDAPI_ENRICH', column: 2 };

describe.each(['en_US', 'de_DE'])('formulas in %s', (locale) => {
  it('are listed by column with what they show, the age of their data and the price of another run', async () => {
    const cells = [
      ['a.com', '=CDAPI_ENRICH(A1; "name")', '=CDAPI_COUNT("company_base"; "acme")'],
      ['nobody.com', '=CDAPI_ENRICH(A2; "name")', '=SUM(A1:A2)'],
      ['b.com', '=CDAPI_ENRICH(A3; "name")', '=CDAPI_PREVIEW("company_base"; "acme")'],
      ['c.com', '=CDAPI_ENRICH(A4; "name")'],
    ];
    const grid = new Grid(cells, {}, locale);
    const { callOk, calculate } = await openFormulas(grid);
    const before = (await callOk('formulas', {})).sheets;
    expect(before).toMatchObject([{ sheet: 'Sheet1', spending: true, single: 4 }]);
    expect(before[0]?.entries[0]).toMatchObject({ formulas: 4, loading: 4, failed: 0 });
    gateway.budget = 10;
    await calculate();
    const { sheets, unread, lastError } = await callOk('formulas', {});
    expect(sheets[0]?.entries).toMatchObject([
      {
        ...{ name: 'CDAPI_ENRICH', column: 2, range: 'B1:B4', formulas: 4, loading: 0, pending: 0 },
        ...{ failed: 2, errors: { '#NOT_FOUND': 1, '#BUDGET': 2 } },
        ...{ fills: ['Name'], credits: 30, family: 'company_clean' },
        lookup: { found: 1, notFound: 1, toBuy: 2, oldest: expect.stringMatching(/^20/) },
      },
      { name: 'CDAPI_COUNT', column: 3, range: 'C1', formulas: 1, credits: 0 },
      {
        ...{ name: 'CDAPI_PREVIEW', column: 3, failed: 1, errors: { [getCellTexts(locale).error]: 1 } },
        credits: null,
      },
    ]);
    expect(unread).toBe(0);
    expect(lastError?.message).toBeTruthy();
    expect(gateway.spent).toBe(10);
  });

  it('rerun only where they failed, for the price that was shown', async () => {
    const grid = new Grid(enrichColumn(4), {}, locale);
    const { call, callOk, calculate } = await openFormulas(grid);
    gateway.budget = 20;
    await calculate();
    const formulas = grid.formulas('B1:B4');
    gateway.budget = 100;
    const plan = await callOk('planRerun', enrich);
    expect(plan).toMatchObject({ formulas: 2, credits: 20 });
    const cheaper = { ...plan.approval, credits: 10 };
    expect(await call('rerunFormulas', { ...enrich, approval: cheaper })).toMatchObject({
      ok: false,
      code: 'price_changed',
    });
    expect(await callOk('rerunFormulas', { ...enrich, approval: plan.approval })).toEqual({ formulas: 2 });
    expect(grid.formulas('B1:B2')).toEqual(formulas.slice(0, 2));
    await calculate();
    expect(gateway.spent).toBe(40);
    expect(grid.values('B1:B4').flat()).toEqual([0, 1, 2, 3].map((at) => `Name of ${key(at)}`));
    expect((await callOk('planRerun', enrich)).formulas).toBe(0);
    const all = await callOk('planRerun', { ...enrich, all: true });
    expect(all).toMatchObject({ formulas: 4, credits: 0 });
    const { approval } = all;
    expect(await callOk('rerunFormulas', { ...enrich, all: true, approval })).toEqual({ formulas: 4 });
    await calculate();
    expect(gateway.spent).toBe(40);
  });

  it('say what they fill, headings or fields, and how many records they show', async () => {
    const grid = new Grid(
      [
        ['Website', 'Name', 'Founded', '', ''],
        ['a.com', '=CDAPI_ENRICH(A2:A4; "name, founded")', '', '', '=CDAPI_ENRICH(A2; "name, founded")'],
        ['a.com', '', '', '', ''],
        ['nobody.com', '', '', '', ''],
        ['', '', '', '', ''],
        ['b.com', '=CDAPI_ENRICH(A6; "name")', '', '', ''],
      ],
      {},
      locale,
    );
    const { callOk, calculate } = await openFormulas(grid);
    const readFirst = async () => (await callOk('formulas', {})).sheets[0]?.entries;
    expect(await readFirst()).toMatchObject([
      { fills: ['Name', 'Founded'], range: 'B2:C6', lookup: { found: 0, notFound: 0, toBuy: 3 } },
      { fills: ['Name', 'Founded'], range: 'E2:F2' },
    ]);
    await calculate();
    expect(await readFirst()).toMatchObject([
      { lookup: { found: 2, notFound: 1, toBuy: 0 } },
      { lookup: { found: 1, notFound: 0, toBuy: 0 } },
    ]);
  });
});

it.each([
  ['"max_credits=7"', 7],
  ['C2', 5],
  ['D9:D10', null],
])('formulas whose price can’t be found out cost at most their max_credits: %s', async (options, credits) => {
  const grid = new Grid([
    ['a.com', `=CDAPI_MATCH(A1, "", "", ${options})`],
    ['b.com', '=CDAPI_MATCH(A2, "", "", "max_credits=1")', 'max_credits=5'],
  ]);
  const { callOk } = await openFormulas(grid);
  const plan = await callOk('planRerun', { ...enrich, name: 'CDAPI_MATCH', all: true });
  expect(plan).toMatchObject({ formulas: 2, credits: credits === null ? null : credits + 1 });
});

it.each([
  ['CDAPI_MATCH', 'A1:A3', getComparisonPrice({ family: 'company_clean' }, 2)],
  ['CDAPI_MATCH', 'A1:A3; ""; ""; "header, no_previews"', 0],
  [
    'CDAPI_MATCH',
    '"acme"; ; ; "variant=multi-source"',
    getComparisonPrice({ family: 'company_multi_source' }, 1),
  ],
  ['CDAPI_MATCH', 'A1:B3', null],
  ['CDAPI_PEOPLE', 'A$1:A$3', getPreviewPrice('employee_clean')],
  ['CDAPI_PEOPLE', 'A1:A3; "job_title:sales"; ""; 30', 3 * getPreviewPrice('employee_clean')],
  ['CDAPI_PEOPLE', 'A1:A3; ""; ""; 30; "max_credits=20"', 20],
  ['CDAPI_JOBS', '"acme.com"; ""; ""; 100', 5 * getPreviewPrice('job_base')],
  ['CDAPI_JOBS', 'A1:A3; ""; ""; C1', null],
])('%s(%s) costs at most what all of its records cost', async (name, args, credits) => {
  const { callOk } = await openFormulas(new Grid([['a.com', `=${name}(${args})`], ['b.com'], ['a.com']]));
  expect(await callOk('planRerun', { ...enrich, name, all: true })).toMatchObject({ credits });
});

it.each([
  ['=CDAPI_ENRICH("a.com"; "name")', 10],
  ['=IFERROR(CDAPI_ENRICH(A$1:A$3; "name"; "header"); "none")', 20],
  ['=CDAPI_ENRICH(A1:A3; "name"; "max_credits=15")', 15],
  ['=CDAPI_ENRICH(A1:A3; "name"; C1)', 0],
  ['=CDAPI_ENRICH(A1:A3; "name"; D1:D2)', null],
  ['=CDAPI_ENRICH(LOWER(A1); "name")', null],
])(
  'a lookup has a price, also with a text, options in a cell or other functions: %s',
  async (formula, credits) => {
    const { callOk } = await openFormulas(
      new Grid([['a.com', formula, 'max_credits=0'], ['b.com'], ['a.com']]),
    );
    expect(await callOk('planRerun', { ...enrich, all: true })).toMatchObject({ credits });
    const [entry] = (await callOk('formulas', {})).sheets[0]?.entries ?? [];
    expect(entry?.credits).toBe(credits);
  },
);

it.each([
  ['CDAPI_PEOPLE', 'A1:A3; "sales"; ""; 2', 'accounts/people/estimate', 0],
  ['CDAPI_JOBS', '"a.com"; ; ; 2; "max_credits=4"', 'accounts/jobs/estimate', 4],
  ['CDAPI_MATCH', 'A1:A3', 'match/estimate', 0],
  ['CDAPI_PEOPLE', 'E1', undefined, 10],
  ['CDAPI_PREVIEW', '"company_base"; "{""name"":""acme""}"; ; 3', 'preview/estimate', 20],
  ['CDAPI_PREVIEW', '"company_base"; "acme"; ; 3; "max_credits=5"', 'preview/estimate', 5],
  ['CDAPI_PREVIEW', '"company_base"; D1; ; 3', undefined, 30],
])('%s(%s) costs what the gateway estimates', async (name, args, path, credits) => {
  const sent: string[] = [];
  const grid = new Grid([['a.com', `=${name}(${args})`, '', '', 'jane@a.com'], ['b.com'], ['a.com']]);
  const { callOk } = await openFormulas(grid, async (request) => {
    if (!request.url.endsWith('/estimate')) return gateway.fetch(request);
    sent.push(request.url.replace(/^.*\/sheets\/v1\//, ''));
    return createResponse(
      200,
      request.url.includes('match')
        ? { records: 20, found: 2, unfinished: 0, is_exact: true }
        : {
            accounts: [],
            rows: 4,
            total: 60,
            pages: 1,
            cached: 1,
            to_fetch: 0,
            credits: { CDAPI_JOBS: 10, CDAPI_PREVIEW: 20 }[name] ?? 0,
          },
    );
  });
  expect(await callOk('planRerun', { ...enrich, name, all: true })).toMatchObject({ credits });
  expect(sent).toEqual(path === undefined ? [] : [path]);
});

it('previews cost at most their pages, if data set and pages are in the formula', async () => {
  const price = async (...formulas: string[]) => {
    const { callOk } = await openFormulas(new Grid(formulas.map((formula) => ['', formula])));
    const { credits } = await callOk('planRerun', { ...enrich, name: 'CDAPI_PREVIEW', all: true });
    const [entry] = (await callOk('formulas', {})).sheets[0]?.entries ?? [];
    expect([entry?.credits, entry?.most ?? null]).toEqual([null, credits]);
    return credits;
  };
  const two = '=CDAPI_PREVIEW("company_base"; "acme"; "name"; 2)';
  expect(await price('=CDAPI_PREVIEW("company_base"; "acme")', two)).toBe(30);
  expect(await price('=CDAPI_PREVIEW("company_base"; "acme"; "name"; D1)')).toBeNull();
});

it('a column of 1,000 formulas is one entry, in as many calls of Google as one of 10, and is frozen', async () => {
  const count = async (rows: number) => {
    const grid = new Grid(enrichColumn(rows));
    const opened = await openFormulas(grid);
    const before = opened.host.usage.serviceCalls;
    const { sheets } = await opened.callOk('formulas', {});
    expect(sheets[0]?.entries).toMatchObject([{ range: `B1:B${rows}`, formulas: rows }]);
    return { ...opened, grid, calls: opened.host.usage.serviceCalls - before };
  };
  const [few, many] = [await count(10), await count(1000)];
  expect(many.calls).toBe(few.calls);
  expect(many.calls).toBeLessThanOrEqual(31);
  await few.calculate();
  const values = few.grid.values('A1:B10');
  expect(await few.callOk('freezeFormulas', enrich)).toMatchObject({ frozen: 10, skipped: 0 });
  expect(few.grid.values('A1:B10')).toEqual(values);
  expect(await few.callOk('formulas', {})).toMatchObject({ sheets: [] });
  expect(await few.call('freezeFormulas', enrich)).toMatchObject({ ok: false, code: 'gone' });
});

it.each(['en_US', 'de_DE'])(
  'frozen formulas come back with Undo in %s, also those of ranges, unless their values were changed',
  async (locale) => {
    const cells = [
      ['a.com', '=CDAPI_ENRICH(A1:A2; "name, founded")', '', '=CDAPI_ENRICH(A1; "name")'],
      ['b.com', '', '', 'mine'],
    ];
    const grid = new Grid(cells, {}, locale);
    const { call, callOk, calculate } = await openFormulas(grid);
    await calculate();
    const [values, formulas] = [grid.values('A1:D2'), grid.formulas('A1:D2')];
    const freeze = async () => (await callOk('freezeFormulas', enrich)).runId;
    const undo = await freeze();
    expect(grid.formulas('B1:C2').flat().filter(Boolean)).toEqual([]);
    expect(grid.values('A1:D2')).toEqual(values);
    expect(await callOk('undo', { runId: undo })).toMatchObject({ cells: 4 });
    expect(grid.formulas('A1:D2')).toEqual(formulas);
    await calculate();
    expect(grid.values('A1:D2')).toEqual(values);
    const runId = await freeze();
    grid.type('B1', 'other name');
    expect(await call('undo', { runId })).toMatchObject({ ok: false, code: 'gone' });
    expect(grid.values('B1:C1')).toEqual([['other name', 1999]]);
  },
);

it('a person may merge any two formulas of a sheet', async () => {
  const grid = new Grid(enrichColumn(2));
  const { callOk } = await openFormulas(grid);
  expect((await callOk('planMerge', {})).offer).toBeNull();
  const { offer } = await callOk('planMerge', { sheetId: 1 });
  if (offer === null) throw new Error('nothing to merge');
  const { approval } = offer;
  expect(await callOk('mergeFormulas', { sheetId: 1, approval })).toMatchObject({ formulas: 2, ranges: 1 });
  expect(grid.formulas('B1:B2')).toEqual([['=CDAPI_ENRICH(A1:A2, "name")'], ['']]);
});

it('a formula above its limit says so in its cell, and is no error of the connection', async () => {
  const grid = new Grid([['=CDAPI_PREVIEW("company_base", "acme")']]);
  const { fix } = problems.price_changed;
  const { callOk, calculate } = await openFormulas(grid, async (request) =>
    /preview/.test(request.url)
      ? createResponse(409, { code: 'price_changed', detail: 'It changed from 0 to 10 credits.', fix })
      : gateway.fetch(request),
  );
  await calculate();
  expect((await callOk('formulas', {})).lastError).toBeUndefined();
});

describe('spending that is off for a sheet', () => {
  const sheets = [1, 2].map((id) => ({
    ...{ id, name: `Sheet${id}`, values: [['new.example', '']] },
    formulas: [['', '=CDAPI_ENRICH(A1, "name")']],
  }));

  async function openTwo() {
    const { url, team_token: token } = inject('session');
    const { host } = await openSpreadsheet({
      fetch: gateway.fetch,
      workbook: { id: 'workbook', name: 'Workbook', sheets },
      properties: { document: { [connectionProperty]: JSON.stringify({ url, token }) } },
    });
    const evaluate = async (sheet: string, name: string, ...args: string[]) => {
      const result = await host.evaluate(name, args, { sheet, row: 1, column: 2 });
      return 'error' in result ? result.error : result.values[0]?.[0];
    };
    const call = <M extends Method>(method: M, payload: Payload<M>) => callSidebar({ host }, method, payload);
    const setSpending = (on: boolean) => call('setFormulaSpending', { sheetId: 1, on });
    return { evaluate, call, setSpending };
  }

  it('stops purchases by its formulas only, which still show what was bought', async () => {
    const { evaluate, setSpending } = await openTwo();
    expect(await setSpending(false)).toMatchObject({
      value: { sheets: [{ sheet: 'Sheet1', spending: false }, { spending: true }] },
    });
    expect(await evaluate('Sheet1', 'CDAPI_ENRICH', 'a.example', 'name')).toBe('#BUDGET');
    expect(await evaluate('Sheet1', 'CDAPI_PREVIEW', 'company_base', 'acme')).toMatch(/Spending is off/);
    expect(await evaluate('Sheet1', 'CDAPI_MATCH', 'Acme')).not.toBe('');
    expect(gateway.spent).toBe(0);
    expect(await evaluate('Sheet2', 'CDAPI_ENRICH', 'b.example', 'name')).toBe('Name of b.example');
    expect(gateway.spent).toBe(10);
    expect(await evaluate('Sheet1', 'CDAPI_ENRICH', 'b.example', 'name, founded')).toBe('Name of b.example');
    expect(gateway.spent).toBe(10);
    expect(await setSpending(true)).toMatchObject({ value: { sheets: [{ spending: true }, {}] } });
    expect(await evaluate('Sheet1', 'CDAPI_ENRICH', 'c.example', 'name')).toBe('Name of c.example');
  });

  it('stays off while spending is switched off and on for the whole spreadsheet', async () => {
    const { evaluate, call, setSpending } = await openTwo();
    await setSpending(false);
    await call('setSpending', { on: false });
    expect(await evaluate('Sheet2', 'CDAPI_ENRICH', 'a.example', 'name')).toBe('#BUDGET');
    expect(await call('formulas', {})).toMatchObject({ value: { sheets: [{ spending: false }, {}] } });
    await call('setSpending', { on: true });
    expect(await evaluate('Sheet1', 'CDAPI_ENRICH', 'a.example', 'name')).toBe('#BUDGET');
    expect(gateway.spent).toBe(0);
    await call('setSpending', { on: false });
    await setSpending(true);
    expect(await evaluate('Sheet1', 'CDAPI_ENRICH', 'b.example', 'name')).toBe('#BUDGET');
    await call('setSpending', { on: true });
    expect(await evaluate('Sheet1', 'CDAPI_ENRICH', 'c.example', 'name')).toBe('Name of c.example');
  });
});

it('a price that is not known is not confirmed', async () => {
  const formulas = [['', '=CDAPI_ENRICH(FILTER(A1:A1; A1:A1<>""); "name")']];
  const { callOk, getProperties } = await openSidebar({
    workbook: createWorkbook([['a.com', '#CONFIRM']], { formulas }),
  });
  const { credits, approval } = await callOk('planRerun', enrich);
  expect(credits).toBeNull();
  await callOk('rerunFormulas', { ...enrich, approval });
  expect(getProperties()).not.toHaveProperty('CDAPI_CONFIRMED');
});
