// Cells that show #BUDGET heal once there is budget again: by looking up the empty rows, by a refresh, and by resuming.
import { describe, expect, it } from 'vitest';
import { answer, type network } from '../spreadsheet.ts';
import { enriched, enrichOrder, list } from './orders.ts';
import { bodyOf, openSidebar, startRun } from './sidebar.ts';

/** A gateway whose budget pays for so many records; records that were bought are free. */
function gatewayWith(budget: { records: number }) {
  const bought = new Set<string>();
  const rowOf = (key: string) => {
    if (!bought.has(key) && budget.records === 0)
      return { key, status: 'over_budget', problem: 'over_budget', credits: 0 };
    const isNew = !bought.has(key);
    if (isNew) budget.records -= 1;
    bought.add(key);
    return {
      key,
      status: isNew ? 'fetched' : 'hit',
      record: { name: key.toUpperCase() },
      credits: isNew ? 10 : 0,
    };
  };
  return async (request: Parameters<typeof network>[0]) => {
    const { keys = [] } = (bodyOf(request) ?? {}) as { keys?: string[] };
    if (request.url.endsWith('/lookup')) {
      const rows = keys.map(rowOf);
      const spent = rows.reduce((sum, { credits }) => sum + credits, 0);
      return answer(200, { rows, credits: { spent, saved: 0, remaining: null }, stamp: 'x' });
    }
    const open = keys.filter((key) => !bought.has(key)).length;
    return answer(200, {
      keys: keys.length,
      distinct: keys.length,
      cached: keys.length - open,
      stale: 0,
      to_fetch: open,
      credits: open * 10,
    });
  };
}

const keys = ['a.example', 'b.example', 'c.example'];
const name = { fields: ['name'] };

/** Looks three rows up with a budget for one. */
async function withoutBudget() {
  const budget = { records: 1 };
  const bar = await openSidebar({ workbook: list(keys), fetch: gatewayWith(budget) });
  const run = await enriched(bar, name);
  const names = () => bar.values('Sheet1').map((row) => row[1]);
  expect(run).toMatchObject({ state: 'done', rows: 1, failed: { '#BUDGET': 2 } });
  expect(names()).toEqual(['name', 'A.EXAMPLE', '#BUDGET', '#BUDGET']);
  budget.records = 10;
  return { bar, names };
}

const whole = ['name', 'A.EXAMPLE', 'B.EXAMPLE', 'C.EXAMPLE'];

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
    const budget = { records: 1 };
    const many = Array.from({ length: 1001 }, (_, at) => `site-${at}.example`);
    const bar = await openSidebar({ workbook: list(many), fetch: gatewayWith(budget) });
    const begun = await startRun(bar, 'startEnrich', enrichOrder(name));
    expect(await bar.value('step', begun)).toMatchObject({ state: 'running', failed: { '#BUDGET': 999 } });
    await bar.value('stop', begun);
    budget.records = 2000;
    const run = await bar.finish(await bar.value('step', begun));
    expect(run).toMatchObject({ state: 'done', rows: 1001, done: 1001, credits: 10_010, failed: {} });
    expect(bar.values('Sheet1').flat()).not.toContain('#BUDGET');
  });
});
