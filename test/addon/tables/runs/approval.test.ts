// "The click carries the plan that was shown (keys and maximum price); if anything changed, ask again with the new price."
import { describe, expect, it } from 'vitest';
import { enriched, enrichOrder, list, searchOrder, written } from '../../server/orders.ts';
import { gateway, openSidebar, startAsking, startRun } from '../../server/sidebar.ts';
import { withSheet } from '../../server/state.ts';
import { answer } from '../../spreadsheet.ts';

const keys = Array.from({ length: 15 }, (_, at) => `approval-${at}.example`);
const order = enrichOrder({ fields: ['name'], scope: 'selection' });
const selection = (row: number, rows: number) => ({
  active: { sheet: 'Sheet1', row, column: 1 },
  selected: [{ row, column: 1, rows, columns: 1 }],
});

/** The credit limits of the lookups that were sent. */
const limits = () => gateway.lookups.map(({ max_credits }) => max_credits);

/** Buys the first three records, so that they are free from then on. */
async function buyThree(): Promise<void> {
  await enriched(await openSidebar({ workbook: list(keys.slice(0, 3)) }), { fields: ['name'] });
  gateway.lookups.length = 0;
}

describe('Enrich', () => {
  it('of "3 rows: 0 credits" does not buy the twelve rows that are selected before the click', async () => {
    await buyThree();
    const bar = await openSidebar({ workbook: { ...list(keys), ...selection(2, 3) } });
    const plan = await bar.value('planEnrich', order);
    expect(plan).toMatchObject({ rows: 3, credits: 0, approval: { credits: 0 } });
    bar.edit((workbook) => ({ ...workbook, ...selection(5, 12) }));
    expect(await bar.ask('startEnrich', { ...order, approval: plan.approval })).toEqual({
      ok: false,
      code: 'price_changed',
      message:
        'The rows or the price have changed: it is now 12 rows for 120 credits. Check and confirm again.',
    });
    expect(limits()).toEqual([]);
    expect(bar.values('Sheet1')).toEqual([['Website'], ...keys.map((key) => [key])]);
  });

  it('without the price of a plan is refused', async () => {
    await buyThree();
    const bar = await openSidebar({ workbook: list(keys) });
    const raw = await bar.raw(
      JSON.stringify({ method: 'startEnrich', payload: enrichOrder({ fields: ['name'] }) }),
    );
    expect(raw).toMatchObject({ ok: false, code: 'bad_call' });
    expect(limits()).toEqual([]);
  });

  it('never spends more than the approved price, whatever the gateway would charge', async () => {
    await buyThree();
    const bar = await openSidebar({ workbook: list(keys) });
    const all = enrichOrder({ fields: ['name'] });
    const { approval } = await bar.value('planEnrich', all);
    const run = await bar.value('startEnrich', { ...all, approval: { ...approval, credits: 50 } });
    const done = await bar.finish(run);
    expect(limits()).toEqual([50]);
    expect(done).toMatchObject({ state: 'done', credits: 50, failed: { '#BUDGET': 7 } });
  });
});

describe('Search', () => {
  it('of a query that matches more by now asks again with the new price', async () => {
    let total = 20;
    const bar = await openSidebar({
      fetch: async (request) =>
        request.url.endsWith('/preview/estimate')
          ? answer(200, { total, pages: total / 20, cached: 0, to_fetch: total / 20, credits: total / 2 })
          : gateway.fetch(request),
    });
    const { approval, credits } = await bar.value('planSearch', searchOrder());
    expect(credits).toBe(10);
    total = 40;
    expect(await bar.ask('startSearch', { ...searchOrder(), approval })).toMatchObject({
      ok: false,
      code: 'price_changed',
      message: expect.stringContaining('it is now 40 rows for 20 credits'),
    });
  });

  it('sends the approved price with each page', async () => {
    const bar = await openSidebar();
    const run = await startRun(bar, 'startSearch', searchOrder({ pages: 2 }));
    const { credits } = await bar.value('step', { runId: run.runId });
    const done = await bar.value('step', { runId: run.runId });
    expect(done.state).toBe('done');
    expect(gateway.previews.map(({ max_credits }) => max_credits)).toEqual([
      run.maxCredits,
      run.maxCredits - credits,
    ]);
  });
});

it('Refresh of a table whose rows changed after the plan is refused', async () => {
  const bar = await openSidebar();
  const { tableId, sheet } = await written(bar, { pages: 1 });
  const records = { tableId, fields: ['description'], rows: 'all' as const };
  const { approval } = await bar.value('planRecords', records);
  bar.edit((workbook) => withSheet(workbook, sheet, ({ values }) => ({ values: values.slice(0, -3) })));
  expect(await bar.ask('startRecords', { ...records, approval })).toMatchObject({
    ok: false,
    code: 'price_changed',
  });
  expect(await startAsking(bar, 'startRecords', records)).toMatchObject({ ok: true });
});
