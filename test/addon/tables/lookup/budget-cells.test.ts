// Cells with #BUDGET can be completed after the budget was raised.
import { describe, expect, it } from 'vitest';
import { createEnrichOrder, createList, runEnrichment } from '../../server/orders.ts';
import { gateway, openSidebar, startRun } from '../../server/sidebar.ts';

const keys = ['a.example', 'b.example', 'c.example'];
const name = { fields: ['name'] };

/** Looks up three rows with a budget for one. */
async function withoutBudget() {
  gateway.budget = 10;
  const sidebar = await openSidebar({ workbook: createList(keys) });
  const run = await runEnrichment(sidebar, name);
  const names = () => sidebar.getValues('Sheet1').map((row) => row[1]);
  expect(run).toMatchObject({ state: 'done', rows: 1, failed: { '#BUDGET': 2 } });
  expect(names()).toEqual(['name', 'Name of a.example', '#BUDGET', '#BUDGET']);
  gateway.budget = 100;
  return { sidebar, names };
}

const complete = ['name', 'Name of a.example', 'Name of b.example', 'Name of c.example'];

describe('#BUDGET cells are completed when budget is available again', () => {
  it('by looking up empty rows', async () => {
    const { sidebar, names } = await withoutBudget();
    const run = await runEnrichment(sidebar, { ...name, scope: 'blank' });
    expect(run).toMatchObject({ state: 'done', rows: 2, credits: 20, failed: {} });
    expect(names()).toEqual(complete);
  });

  it.each(['stale', 'all'] as const)('by a refresh of %s rows', async (only) => {
    const { sidebar, names } = await withoutBudget();
    const [table] = await sidebar.callOk('tables', {});
    await sidebar.finishRun(await startRun(sidebar, 'refreshTable', { id: table?.id ?? '', only }));
    expect(names()).toEqual(complete);
  });

  it('by resuming a stopped run', async () => {
    gateway.budget = 10;
    const many = Array.from({ length: 1001 }, (_, at) => `site-${at}.example`);
    const sidebar = await openSidebar({ workbook: createList(many) });
    const begun = await startRun(sidebar, 'startEnrich', createEnrichOrder(name));
    expect(await sidebar.callOk('step', begun)).toMatchObject({
      state: 'running',
      failed: { '#BUDGET': 999 },
    });
    await sidebar.callOk('stop', begun);
    gateway.budget = 20_000;
    const run = await sidebar.finishRun(await sidebar.callOk('step', begun));
    expect(run).toMatchObject({ state: 'done', rows: 1001, done: 1001, credits: 10_010, failed: {} });
    expect(sidebar.getValues('Sheet1').flat()).not.toContain('#BUDGET');
  });
});
