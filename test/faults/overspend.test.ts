// No budget is exceeded by races and failures, and our count is never below the provider's.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IssuedToken, TokenList } from '../../shared/api/admin.ts';
import type { LookupRequest, LookupRow } from '../../shared/api/lookup.ts';
import { pickRuns } from '../pick-cases.ts';
import { callConcurrently, type Gateway, startGateway, tally } from './gateway.ts';

const CAP = 100;

/** Concurrent calls, far more than the cap allows. */
const CALLS = pickRuns(300, 1000);
const POLL_MS = 20;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway?.close();
});
beforeEach(() => {
  gateway.provider.fail();
});

let nextId = 1;
/** Returns new ids of job postings; each costs one credit. */
const takeIds = (count: number): string[] => Array.from({ length: count }, () => String(nextId++));
const byJobId = (keys: string[]): LookupRequest => ({ family: 'job_base', by: 'id', keys });

const listNames = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-company-${at}`);
const byCompanyName = (keys: string[]): LookupRequest => ({
  family: 'company_base',
  by: 'shorthand_name',
  keys,
});

/** Sums the provider's charges for some keys. */
function sumCharges(keys: readonly string[]): number {
  const set = new Set(keys);
  return gateway.provider.calls.reduce((sum, { key, credits }) => sum + (set.has(key) ? credits : 0), 0);
}

interface Observation<T> {
  result: T;
  /** Maximum of spent and reserved credits. */
  max: number;
  /** Maximum by which our count was below the provider's. */
  deficit: number;
}

/** Polls the budget of a team during some work and once afterwards. */
async function observeBudget<T>(
  team: string,
  keys: readonly string[],
  work: Promise<T>,
): Promise<Observation<T>> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  const observed = { max: 0, deficit: 0 };
  const poll = async (): Promise<void> => {
    const charged = sumCharges(keys);
    const { spent, reserved } = await gateway.budget(team);
    observed.max = Math.max(observed.max, spent.day + reserved);
    observed.deficit = Math.max(observed.deficit, charged - spent.day - reserved);
  };
  for (; !isDone; await pause(POLL_MS)) await poll();
  const result = await ended;
  await poll();
  return { result, ...observed };
}

/**
 * Classifies a row. On a busy machine a call may exceed the provider's time limit: its outcome is unclear, and it counts as
 * charged.
 */
const toOutcome = ({ status, problem }: LookupRow): string =>
  status === 'fetched' || status === 'hit' || problem === 'provider_unclear' ? 'charged' : status;

/** Outcomes of drop-in calls, as for rows. */
const outcomeByStatus: Readonly<Record<number, string>> = {
  200: 'charged',
  402: 'over_budget',
  502: 'charged',
};

/** Statuses after which a client calls again. A busy gateway returns them for calls that waited too long. */
const RETRIED = [429, 503, 504];

/**
 * Makes drop-in calls at the same time, and again those that the gateway was too busy for, as clients do.
 * @returns the status of each id
 */
async function callUntilAnswered(
  calls: readonly { id: string; token: string }[],
): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  for (let left = calls; left.length > 0; left = left.filter(({ id }) => !statuses.has(id)))
    await Promise.all(
      left.map(async ({ id, token }, at) => {
        const { status } = await gateway.get(at % 2 === 0 ? 'one' : 'two', `job_base/collect/${id}`, token);
        if (!RETRIED.includes(status)) statuses.set(id, status);
      }),
    );
  return statuses;
}

/** The cap is reached and never exceeded, and our count is never too low. */
const exact = { charged: CAP, max: CAP, deficit: 0 };

describe(`with a cap of 100, ${CALLS} concurrent lookups of one credit`, () => {
  it('charge exactly 100 in batches through both Workers', async () => {
    const token = await gateway.addTeam('batch', { day: null, month: CAP });
    const ids = takeIds(CALLS);
    const lookups = callConcurrently(4, (worker, index) =>
      gateway.lookup(worker, byJobId(ids.slice(index * (CALLS / 4), (index + 1) * (CALLS / 4))), token),
    );
    const { result, ...observed } = await observeBudget('batch', ids, lookups);
    const rows = result.flatMap((answer) => answer.rows);
    expect(tally(rows.map(toOutcome))).toEqual({ charged: CAP, over_budget: CALLS - CAP });
    expect({ charged: sumCharges(ids), ...observed }).toEqual(exact);
    expect(result.reduce((sum, { credits }) => sum + credits.spent, 0)).toBe(CAP);
  });

  it('charge exactly 100 if half of the calls fail', async () => {
    const token = await gateway.addTeam('half', { day: CAP, month: null });
    // Enough answered calls to keep the circuit breaker of the team closed; missing records are free.
    await gateway.lookup('one', byCompanyName(listNames('missing-half', 200)), token);
    const ids = takeIds(CALLS);
    gateway.provider.fail({ kind: 'server_error', share: 0.5 });
    const lookup = gateway.lookup('two', byJobId(ids), token);
    const { result, ...observed } = await observeBudget('half', ids, lookup);
    gateway.provider.fail();
    const again = await gateway.lookup('one', byJobId(ids), token);
    expect(tally(again.rows.map(toOutcome))).toEqual({ charged: CAP, over_budget: CALLS - CAP });
    expect(result.credits.spent).toBe(CAP);
    expect({ charged: sumCharges(ids), ...observed }).toEqual(exact);
  });

  it('charge exactly 100 to two drop-in tokens together, and at most its own cap to one of them', async () => {
    const first = await gateway.addTeam('two-tokens', { day: CAP, month: null });
    const body = { name: 'capped', budget: { day: 30, month: null } };
    const { token: second } = await gateway.admin<IssuedToken>('POST', 'teams/two-tokens/tokens', body);
    const ids = takeIds(CALLS);
    const calls = ids.map((id, at) => ({ id, token: Math.floor(at / 2) % 2 === 0 ? first : second }));
    const { result, ...observed } = await observeBudget('two-tokens', ids, callUntilAnswered(calls));
    const outcomes = [...result.values()].map((status) => outcomeByStatus[status] ?? status);
    expect(tally(outcomes)).toEqual({ charged: CAP, over_budget: CALLS - CAP });
    expect({ charged: sumCharges(ids), ...observed }).toEqual(exact);
    const { tokens } = await gateway.admin<TokenList>('GET', 'teams/two-tokens/tokens');
    const getSpent = (name: string) => tokens.find((token) => token.name === name)?.budget.spent.day ?? 0;
    expect(getSpent('capped')).toBeLessThanOrEqual(30);
    expect(getSpent('') + getSpent('capped')).toBe(CAP);
    const budget = { spent: { day: CAP }, reserved: 0, remaining: 0 };
    expect(await gateway.budget('two-tokens')).toMatchObject(budget);
  });
});

it('missing records are free and do not use up the cap', async () => {
  const token = await gateway.addTeam('missing', { day: CAP, month: null });
  const keys = [...listNames('missing', 50), ...listNames('known', 50)];
  const lookup = gateway.lookup('one', byCompanyName(keys), token);
  const { result, ...observed } = await observeBudget('missing', keys, lookup);
  const { charged, not_found = 0, over_budget = 0 } = tally(result.rows.map(toOutcome));
  expect([charged, not_found + over_budget]).toEqual([CAP / 10, 90]);
  expect({ charged: sumCharges(keys), ...observed }).toEqual(exact);
});

it('only cached records are returned while spending is off', async () => {
  const caps = { day: null, month: null };
  const token = await gateway.addTeam('off', caps);
  const [cached = '', other = ''] = takeIds(2);
  const get = (worker: 'one' | 'two', id: string) => gateway.get(worker, `job_base/collect/${id}`, token);
  expect((await get('one', cached)).status).toBe(200);
  await gateway.admin('PUT', 'teams/off/budget', { ...caps, spending: false });
  for (const worker of ['one', 'two'] as const) {
    expect(await get(worker, cached)).toMatchObject({ status: 200, cache: 'hit' });
    expect(await get(worker, other)).toMatchObject({ status: 402, problem: 'spending_off' });
    const { rows } = await gateway.lookup(worker, byJobId([cached, other]), token);
    expect(rows.map(({ status }) => status)).toEqual(['hit', 'over_budget']);
  }
  expect(gateway.provider.count(other)).toBe(0);
});
