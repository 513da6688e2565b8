// Failures of the provider: each row states its problem, failures are free, and possibly charged calls are not repeated.
import { afterAll, beforeAll, it } from 'vitest';
import type { ProviderView } from '../../shared/api/admin-records.ts';
import type { LookupRequest, LookupRow } from '../../shared/api/lookup.ts';
import { callConcurrently, type Gateway, startGateway, tally } from './gateway.ts';
import { type FaultKind, faultKinds, REDIRECTED } from './provider/faults.ts';

/** Both tests mostly wait, so they run concurrently. */
let failing: Gateway;
let down: Gateway;
beforeAll(async () => {
  [failing, down] = await Promise.all([startGateway(), startGateway()]);
});
afterAll(async () => {
  await Promise.all([failing?.close(), down?.close()]);
});

const byWebsite = (keys: string[], more: Partial<LookupRequest> = {}): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys,
  ...more,
});
const enrichPath = (website: string): string => `company_clean/enrich?website=${website}`;
const listKeys = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}.example`);
const noCache = { 'cache-control': 'no-cache' };

interface Expectation {
  problem: LookupRow['problem'];
  credits: number;
  maxCalls: number;
}
const free = (problem: LookupRow['problem'], maxCalls: number): Expectation => ({
  problem,
  credits: 0,
  maxCalls,
});
const unclear: Expectation = { problem: 'provider_unclear', credits: 10, maxCalls: 1 };

/** Problem, charge and maximum number of calls for each fault. */
const expectations: Readonly<Record<FaultKind, Expectation>> = {
  server_error: free('provider_unavailable', 3),
  unavailable: free('provider_unavailable', 3),
  storm: free('pending', Number.POSITIVE_INFINITY),
  redirect: free('provider_refused', 1),
  hang: unclear,
  reset: unclear,
  cut_body: unclear,
  broken_json: unclear,
  cut_gzip: unclear,
  wrong_type: unclear,
  huge: unclear,
};
const newKey = (kind: FaultKind): string => `new-${kind.replace('_', '-')}.example`;
const cachedKey = (kind: FaultKind): string => `cached-${kind.replace('_', '-')}.example`;

it.concurrent('a row with a fault is stale if it is cached, and states its problem otherwise', async ({
  expect,
}) => {
  const { provider, lookup, get, budget, admin } = failing;
  // Enough successful calls to keep the circuit breaker closed.
  await lookup('one', byWebsite([...faultKinds.map(cachedKey), ...listKeys('good', 80)]));
  const before = { credits: provider.credits(), spent: (await budget()).spent.month };
  provider.fail(...faultKinds.map((kind) => ({ kind, keys: [newKey(kind), cachedKey(kind)] })));
  const keys = [...faultKinds.map(newKey), ...faultKinds.map(cachedKey)];
  const { rows, credits } = await lookup('one', byWebsite(keys, { max_age_s: 0, wait_ms: 12_000 }));

  const findRow = (key: string) => rows.find((row) => row.key === key);
  for (const kind of faultKinds) {
    const { problem, credits: cost, maxCalls } = expectations[kind];
    const [uncached, cached] = [newKey(kind), cachedKey(kind)];
    expect.soft(findRow(uncached)).toMatchObject({ problem, credits: cost });
    expect.soft(findRow(uncached)).not.toHaveProperty('record');
    const record = { name: `Record of ${cached}` };
    expect.soft(findRow(cached)).toMatchObject({ status: 'stale', credits: cost, record });
    expect.soft(provider.credits(uncached), kind).toBe(cost);
    expect.soft(provider.count(uncached), kind).toBeLessThanOrEqual(maxCalls);
  }
  expect(provider.count(REDIRECTED)).toBe(0);
  // A pending row reserves credits during its attempts.
  const getCounted = async () => {
    const { spent, held } = await budget();
    return spent.month + held - before.spent;
  };
  await expect.poll(getCounted, { timeout: 30_000 }).toBe(provider.credits() - before.credits);
  expect(credits.spent).toBe(provider.credits() - before.credits);
  expect((await admin<ProviderView>('GET', 'provider')).gate?.breaker.state).toBe('closed');

  // After recovery, free rows are bought, and possibly charged ones are not sent again.
  provider.fail();
  const freeKeys = faultKinds.filter((kind) => expectations[kind].credits === 0).map(newKey);
  const readNames = async () =>
    (await lookup('two', byWebsite(freeKeys))).rows.map(({ record }) => record?.name);
  await expect.poll(readNames, { timeout: 30_000 }).toEqual(freeKeys.map((key) => `Record of ${key}`));
  for (const kind of faultKinds.filter((name) => expectations[name].credits > 0)) {
    const calls = provider.calls.length;
    const refused = { status: 502, problem: 'provider_unclear', credits: 0 };
    expect.soft(await get('two', enrichPath(newKey(kind))), kind).toMatchObject(refused);
    const cached = await get('two', enrichPath(cachedKey(kind)), undefined, noCache);
    expect.soft(cached, kind).toMatchObject({ status: 200, credits: 0 });
    expect.soft(provider.calls, kind).toHaveLength(calls);
  }
});

it.concurrent('an unavailable provider is not called while cached records are served, until probes succeed', async ({
  expect,
}) => {
  const { provider, lookup, get, budget, admin } = down;
  const getBreakerState = async () => (await admin<ProviderView>('GET', 'provider')).gate?.breaker.state;
  await lookup('one', byWebsite(['cached.example']));
  provider.fail({ kind: 'unavailable' });
  const keys = listKeys('down', 40);
  const { rows } = await lookup('one', byWebsite(keys));
  expect(tally(rows.map(({ problem }) => problem ?? 'none'))).toEqual({ provider_unavailable: 40 });
  expect(await getBreakerState()).toBe('open');

  const calls = provider.calls.length;
  const refused = await callConcurrently(40, (worker, at) => get(worker, enrichPath(`later${at}.example`)));
  expect(tally(refused.map(({ status, problem }) => `${status} ${problem}`))).toEqual({
    '503 provider_unavailable': 40,
  });
  for (const { retryAfterS } of refused) expect(retryAfterS).toBeGreaterThanOrEqual(1);
  for (const worker of ['one', 'two'] as const) {
    const cached = await get(worker, enrichPath('cached.example'), undefined, noCache);
    expect(cached).toMatchObject({ status: 200, credits: 0 });
  }
  expect(provider.calls).toHaveLength(calls);
  expect(await budget()).toMatchObject({ spent: { day: 10 }, held: 0, unclear: 0 });

  provider.fail();
  const countRecords = async () =>
    (await lookup('two', byWebsite(keys))).rows.filter(({ record }) => record !== undefined).length;
  await expect.poll(countRecords, { timeout: 60_000, interval: 250 }).toBe(40);
  expect(await getBreakerState()).toBe('closed');
  expect(keys.map((key) => provider.credits(key))).toEqual(keys.map(() => 10));
  const getSpent = async () => (await budget()).spent.month;
  await expect.poll(getSpent, { timeout: 30_000 }).toBe(provider.credits());
});
