// Failures of the provider: each row states its problem, failures are free, and possibly charged calls are not repeated.
import { afterAll, beforeAll, it } from 'vitest';
import type { ProviderView } from '../../shared/api/admin-records.ts';
import type { LookupRequest, LookupResponse, LookupRow } from '../../shared/api/lookup.ts';
import { maxWaitMs } from '../../shared/limits.ts';
import { FIRST_OPEN_MS } from '../../worker/gateway/provider-throttle/circuit-breaker.ts';
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
/** Hanging calls take 10 seconds. */
const STORM_WAIT_MS = 12_000;
/** Waits of several calls, one after the other, on a busy machine. */
const TIMEOUT_MS = 180_000;
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
/** Kinds whose calls are sent together. The slow ones are apart, so that no other call reaches its timeout because of them. */
const rounds: readonly (readonly FaultKind[])[] = [
  faultKinds.filter((kind) => !['storm', 'hang', 'huge'].includes(kind)),
  ['huge'],
  ['storm', 'hang'],
];
const newKey = (kind: FaultKind): string => `new-${kind.replace('_', '-')}.example`;
const cachedKey = (kind: FaultKind): string => `cached-${kind.replace('_', '-')}.example`;

it.concurrent('a row with a fault is stale if it is cached, and states its problem otherwise', {
  timeout: TIMEOUT_MS,
}, async ({ expect }) => {
  const { provider, lookup, get, budget, admin } = failing;
  await lookup('one', byWebsite(faultKinds.map(cachedKey)));
  // Charges are settled after the response.
  await expect.poll(() => budget()).toMatchObject({ reserved: 0 });
  const before = { credits: provider.credits(), spent: (await budget()).spent.month };
  provider.fail(...faultKinds.map((kind) => ({ kind, keys: [newKey(kind), cachedKey(kind)] })));
  const answers: LookupResponse[] = [];
  for (const [round, kinds] of rounds.entries()) {
    // Enough successful calls in each round to keep the circuit breaker closed, which judges the last 20 seconds.
    const good = listKeys(`good-${round}-`, 60);
    const keys = [...good, ...kinds.map(newKey), ...kinds.map(cachedKey)];
    // Calls of a storm are still pending at the deadline; the others end before it.
    const waitMs = kinds.includes('storm') ? STORM_WAIT_MS : maxWaitMs;
    answers.push(await lookup('one', byWebsite(keys, { max_age_s: 0, wait_ms: waitMs })));
  }
  const spent = answers.reduce((sum, { credits }) => sum + credits.spent, 0);

  const rows = answers.flatMap((answer) => answer.rows);
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
    const { spent: booked, reserved } = await budget();
    return booked.month + reserved - before.spent;
  };
  await expect.poll(getCounted).toBe(provider.credits() - before.credits);
  expect(spent).toBe(provider.credits() - before.credits);
  expect((await admin<ProviderView>('GET', 'provider')).throttle?.breaker.state).toBe('closed');

  // After recovery, free rows are bought, and possibly charged ones are not sent again.
  provider.fail();
  const freeKeys = faultKinds.filter((kind) => expectations[kind].credits === 0).map(newKey);
  const readNames = async () =>
    (await lookup('two', byWebsite(freeKeys))).rows.map(({ record }) => record?.name);
  await expect.poll(readNames).toEqual(freeKeys.map((key) => `Record of ${key}`));
  for (const kind of faultKinds.filter((name) => expectations[name].credits > 0)) {
    const calls = provider.calls.length;
    const refused = { status: 502, problem: 'provider_unclear', credits: 0 };
    expect.soft(await get('two', enrichPath(newKey(kind))), kind).toMatchObject(refused);
    const cached = await get('two', enrichPath(cachedKey(kind)), undefined, noCache);
    expect.soft(cached, kind).toMatchObject({ status: 200, credits: 0 });
    expect.soft(provider.calls, kind).toHaveLength(calls);
  }
});

it.concurrent('an unavailable provider is not called while cached records are served, until probes succeed', {
  timeout: TIMEOUT_MS,
}, async ({ expect }) => {
  const { provider, lookup, get, budget, admin } = down;
  const getBreakerState = async () => (await admin<ProviderView>('GET', 'provider')).throttle?.breaker.state;
  await lookup('one', byWebsite(['cached.example']));
  provider.fail({ kind: 'unavailable' });
  const keys = listKeys('down', 40);
  const failingSince = Date.now();
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
  // A slow machine needs longer than the breaker is open, which then lets a probe pass.
  const mayHaveProbed = Math.floor((Date.now() - failingSince) / FIRST_OPEN_MS);
  expect(provider.calls.length - calls).toBeLessThanOrEqual(mayHaveProbed);
  // A probe reserves credits until it has failed.
  await expect.poll(() => budget()).toMatchObject({ spent: { day: 10 }, reserved: 0, unclear: 0 });

  provider.fail();
  const countRecords = async () =>
    (await lookup('two', byWebsite(keys))).rows.filter(({ record }) => record !== undefined).length;
  await expect.poll(countRecords, { timeout: 60_000, interval: 250 }).toBe(40);
  expect(await getBreakerState()).toBe('closed');
  expect(keys.map((key) => provider.credits(key))).toEqual(keys.map(() => 10));
  const getSpent = async () => (await budget()).spent.month;
  await expect.poll(getSpent).toBe(provider.credits());
});
