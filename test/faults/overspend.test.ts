// Never overspends: whatever races, fails, hangs or crashes, a cap holds, and our count is never below the provider's own.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BudgetView, IssuedToken, TokenList } from '../../shared/api/admin.ts';
import type { LookupRequest } from '../../shared/api/lookup.ts';
import { callConcurrently, type Gateway, lookupRequest, startGateway, tally } from './gateway.ts';
import { call } from './leave.ts';

const CAP = 100;
const LOOK_MS = 20;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway?.close();
});
beforeEach(() => {
  gateway.provider.settings.latencyMs = 0;
  gateway.provider.fail();
});

let nextId = 1;
/** Ids of job postings that nobody asked for yet; each costs one credit. */
function fresh(count: number): string[] {
  return Array.from({ length: count }, () => String(nextId++));
}

const jobs = (keys: string[], more: Partial<LookupRequest> = {}): LookupRequest => ({
  family: 'job_base',
  by: 'id',
  keys,
  ...more,
});
const path = (id: string): string => `job_base/collect/${id}`;

/** What the provider charged for some keys. */
function charged(keys: readonly string[]): number {
  const own = new Set(keys);
  return gateway.provider.calls.reduce((sum, { key, credits }) => sum + (own.has(key) ? credits : 0), 0);
}

const counted = ({ spent, held }: BudgetView): number => spent.day + held;

/** What was seen of a team's budget while something went on. */
interface Watched<T> {
  result: T;
  /** The most that was ever spent and held. */
  most: number;
  /** By how much our count was below the provider's own at any time. */
  short: number;
}

/** Looks at a team's budget again and again while something goes on, and once when it is over. */
async function watched<T>(team: string, keys: readonly string[], work: Promise<T>): Promise<Watched<T>> {
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  const seen = { most: 0, short: 0 };
  const look = async (): Promise<void> => {
    const theirs = charged(keys);
    const ours = counted(await gateway.budget(team));
    seen.most = Math.max(seen.most, ours);
    seen.short = Math.max(seen.short, theirs - ours);
  };
  // Not without a pause: what is looked at needs the machine too.
  for (; !over; await pause(LOOK_MS)) await look();
  const result = await ended;
  await look();
  return { result, ...seen };
}

/** Asks for each id at once, by turns through both Workers. @returns how often each status was answered */
async function race(ids: readonly string[], tokens: readonly string[]): Promise<Record<string, number>> {
  const answers = await callConcurrently(ids.length, (worker, at) =>
    gateway.get(worker, path(ids[at] ?? ''), tokens[Math.floor(at / 2) % tokens.length]),
  );
  return tally(answers.map(({ status }) => status));
}

/** Makes a further token. */
async function issue(team: string, budget: { day: number | null; month: number | null }): Promise<string> {
  const { token } = await gateway.admin<IssuedToken>('POST', `teams/${team}/tokens`, {
    name: 'further',
    budget,
  });
  return token;
}

const none = { day: null, month: null };
/** The cap is reached, never passed, and our count never falls behind. */
const exactly = { charged: CAP, most: CAP, short: 0 };

describe('of 1,000 racing lookups of one credit, with a cap of 100,', () => {
  it('exactly 100 are charged in batches through both Workers', async () => {
    const token = await gateway.addTeam('batch', { day: null, month: CAP });
    const ids = fresh(1000);
    const lookups = callConcurrently(4, (worker, at) =>
      gateway.lookup(worker, jobs(ids.slice(at * 250, (at + 1) * 250)), token),
    );
    const { result, ...seen } = await watched('batch', ids, lookups);
    const rows = result.flatMap((answer) => answer.rows);
    expect(tally(rows.map(({ status }) => status))).toEqual({ fetched: CAP, over_budget: 900 });
    expect({ charged: charged(ids), ...seen }).toEqual(exactly);
    expect(result.reduce((sum, { credits }) => sum + credits.spent, 0)).toBe(CAP);
  });

  it('exactly 100 are charged where the provider fails half of the time', async () => {
    const token = await gateway.addTeam('half', { day: CAP, month: null });
    // So many answered calls that the breaker does not take a failing half for an outage.
    await gateway.lookup('one', jobs(fresh(300)));
    const ids = fresh(1000);
    gateway.provider.fail({ kind: 'server_error', share: 0.5 });
    const { result, ...seen } = await watched('half', ids, gateway.lookup('two', jobs(ids), token));
    gateway.provider.fail();
    const again = await gateway.lookup('one', jobs(ids), token);
    expect(tally(again.rows.map(({ status }) => status))).toEqual({ hit: CAP, over_budget: 900 });
    expect(result.credits.spent).toBe(CAP);
    expect({ charged: charged(ids), ...seen }).toEqual(exactly);
  });

  it('exactly 100 are charged to two tokens on the drop-in surface together, and to one of them never more than its own cap', async () => {
    const first = await gateway.addTeam('two-tokens', { day: CAP, month: null });
    const second = await issue('two-tokens', { day: 30, month: null });
    const ids = fresh(1000);
    const { result, ...seen } = await watched('two-tokens', ids, race(ids, [first, second]));
    expect(result).toEqual({ 200: CAP, 402: 900 });
    expect({ charged: charged(ids), ...seen }).toEqual(exactly);
    const { tokens } = await gateway.admin<TokenList>('GET', 'teams/two-tokens/tokens');
    const spent = (name: string) => tokens.find((token) => token.name === name)?.budget.spent.day ?? 0;
    expect(spent('further')).toBeLessThanOrEqual(30);
    expect(spent('') + spent('further')).toBe(CAP);
    const budget = { spent: { day: CAP }, held: 0, unclear: 0, remaining: 0 };
    expect(await gateway.budget('two-tokens')).toMatchObject(budget);
  });
});

it('missing records are free: they leave room for as many that are charged as the cap allows', async () => {
  const token = await gateway.addTeam('missing', { day: CAP, month: null });
  const names = (kind: string) => Array.from({ length: 50 }, (_, at) => `${kind}-company-${at}`);
  const keys = [...names('missing'), ...names('known')];
  const body: LookupRequest = { family: 'company_base', by: 'shorthand_name', keys };
  const { result, ...seen } = await watched('missing', keys, gateway.lookup('one', body, token));
  const { fetched, ...others } = tally(result.rows.map(({ status }) => status));
  expect(fetched).toBe(CAP / 10);
  expect((others.not_found ?? 0) + (others.over_budget ?? 0)).toBe(90);
  expect({ charged: charged(keys), ...seen }).toEqual(exactly);
});

it('a token spends exactly its own cap where the team has none', async () => {
  await gateway.addTeam('token-cap', none);
  const token = await issue('token-cap', { day: 30, month: null });
  const ids = fresh(80);
  expect(await race(ids, [token])).toEqual({ 200: 30, 402: 50 });
  expect(charged(ids)).toBe(30);
});

it('a top-up lets exactly that many more through', async () => {
  const token = await gateway.addTeam('top-up', { day: 10, month: null });
  const ids = fresh(100);
  expect(await race(ids, [token])).toEqual({ 200: 10, 402: 90 });
  const key = { 'idempotency-key': randomUUID() };
  for (const _ of ['first', 'repeated'])
    await gateway.admin('POST', 'teams/top-up/topups', { credits: 25 }, key);
  expect(await race(ids, [token])).toEqual({ 200: 35, 402: 65 });
  expect(charged(ids)).toBe(35);
  expect(await gateway.budget('top-up')).toMatchObject({ spent: { day: 35 }, top_up: 0, remaining: 0 });
});

it('with spending switched off only what is remembered is answered', async () => {
  const token = await gateway.addTeam('off', none);
  const [known = '', unknown = ''] = fresh(2);
  expect((await gateway.get('one', path(known), token)).status).toBe(200);
  await gateway.admin('PUT', 'teams/off/budget', { ...none, spending: false });
  for (const worker of ['one', 'two'] as const) {
    expect(await gateway.get(worker, path(known), token)).toMatchObject({ status: 200, cache: 'hit' });
    expect(await gateway.get(worker, path(unknown), token)).toMatchObject({
      status: 402,
      problem: 'spending_off',
    });
    const { rows } = await gateway.lookup(worker, jobs([known, unknown]), token);
    expect(rows.map(({ status }) => status)).toEqual(['hit', 'over_budget']);
  }
  expect(gateway.provider.count(unknown)).toBe(0);
});

it('what was sent and not answered when everything was killed counts as charged, and is not sent again', async () => {
  const { cluster, provider, lookup } = gateway;
  const token = await gateway.addTeam('killed', { day: 20, month: null });
  const ids = fresh(20);
  provider.settings.latencyMs = 60_000;
  const { sent } = call(`${cluster.url('one')}/sheets/v1/lookup`, lookupRequest(token, jobs(ids)));
  await sent;
  await expect.poll(() => charged(ids), { timeout: 60_000 }).toBe(20);
  await cluster.kill();
  provider.settings.latencyMs = 0;
  await cluster.start();
  expect(counted(await gateway.budget('killed'))).toBe(20);
  for (const worker of ['one', 'two'] as const) {
    const { rows, credits } = await lookup(worker, jobs(ids), token);
    expect(tally(rows.map(({ problem }) => problem ?? 'none'))).toEqual({ provider_unclear: 20 });
    expect(credits.spent).toBe(0);
  }
  const more = fresh(5);
  const { rows } = await lookup('one', jobs(more, { wait_ms: 500 }), token);
  expect(rows.every(({ record }) => record === undefined)).toBe(true);
  expect([charged(ids), charged(more), counted(await gateway.budget('killed'))]).toEqual([20, 0, 20]);
  expect([...ids, ...more].map((id) => provider.count(id))).toEqual([
    ...ids.map(() => 1),
    ...more.map(() => 0),
  ]);
});
