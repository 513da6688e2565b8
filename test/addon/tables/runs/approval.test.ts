// "The click carries the plan that was shown (keys and maximum price); if anything changed, ask again with the new price."
import { describe, expect, it } from 'vitest';
import {
  createEnrichOrder,
  createList,
  createSearchOrder,
  runEnrichment,
  runSearch,
} from '../../server/orders.ts';
import { gateway, openSidebar, startRun, tryStartRun } from '../../server/sidebar.ts';

import { createResponse } from '../../spreadsheet.ts';

const keys = Array.from({ length: 15 }, (_, at) => `approval-${at}.example`);
const order = createEnrichOrder({ fields: ['name'], scope: 'selection' });
const selection = (row: number, rows: number) => ({
  active: { sheet: 'Sheet1', row, column: 1 },
  selected: [{ row, column: 1, rows, columns: 1 }],
});

/** Lists the credit limits of the sent lookups. */
const limits = () => gateway.lookups.map(({ max_credits }) => max_credits);

/** Buys the first three records, so that they are cached. */
async function buyThree(): Promise<void> {
  await runEnrichment(await openSidebar({ workbook: createList(keys.slice(0, 3)) }), { fields: ['name'] });
  gateway.lookups.length = 0;
}

describe('Enrich', () => {
  it('does not buy rows that were selected after the plan', async () => {
    await buyThree();
    const sidebar = await openSidebar({ workbook: { ...createList(keys), ...selection(2, 3) } });
    const plan = await sidebar.callOk('planEnrich', order);
    expect(plan).toMatchObject({ rows: 3, credits: 0, approval: { credits: 0 } });
    sidebar.edit((workbook) => ({ ...workbook, ...selection(5, 12) }));
    expect(await sidebar.call('startEnrich', { ...order, approval: plan.approval })).toEqual({
      ok: false,
      code: 'price_changed',
      message:
        'The sheet or the price has changed: it is now 12 rows for 120 credits. Check and confirm again.',
    });
    expect(limits()).toEqual([]);
    expect(sidebar.getValues('Sheet1')).toEqual([['Website'], ...keys.map((key) => [key])]);
  });

  it('is refused without an approved plan', async () => {
    await buyThree();
    const sidebar = await openSidebar({ workbook: createList(keys) });
    const raw = await sidebar.callRaw(
      JSON.stringify({ method: 'startEnrich', payload: createEnrichOrder({ fields: ['name'] }) }),
    );
    expect(raw).toMatchObject({ ok: false, code: 'bad_call' });
    expect(limits()).toEqual([]);
  });

  it('never spends more than the approved price', async () => {
    await buyThree();
    const sidebar = await openSidebar({ workbook: createList(keys) });
    const all = createEnrichOrder({ fields: ['name'] });
    const { approval } = await sidebar.callOk('planEnrich', all);
    const run = await sidebar.callOk('startEnrich', { ...all, approval: { ...approval, credits: 50 } });
    const done = await sidebar.finishRun(run);
    expect(limits()).toEqual([50]);
    expect(done).toMatchObject({ state: 'done', credits: 50, failed: { '#BUDGET': 7 } });
  });
});

describe('Search', () => {
  it('of a query that matches more by now asks again with the new price', async () => {
    let total = 20;
    const sidebar = await openSidebar({
      fetch: async (request) =>
        request.url.endsWith('/preview/estimate')
          ? createResponse(200, {
              total,
              pages: total / 20,
              cached: 0,
              to_fetch: total / 20,
              credits: total / 2,
            })
          : gateway.fetch(request),
    });
    const { approval, credits } = await sidebar.callOk('planSearch', createSearchOrder());
    expect(credits).toBe(10);
    total = 40;
    expect(await sidebar.call('startSearch', { ...createSearchOrder(), approval })).toMatchObject({
      ok: false,
      code: 'price_changed',
      message: expect.stringContaining('it is now 40 rows for 20 credits'),
    });
  });

  it('sends the approved price with each page', async () => {
    const sidebar = await openSidebar();
    const run = await startRun(sidebar, 'startSearch', createSearchOrder({ pages: 2 }));
    const { credits } = await sidebar.callOk('step', { runId: run.runId });
    const done = await sidebar.callOk('step', { runId: run.runId });
    expect(done.state).toBe('done');
    expect(gateway.previews.map(({ max_credits }) => max_credits)).toEqual([
      run.maxCredits,
      run.maxCredits - credits,
    ]);
  });
});

it('Refresh of a table whose rows changed after the plan is refused', async () => {
  const sidebar = await openSidebar();
  const { tableId, sheet } = await runSearch(sidebar, { pages: 1 });
  const records = { tableId, fields: ['description'], rows: 'all' as const };
  const { approval } = await sidebar.callOk('planRecords', records);
  sidebar.editSheet(sheet, ({ values }) => ({ values: values.slice(0, -3) }));
  expect(await sidebar.call('startRecords', { ...records, approval })).toMatchObject({
    ok: false,
    code: 'price_changed',
  });
  expect(await tryStartRun(sidebar, 'startRecords', records)).toMatchObject({ ok: true });
});
