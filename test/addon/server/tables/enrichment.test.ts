// Looked-up columns that are kept filled while the spreadsheet is open. Counts calls and bought keys.
import { expect, it } from 'vitest';
import type { CellValue } from '../../../../addon/dev/host/types.ts';
import { getRecordPrice } from '../../../../shared/operations.ts';
import { explainProblem } from '../../../../shared/problems.ts';
import { createEnrichOrder, createList, runEnrichment } from '../orders.ts';
import { gateway, openSidebar } from '../sidebar.ts';
import {
  addRows,
  listBought,
  listKept,
  listKnown,
  openKept,
  pollEnrichments,
  SETTINGS,
} from './kept-filled.ts';

it('new rows are filled at the next poll, and present ones are never bought', async () => {
  const { sidebar, tableId } = await openKept();
  expect(listKnown(tableId)).toEqual(['a.example', 'b.example']);
  expect(await pollEnrichments(sidebar)).toEqual([]);
  addRows(sidebar, 'https://www.c.example/', 'c.example', 'not a website');
  await sidebar.callOk('deliveries', {});
  expect(sidebar.getValues('Sheet1').slice(3)).toMatchObject([
    ['https://www.c.example/', 'Name of c.example', 1999],
    ['c.example', 'Name of c.example', 1999],
    ['not a website'],
  ]);
  await sidebar.callOk('deliveries', {});
  expect(listBought()).toEqual(['c.example']);
  // They do not count as changed by hand.
  const plan = await sidebar.callOk('planEnrich', createEnrichOrder());
  expect(plan).toMatchObject({ rows: 5 });
  expect(plan).not.toHaveProperty('willOverwrite');
});

it.each([
  ['the first heading is renamed', (row: CellValue[]) => ['Webseite', ...row.slice(1)]],
  ['another heading is renamed', ([key = '', , ...rest]: CellValue[]) => [key, 'Firma', ...rest]],
])('nothing is bought in a sheet with the same headings that nobody chose if %s', async (_, rename) => {
  const { sidebar } = await openKept();
  sidebar.edit((workbook) => ({
    ...workbook,
    sheets: [
      ...workbook.sheets,
      {
        id: 2,
        name: 'Q4 leads',
        values: [sidebar.getValues('Sheet1')[0] ?? [], ['x.example'], ['y.example']],
        formulas: [[], ['', '=UPPER(A2)']],
      },
    ],
  }));
  const before = sidebar.getSheet('Q4 leads');
  sidebar.editSheet('Sheet1', ({ values: [head = [], ...rows] }) => ({
    values: [rename([...head]), ...rows],
  }));
  await sidebar.callOk('deliveries', {});
  await sidebar.callOk('tables', {});
  sidebar.edit((workbook) => ({ ...workbook, sheets: workbook.sheets.slice(1) }));
  await sidebar.callOk('deliveries', {});
  expect(await sidebar.callOk('tables', {})).toMatchObject([{ sheet: 'Sheet1', sheetDeleted: true }]);
  expect(sidebar.getSheet('Q4 leads')).toEqual(before);
  expect(listBought()).toEqual([]);
});

it('a new row without a record says why in its note, and notes of people stay', async () => {
  const { sidebar } = await openKept();
  addRows(sidebar, 'nobody.example', 'nobody2.example');
  sidebar.editSheet('Sheet1', (sheet) => ({ ...sheet, notes: [[], [], [], [], ['', 'mine']] }));
  await sidebar.callOk('deliveries', {});
  expect(sidebar.getValues('Sheet1').slice(3)).toMatchObject([
    ['nobody.example', '#NOT_FOUND', ''],
    ['nobody2.example', '#NOT_FOUND', ''],
  ]);
  const notes = sidebar.getSheet('Sheet1').notes ?? [];
  expect([notes[3]?.[1], notes[4]?.[1]]).toEqual([explainProblem('not_found'), 'mine']);
});

it('old values are refreshed at the chosen time, for a price that is known before', async () => {
  const { sidebar, tableId } = await openKept();
  addRows(sidebar, 'https://www.b.example/', 'c.example', 'not a website');
  const { keys, unfilled } = await sidebar.callOk('enrichment', { tableId });
  const price = getRecordPrice('company_clean');
  expect(keys).toEqual({ count: 3, credits: 3 * price });
  // One of the two waiting rows has the website of another row.
  expect(unfilled).toEqual({ blank: 0, notKeys: { name: 1 }, waiting: 2, credits: price });
  const changed = { ...SETTINGS, push: true, refresh_days: 30 };
  const settings = { ...changed, at: '2026-01-05T08:00:00Z' };
  const { enrichment } = await sidebar.callOk('setEnrichment', { tableId, settings });
  expect(enrichment).toMatchObject({ ...changed, next_at: expect.stringContaining('T08:00:00') });
  expect(listBought()).toEqual([]);
});

it('new companies of a column of counts are counted for free, also while spending is off', async () => {
  gateway.answer('POST accounts/jobs/counts', ({ companies }) => ({
    accounts: companies.map((company) => ({ company, total: 1 })),
    stamp: 'x',
  }));
  const sidebar = await openSidebar({ workbook: createList(['a.example', 'b.example']) });
  const count = { query: { text: 'title:sales' }, heading: 'Open jobs' };
  await runEnrichment(sidebar, createEnrichOrder({ family: 'job_base', fields: ['count'], count }));
  const [table] = await sidebar.callOk('tables', {});
  const tableId = table?.id ?? '';
  const settings = {
    ...SETTINGS,
    push: true,
    refresh_days: 1,
    alert_at: 10,
    max_credits: 0,
    month_credits: 0,
  };
  const { enrichment, keys } = await sidebar.callOk('setEnrichment', { tableId, settings });
  expect(enrichment).toMatchObject({ by: 'website', count: count.query, ...settings });
  expect(keys).toEqual({ count: 2, credits: 0 });
  expect(listKnown(tableId)).toEqual(['a.example', 'b.example']);
  await sidebar.callOk('setSpending', { on: false });
  addRows(sidebar, 'https://www.cc.example/', 'no website');
  await sidebar.callOk('deliveries', {});
  expect(sidebar.getValues('Sheet1').slice(1)).toMatchObject([
    ['a.example', 1],
    ['b.example', 1],
    ['https://www.cc.example/', 10],
    ['no website'],
  ]);
  expect(gateway.spent).toBe(0);
});

it('a lost answer buys nothing twice', async () => {
  const { sidebar, answers } = await openKept();
  addRows(sidebar, 'c.example');
  answers.areLost = true;
  await sidebar.callOk('deliveries', {});
  answers.areLost = false;
  await sidebar.callOk('deliveries', {});
  expect(sidebar.getValues('Sheet1')[3]).toEqual(['c.example', 'Name of c.example', 1999]);
  expect(listBought()).toEqual(['c.example']);
});

it('a gateway that no longer has it gets the present keys again before it buys any', async () => {
  const { sidebar, tableId } = await openKept();
  addRows(sidebar, 'c.example');
  gateway.lists.enrichments.items = [];
  gateway.lists.known.clear();
  await sidebar.callOk('setEnrichment', { tableId, settings: SETTINGS });
  expect(listKnown(tableId)).toEqual(['a.example', 'b.example', 'c.example']);
  await sidebar.callOk('deliveries', {});
  expect(listBought()).toEqual([]);
});

it('it can be turned off, and ends with the tracking of the table', async () => {
  const { sidebar, tableId } = await openKept();
  await sidebar.callOk('setEnrichment', { tableId, settings: null });
  expect(listKept()).toEqual([]);
  addRows(sidebar, 'c.example');
  await sidebar.callOk('deliveries', {});
  expect(listBought()).toEqual([]);
  await sidebar.callOk('setEnrichment', { tableId, settings: SETTINGS });
  await sidebar.callOk('untrackTable', { id: tableId });
  expect(listKept()).toEqual([]);
});

it('undoing the run that made the table ends it at the gateway too', async () => {
  const { sidebar, runId } = await openKept();
  await sidebar.callOk('undo', { runId });
  expect(listKept()).toEqual([]);
  expect(await sidebar.callOk('tables', {})).toEqual([]);
});

it('a fill can be undone except for changed rows, and undone rows are not filled again', async () => {
  const { sidebar, tableId } = await openKept();
  expect(await sidebar.callOk('enrichment', { tableId })).not.toHaveProperty('undo');
  addRows(sidebar, 'c.example', 'not a website', 'd.example');
  const { filled } = await sidebar.callOk('deliveries', {});
  expect(filled).toMatchObject({ rows: 2, credits: 20, tables: [{ id: tableId }] });
  const { undo } = await sidebar.callOk('enrichment', { tableId });
  expect(undo).toEqual(filled);
  const runId = filled?.runId ?? '';
  const written = sidebar.getSheet('Sheet1').values;
  sidebar.editSheet('Sheet1', (sheet) => ({
    ...sheet,
    values: written.map((row, at) => (at === 3 ? [row[0] ?? '', 'Changed by hand', row[2] ?? ''] : row)),
  }));
  expect(await sidebar.callOk('undo', { runId })).toMatchObject({
    cells: 2,
    left: { rows: 1, first: ['4'] },
  });
  await sidebar.callOk('deliveries', {});
  const isBlank = (row: readonly unknown[]) => row.slice(1).every((cell) => cell === '');
  expect(sidebar.getValues('Sheet1').slice(3).map(isBlank)).toEqual([false, true, true]);
  expect(listBought()).toEqual(['c.example', 'd.example']);
  expect(await sidebar.callOk('enrichment', { tableId })).not.toHaveProperty('undo');
});

it('a new row with a website of another row gets its values for free, and stays blank once that is undone', async () => {
  const { sidebar, tableId } = await openKept();
  addRows(sidebar, 'www.b.example', 'c.example');
  const { filled } = await sidebar.callOk('deliveries', {});
  const [, , second = []] = sidebar.getValues('Sheet1');
  expect(filled).toMatchObject({ rows: 2, credits: 10 });
  expect(sidebar.getValues('Sheet1').slice(3)).toEqual([
    ['www.b.example', ...second.slice(1)],
    ['c.example', 'Name of c.example', 1999],
  ]);
  expect(listBought()).toEqual(['c.example']);
  await sidebar.callOk('undo', { runId: filled?.runId ?? '' });
  const before = sidebar.listCalls().length;
  await sidebar.callOk('deliveries', {});
  const isBuying = (call: string) => /fill|lookup/.test(call);
  expect(sidebar.listCalls().slice(before).filter(isBuying)).toEqual([]);
  expect(sidebar.getValues('Sheet1').slice(3)).toEqual([
    ['www.b.example', '', ''],
    ['c.example', '', ''],
  ]);
  const { unfilled } = await sidebar.callOk('enrichment', { tableId });
  expect(unfilled.blank).toBe(2);
  expect((await sidebar.callOk('tables', {}))[0]?.filling).toEqual({
    state: 'on',
    trigger: 'off',
    month_spent: 10,
    last: expect.objectContaining({ rows: 2, credits: 10, isUndone: true }),
  });
});

it('a row whose values a person clears stays blank, is counted, and is not looked up at each poll', async () => {
  const { sidebar, tableId } = await openKept();
  sidebar.editSheet('Sheet1', (sheet) => ({
    ...sheet,
    values: sheet.values.map((row, at) => (at === 1 ? [row[0] ?? '', '', ''] : row)),
  }));
  await sidebar.callOk('deliveries', {});
  expect(await pollEnrichments(sidebar)).toEqual([]);
  expect(sidebar.getValues('Sheet1')[1]).toEqual(['a.example', '', '']);
  expect((await sidebar.callOk('enrichment', { tableId })).unfilled).toMatchObject({ blank: 1 });
});

it('a poll without new rows leaves the undo of the last run alone', async () => {
  const { sidebar } = await openKept();
  const before = sidebar.getValues('Sheet1');
  addRows(sidebar, 'c.example');
  await sidebar.callOk('deliveries', {});
  const { filled } = await sidebar.callOk('deliveries', {});
  await sidebar.callOk('undo', { runId: filled?.runId ?? '' });
  expect(sidebar.getValues('Sheet1').slice(0, 3)).toEqual(before);
});
