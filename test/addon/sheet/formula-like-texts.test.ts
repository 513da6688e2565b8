// Record values are never run as formulas or parsed as other types.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWorkbook, openSidebar, parseBody, startRun } from '../server/sidebar.ts';
import { createResponse } from '../spreadsheet.ts';
import { formulaLikeTexts } from './formula-like-texts.ts';

const ROWS = 1000;
const FIELDS = 50;

/** Every second column of records is formatted as plain text. */
const formats = Array.from({ length: 1 + ROWS }, () => [
  '',
  ...Array.from({ length: FIELDS }, (_, at) => (at % 2 === 0 ? '@' : '')),
]);

it('writes 50,000 formula-like texts unchanged', async () => {
  const texts = fc.sample(
    formulaLikeTexts.filter((text) => text !== '' && !/^\d{4}-\d\d-\d\d(?: |$)/.test(text)),
    {
      seed: 20261122,
      numRuns: ROWS * FIELDS,
    },
  );
  const fields = Array.from({ length: FIELDS }, (_, at) => `field_${at}`);
  const recordOf = (row: number) =>
    Object.fromEntries(fields.map((field, at) => [field, texts[row * FIELDS + at] ?? '']));
  const keys = Array.from({ length: ROWS }, (_, at) => `site-${at}.example`);
  const sidebar = await openSidebar({
    workbook: createWorkbook([['Website'], ...keys.map((key) => [key])], { formats }),
    fetch: async (request) => {
      if (request.url.endsWith('/estimate'))
        return createResponse(200, { distinct: ROWS, to_fetch: 0, credits: 0 });
      if (!request.url.endsWith('/lookup')) return createResponse(200, {});
      const lookup = parseBody(request) as { keys: string[] };
      const rows = lookup.keys.map((key) => ({
        key,
        status: 'hit',
        record: recordOf(keys.indexOf(key)),
        credits: 0,
      }));
      return createResponse(200, { rows, credits: { spent: 0, saved: 0, remaining: null }, stamp: 'x' });
    },
  });
  const run = await startRun(sidebar, 'startEnrich', {
    sheet: 'Sheet1',
    column: 1,
    by: 'website',
    family: 'company_clean',
    scope: 'all',
    fields,
  });
  expect(await sidebar.finishRun(run)).toMatchObject({ state: 'done', rows: ROWS });
  const { values, formulas = [] } = sidebar.getSheet('Sheet1');
  expect(formulas.flat().filter((formula) => formula !== '')).toEqual([]);
  const written = values.slice(1).flatMap((row) => row.slice(1));
  expect(written).toHaveLength(texts.length);
  expect(written.filter((cell, at) => cell !== texts[at]).slice(0, 5)).toEqual([]);
  const isPlain = (row: number, column: number) =>
    sidebar.getSheet('Sheet1').formats?.[row]?.[column] === '@';
  expect([isPlain(1, 1), isPlain(ROWS, FIELDS - 1), isPlain(1, 2)]).toEqual([true, true, false]);
  // Written values must not count as manual changes.
  expect(await sidebar.call('planEnrich', { ...order, fields })).not.toHaveProperty('value.willOverwrite');
  await sidebar.callOk('undo', { runId: run.runId });
  const remaining = sidebar
    .getSheet('Sheet1')
    .values.flatMap((row) => row.slice(1).filter((cell) => cell !== ''));
  expect(remaining).toEqual([]);
});

const order = { sheet: 'Sheet1', column: 1, by: 'website', family: 'company_clean', scope: 'all' } as const;
