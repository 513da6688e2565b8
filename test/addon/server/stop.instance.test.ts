// Stop: calls that were not sent are withdrawn, the sidebar states what was bought, and the run can be resumed.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Progress } from '../../../addon/server/api/index.ts';
import { enrichOrder, list } from './orders.ts';
import { openConnected, type Sidebar, startRun } from './sidebar.ts';

const { url, team_token, provider_key } = inject('session');
const COUNT = 90;
const CREDITS = 10;

async function setRate(rate_per_s: number): Promise<void> {
  const answer = await fetch(`${url}/provider/control`, {
    method: 'PUT',
    headers: { apikey: provider_key },
    body: JSON.stringify({ rate_per_s }),
  });
  expect(answer.status).toBe(200);
}

async function gatewayCall<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${url}/sheets/v1/${path}`, {
    headers: { authorization: `Bearer ${team_token}` },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

/** Credits that the team has spent today, by its ledger. */
const spentToday = async (): Promise<number> =>
  (await gatewayCall<{ spent: { day: number } }>('me')).spent.day;

/** A run over ids of employees that nobody has bought, and its first step under way. */
async function begun(skip: number): Promise<{ bar: Sidebar; run: Progress; before: number; ids: string[] }> {
  const { ids } = await gatewayCall<{ ids: string[] }>('search', {
    family: 'employee_clean',
    text: '*',
    items_per_page: 1000,
  });
  // From the end: other suites buy the first ones.
  const end = ids.length - skip;
  const own = ids.slice(end - COUNT, end);
  expect(own).toHaveLength(COUNT);
  const bar = await openConnected({ workbook: list(own.map(Number)) });
  const order = enrichOrder({ by: 'id', family: 'employee_clean', fields: ['full_name'] });
  const before = await spentToday();
  return { bar, run: await startRun(bar, 'startEnrich', order), before, ids: own };
}

const filled = (bar: Sidebar): number =>
  bar.values('Sheet1').filter(([, name], at) => at > 0 && name !== undefined && name !== '').length;

beforeAll(() => setRate(10));
afterAll(() => setRate(100));

describe('Stop', () => {
  it('cancels what was not sent yet, and the sidebar states exactly what was bought; the run can be resumed', async () => {
    const { bar, run, before } = await begun(0);
    const step = bar.value('step', { runId: run.runId });
    await expect.poll(spentToday, { timeout: 20_000, interval: 100 }).toBeGreaterThan(before);
    await bar.value('withdraw', { runId: run.runId });
    const stepped = await step;
    const stopped = await bar.value('stop', { runId: run.runId });
    expect(stopped).toMatchObject({
      state: 'stopped',
      credits: stepped.credits,
      maxCredits: run.maxCredits,
    });
    expect(stopped.rows).toBeLessThan(COUNT);
    // Other suites may have bought some of them before.
    expect(stopped.credits).toBeLessThanOrEqual(stopped.rows * CREDITS);
    expect(filled(bar)).toBe(stopped.rows);
    expect(await spentToday()).toBe(before + stopped.credits);

    const done = await bar.finish(await bar.value('step', { runId: run.runId }));
    expect(done).toMatchObject({ state: 'done', rows: COUNT, done: COUNT, credits: run.maxCredits });
    expect(filled(bar)).toBe(COUNT);
    expect(await spentToday()).toBe(before + run.maxCredits);
  });

  it('is what happens to a run whose sidebar was closed: nothing is bought after the step under way', async () => {
    const { bar, run, before, ids } = await begun(COUNT);
    const stepped = await bar.value('step', { runId: run.runId });
    expect(stepped.rows).toBeLessThan(COUNT);
    expect(await spentToday()).toBe(before + stepped.credits);
    // Whatever went on would be in the cache by now: a lookup that buys nothing waits for its turn behind it.
    const { rows } = await gatewayCall<{ rows: { status: string }[] }>('lookup', {
      family: 'employee_clean',
      by: 'id',
      keys: ids,
      max_credits: 0,
    });
    expect(rows.filter(({ status }) => status === 'hit' || status === 'stale')).toHaveLength(stepped.rows);
  });
});
