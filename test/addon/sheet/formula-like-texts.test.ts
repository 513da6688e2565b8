// Nothing that a record holds is ever run as a formula, or read as something else than it is.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodyOf, openSidebar, startRun, workbookOf } from '../server/sidebar.ts';
import { answer } from '../spreadsheet.ts';
import { nasty } from './formula-like-texts.ts';

const ROWS = 1000;
const FIELDS = 50;

it('50,000 wild texts land as the texts that they are', async () => {
  const texts = fc.sample(
    nasty.filter((text) => text !== '' && !/^\d{4}-\d\d-\d\d(?: |$)/.test(text)),
    {
      seed: 20261122,
      numRuns: ROWS * FIELDS,
    },
  );
  const fields = Array.from({ length: FIELDS }, (_, at) => `field_${at}`);
  const recordOf = (row: number) =>
    Object.fromEntries(fields.map((field, at) => [field, texts[row * FIELDS + at] ?? '']));
  const keys = Array.from({ length: ROWS }, (_, at) => `site-${at}.example`);
  const bar = await openSidebar({
    workbook: workbookOf([['Website'], ...keys.map((key) => [key])]),
    fetch: async (request) => {
      if (request.url.endsWith('/estimate')) return answer(200, { distinct: ROWS, to_fetch: 0, credits: 0 });
      if (!request.url.endsWith('/lookup')) return answer(200, {});
      const asked = bodyOf(request) as { keys: string[] };
      const rows = asked.keys.map((key) => ({
        key,
        status: 'hit',
        record: recordOf(keys.indexOf(key)),
        credits: 0,
      }));
      return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: null }, stamp: 'x' });
    },
  });
  const run = await startRun(bar, 'startEnrich', {
    sheet: 'Sheet1',
    column: 1,
    by: 'website',
    family: 'company_clean',
    scope: 'all',
    fields,
  });
  expect(await bar.finish(run)).toMatchObject({ state: 'done', rows: ROWS });
  const { values, formulas = [] } = bar.sheet('Sheet1');
  expect(formulas.flat().filter((formula) => formula !== '')).toEqual([]);
  const landed = values.slice(1).flatMap((row) => row.slice(1));
  expect(landed).toHaveLength(texts.length);
  expect(landed.filter((cell, at) => cell !== texts[at]).slice(0, 5)).toEqual([]);
  // What was written is known again as written: nothing of it counts as typed by hand.
  expect(await bar.ask('planEnrich', { ...order, fields })).not.toHaveProperty('value.willOverwrite');
  await bar.value('undo', { runId: run.runId });
  const left = bar.sheet('Sheet1').values.flatMap((row) => row.slice(1).filter((cell) => cell !== ''));
  expect(left).toEqual([]);
}, 120_000);

const order = { sheet: 'Sheet1', column: 1, by: 'website', family: 'company_clean', scope: 'all' } as const;
