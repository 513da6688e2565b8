// Stopping a run: cancels unsent calls and reports the exact cost.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Progress } from '../../../addon/server/api/index.ts';
import { createEnrichOrder, createList } from './orders.ts';
import { openInstanceSidebar, type Sidebar, startRun } from './sidebar.ts';

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

/** Returns the credits that the team has spent this month. A test may run across midnight. */
const getSpent = async (): Promise<number> =>
  (await gatewayCall<{ spent: { month: number } }>('me')).spent.month;

/** Starts a lookup of employees that no other test buys. */
async function startLookup(
  skip: number,
): Promise<{ sidebar: Sidebar; run: Progress; before: number; ids: string[] }> {
  const { ids } = await gatewayCall<{ ids: string[] }>('search', {
    family: 'employee_clean',
    text: '*',
    items_per_page: 1000,
  });
  // Other suites buy the first ones.
  const end = ids.length - skip;
  const chosen = ids.slice(end - COUNT, end);
  expect(chosen).toHaveLength(COUNT);
  const sidebar = await openInstanceSidebar({ workbook: createList(chosen.map(Number)) });
  const order = createEnrichOrder({ by: 'id', family: 'employee_clean', fields: ['full_name'] });
  const before = await getSpent();
  return { sidebar, run: await startRun(sidebar, 'startEnrich', order), before, ids: chosen };
}

const filled = (sidebar: Sidebar): number =>
  sidebar.getValues('Sheet1').filter(([, name], at) => at > 0 && name !== undefined && name !== '').length;

beforeAll(() => setRate(10));
afterAll(() => setRate(100));

describe('stopping a run', () => {
  it('cancels unsent calls, reports the exact cost, and allows resuming', async () => {
    const { sidebar, run, before } = await startLookup(0);
    const step = sidebar.callOk('step', { runId: run.runId });
    await expect.poll(getSpent, { timeout: 20_000, interval: 100 }).toBeGreaterThan(before);
    await sidebar.callOk('cancelStep', { runId: run.runId });
    const stepped = await step;
    const stopped = await sidebar.callOk('stop', { runId: run.runId });
    expect(stopped).toMatchObject({
      state: 'stopped',
      credits: stepped.credits,
      maxCredits: run.maxCredits,
    });
    expect(stopped.rows).toBeLessThan(COUNT);
    // Other suites may have bought some of them.
    expect(stopped.credits).toBeLessThanOrEqual(stopped.rows * CREDITS);
    expect(filled(sidebar)).toBe(stopped.rows);
    expect(await getSpent()).toBe(before + stopped.credits);

    const done = await sidebar.resumeRun(run.runId);
    expect(done).toMatchObject({ state: 'done', rows: COUNT, done: COUNT, credits: run.maxCredits });
    expect(filled(sidebar)).toBe(COUNT);
    expect(await getSpent()).toBe(before + run.maxCredits);
  });

  it('happens when the sidebar closes: nothing is bought after the current step', async () => {
    const { sidebar, run, before, ids } = await startLookup(COUNT);
    const stepped = await sidebar.callOk('step', { runId: run.runId });
    expect(stepped.rows).toBeLessThan(COUNT);
    expect(await getSpent()).toBe(before + stepped.credits);
    // A lookup without budget waits for calls in flight, whose records would be cached by then.
    const { rows } = await gatewayCall<{ rows: { status: string }[] }>('lookup', {
      family: 'employee_clean',
      by: 'id',
      keys: ids,
      max_credits: 0,
    });
    expect(rows.filter(({ status }) => status === 'hit' || status === 'stale')).toHaveLength(stepped.rows);
  });
});
