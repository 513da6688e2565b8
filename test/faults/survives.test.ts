// Survives the provider: whatever it answers, each row says what is known or what is wrong, nothing is charged for a
// failure, and nothing that may have been charged is sent again.
import { afterAll, beforeAll, it } from 'vitest';
import type { ProviderView } from '../../shared/api/admin-records.ts';
import type { LookupRequest, LookupRow } from '../../shared/api/lookup.ts';
import { callConcurrently, type Gateway, startGateway, tally } from './gateway.ts';
import { type FaultKind, faultKinds, REDIRECTED } from './provider/faults.ts';

/** One whose provider fails now and then, and one whose provider is down; both tests wait more than they do. */
let failing: Gateway;
let down: Gateway;
beforeAll(async () => {
  [failing, down] = await Promise.all([startGateway(), startGateway()]);
});
afterAll(async () => {
  await Promise.all([failing?.close(), down?.close()]);
});

const websites = (keys: string[], more: Partial<LookupRequest> = {}): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys,
  ...more,
});
const enrich = (website: string): string => `company_clean/enrich?website=${website}`;
const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}${at}.example`);
const young = { 'cache-control': 'no-cache' };

/** What a row says that meets a fault, what that costs, and how often it is sent at most. */
const faults: Readonly<Record<FaultKind, { problem: LookupRow['problem']; credits: number; calls: number }>> =
  {
    server_error: { problem: 'provider_unavailable', credits: 0, calls: 3 },
    unavailable: { problem: 'provider_unavailable', credits: 0, calls: 3 },
    storm: { problem: 'pending', credits: 0, calls: Number.POSITIVE_INFINITY },
    redirect: { problem: 'provider_refused', credits: 0, calls: 1 },
    hang: { problem: 'provider_unclear', credits: 10, calls: 1 },
    reset: { problem: 'provider_unclear', credits: 10, calls: 1 },
    cut_body: { problem: 'provider_unclear', credits: 10, calls: 1 },
    broken_json: { problem: 'provider_unclear', credits: 10, calls: 1 },
    cut_gzip: { problem: 'provider_unclear', credits: 10, calls: 1 },
    wrong_type: { problem: 'provider_unclear', credits: 10, calls: 1 },
    huge: { problem: 'provider_unclear', credits: 10, calls: 1 },
  };
const coldKey = (kind: FaultKind): string => `cold-${kind.replace('_', '-')}.example`;
const knownKey = (kind: FaultKind): string => `known-${kind.replace('_', '-')}.example`;

it.concurrent('each row that meets a fault is stale where there is a record, and says its problem where there is none', async ({
  expect,
}) => {
  const { provider, lookup, get, budget, admin } = failing;
  // Many answered calls, so that the breaker stays closed.
  await lookup('one', websites([...faultKinds.map(knownKey), ...named('good', 80)]));
  const before = { credits: provider.credits(), spent: (await budget()).spent.day };
  provider.fail(...faultKinds.map((kind) => ({ kind, keys: [coldKey(kind), knownKey(kind)] })));
  const keys = [...faultKinds.map(coldKey), ...faultKinds.map(knownKey)];
  const { rows, credits } = await lookup('one', websites(keys, { max_age_s: 0, wait_ms: 12_000 }));

  const rowOf = (key: string) => rows.find((row) => row.key === key);
  for (const kind of faultKinds) {
    const { problem, credits: cost, calls } = faults[kind];
    const [cold, known] = [coldKey(kind), knownKey(kind)];
    expect.soft(rowOf(cold)).toMatchObject({ problem, credits: cost });
    expect.soft(rowOf(cold)).not.toHaveProperty('record');
    expect.soft(rowOf(known)).toMatchObject({
      status: 'stale',
      credits: cost,
      record: { name: `Record of ${known}` },
    });
    expect.soft(provider.credits(cold), kind).toBe(cost);
    expect.soft(provider.count(cold), kind).toBeLessThanOrEqual(calls);
  }
  expect(provider.count(REDIRECTED)).toBe(0);
  // A try of a row that is still pending holds its credits for a moment.
  const counted = async () => {
    const { spent, held } = await budget();
    return spent.day + held - before.spent;
  };
  await expect.poll(counted, { timeout: 30_000 }).toBe(provider.credits() - before.credits);
  expect(credits.spent).toBe(provider.credits() - before.credits);
  expect((await admin<ProviderView>('GET', 'provider')).gate?.breaker.state).toBe('closed');

  // It is well again: what was free is bought, what may have been charged is not sent a second time.
  provider.fail();
  const free = faultKinds.filter((kind) => faults[kind].credits === 0).map(coldKey);
  const bought = async () => (await lookup('two', websites(free))).rows.map(({ record }) => record?.name);
  await expect.poll(bought, { timeout: 30_000 }).toEqual(free.map((key) => `Record of ${key}`));
  for (const kind of faultKinds.filter((one) => faults[one].credits > 0)) {
    const calls = provider.calls.length;
    const unclear = { status: 502, problem: 'provider_unclear', credits: 0 };
    expect.soft(await get('two', enrich(coldKey(kind))), kind).toMatchObject(unclear);
    const older = await get('two', enrich(knownKey(kind)), undefined, young);
    expect.soft(older, kind).toMatchObject({ status: 200, credits: 0 });
    expect.soft(provider.calls, kind).toHaveLength(calls);
  }
});

it.concurrent('a provider that is down is left alone, while what is remembered is served; then it is asked again bit by bit', async ({
  expect,
}) => {
  const { provider, lookup, get, budget, admin } = down;
  const breaker = async () => (await admin<ProviderView>('GET', 'provider')).gate?.breaker.state;
  await lookup('one', websites(['known.example']));
  provider.fail({ kind: 'unavailable' });
  const keys = named('down', 40);
  const { rows } = await lookup('one', websites(keys));
  expect(tally(rows.map(({ problem }) => problem ?? 'none'))).toEqual({ provider_unavailable: 40 });
  expect(await breaker()).toBe('open');

  const calls = provider.calls.length;
  const refused = await callConcurrently(40, (worker, at) => get(worker, enrich(`later${at}.example`)));
  expect(tally(refused.map(({ status, problem }) => `${status} ${problem}`))).toEqual({
    '503 provider_unavailable': 40,
  });
  for (const { retryAfterS } of refused) expect(retryAfterS).toBeGreaterThanOrEqual(1);
  for (const worker of ['one', 'two'] as const) {
    const known = await get(worker, enrich('known.example'), undefined, young);
    expect(known).toMatchObject({ status: 200, credits: 0 });
  }
  expect(provider.calls).toHaveLength(calls);
  expect(await budget()).toMatchObject({ spent: { day: 10 }, held: 0, unclear: 0 });

  provider.fail();
  const back = async () => {
    const answer = await lookup('two', websites(keys));
    return answer.rows.filter(({ record }) => record !== undefined).length;
  };
  await expect.poll(back, { timeout: 60_000, interval: 250 }).toBe(40);
  expect(await breaker()).toBe('closed');
  expect(keys.map((key) => provider.credits(key))).toEqual(keys.map(() => 10));
  const counted = async () => (await budget()).spent.day;
  await expect.poll(counted, { timeout: 30_000 }).toBe(provider.credits());
});
