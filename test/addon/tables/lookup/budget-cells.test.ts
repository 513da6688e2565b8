// Cells that show #BUDGET heal once there is budget again: by looking up the empty rows, by a refresh, and by resuming.
import { describe, expect, it } from 'vitest';
import { enriched, enrichOrder, list } from '../../server/orders.ts';
import { gateway, openSidebar, startRun } from '../../server/sidebar.ts';

const keys = ['a.example', 'b.example', 'c.example'];
const name = { fields: ['name'] };

/** Looks three rows up with a budget for one. */
async function withoutBudget() {
  gateway.budget = 10;
  const bar = await openSidebar({ workbook: list(keys) });
  const run = await enriched(bar, name);
  const names = () => bar.values('Sheet1').map((row) => row[1]);
  expect(run).toMatchObject({ state: 'done', rows: 1, failed: { '#BUDGET': 2 } });
  expect(names()).toEqual(['name', 'Name of a.example', '#BUDGET', '#BUDGET']);
  gateway.budget = 100;
  return { bar, names };
}

const whole = ['name', 'Name of a.example', 'Name of b.example', 'Name of c.example'];

describe('“#BUDGET does not heal when budget is available again”: it heals', () => {
  it('by looking up only the empty rows', async () => {
    const { bar, names } = await withoutBudget();
    const run = await enriched(bar, { ...name, scope: 'blank' });
    expect(run).toMatchObject({ state: 'done', rows: 2, credits: 20, failed: {} });
    expect(names()).toEqual(whole);
  });

  it.each(['stale', 'all'] as const)('by a refresh of %s rows', async (only) => {
    const { bar, names } = await withoutBudget();
    const [table] = await bar.value('tables', {});
    await bar.finish(await startRun(bar, 'refreshTable', { id: table?.id ?? '', only }));
    expect(names()).toEqual(whole);
  });

  it('by resuming a run that was stopped', async () => {
    gateway.budget = 10;
    const many = Array.from({ length: 1001 }, (_, at) => `site-${at}.example`);
    const bar = await openSidebar({ workbook: list(many) });
    const begun = await startRun(bar, 'startEnrich', enrichOrder(name));
    expect(await bar.value('step', begun)).toMatchObject({ state: 'running', failed: { '#BUDGET': 999 } });
    await bar.value('stop', begun);
    gateway.budget = 20_000;
    const run = await bar.finish(await bar.value('step', begun));
    expect(run).toMatchObject({ state: 'done', rows: 1001, done: 1001, credits: 10_010, failed: {} });
    expect(bar.values('Sheet1').flat()).not.toContain('#BUDGET');
  });
});
