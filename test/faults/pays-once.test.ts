// No record is paid twice by concurrent identical requests, while KV lags and single flights are evicted.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LookupRequest } from '../../shared/api/lookup.ts';
import { pickRuns } from '../pick-cases.ts';
import type { WorkerName } from './cluster/cluster.ts';
import { callConcurrently, type Gateway, startGateway, tally } from './gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ hideWritesMs: 120_000 });
  // Cold Workers take seconds for 1,000 requests, and workerd closes a connection from which it has read nothing for 15 s.
  await requestMany(100, 'warm.example');
});
afterAll(async () => {
  await gateway?.close();
});
beforeEach(() => {
  gateway.provider.settings.latencyMs = 0;
});

const byWebsite = (...keys: string[]): LookupRequest => ({ family: 'company_clean', by: 'website', keys });
const getPurchase = (key: string) => [gateway.provider.count(key), gateway.provider.credits(key)];

interface Outcome {
  /** Cache status or problem code. */
  result: string | undefined;
  credits: number;
}

async function callDropIn(worker: WorkerName, website: string): Promise<Outcome> {
  const { cache, problem, credits } = await gateway.get(worker, `company_clean/enrich?website=${website}`);
  return { result: problem ?? cache ?? undefined, credits };
}

async function lookup(worker: WorkerName, website: string): Promise<Outcome> {
  const [row] = (await gateway.lookup(worker, byWebsite(website))).rows;
  return { result: row?.problem ?? row?.status, credits: row?.credits ?? 0 };
}

/** Concurrent requests for one record. */
const REQUESTS = pickRuns(200, 1000);

/** Requests one record concurrently through both APIs of both Workers. */
const requestMany = (count: number, website: string): Promise<Outcome[]> =>
  callConcurrently(count, (worker, index) =>
    index % 4 < 2 ? callDropIn(worker, website) : lookup(worker, website),
  );

describe(`${REQUESTS} concurrent requests for one record`, () => {
  it('are one call, which one of them pays', async () => {
    gateway.provider.settings.latencyMs = 500;
    const outcomes = await requestMany(REQUESTS, 'cold.example');
    expect(outcomes.filter(({ result }) => result !== 'coalesced' && result !== 'hit')).toHaveLength(1);
    expect(tally(outcomes.map(({ credits }) => credits))).toEqual({ 0: REQUESTS - 1, 10: 1 });
    expect(getPurchase('cold.example')).toEqual([1, 10]);
  });

  it('are one unclear call if the single flight is evicted before the response', async () => {
    const { cluster, provider, budget } = gateway;
    const before = await budget();
    const sendResponses = provider.holdResponses();
    const requests = requestMany(REQUESTS, 'evicted.example');
    await expect.poll(() => provider.count('evicted.example'), { timeout: 60_000 }).toBe(1);
    expect(await cluster.run({ run: 'evict', object: 'SINGLE_FLIGHT' })).not.toEqual([]);
    const outcomes = await requests;
    sendResponses();
    expect(tally(outcomes.map(({ result }) => result))).toEqual({ provider_unclear: REQUESTS });
    const unclear = { result: 'provider_unclear', credits: 0 };
    expect(await callDropIn('one', 'evicted.example')).toEqual(unclear);
    expect(await lookup('two', 'evicted.example')).toEqual(unclear);
    expect(getPurchase('evicted.example')).toEqual([1, 10]);
    const after = await budget();
    expect(after.spent.month + after.reserved - before.spent.month - before.reserved).toBe(10);
  });

  it('find the stored answer if the single flight is evicted after the response', async () => {
    expect(await callDropIn('one', 'stored.example')).toEqual({ result: 'miss', credits: 10 });
    await gateway.cluster.run({ run: 'evict', object: 'SINGLE_FLIGHT' });
    // The other Worker has no answer in memory, and KV does not show it yet.
    expect(await lookup('two', 'stored.example')).toEqual({ result: 'hit', credits: 0 });
    const outcomes = await requestMany(100, 'stored.example');
    expect(tally(outcomes.map(({ result }) => result))).toEqual({ hit: 100 });
    expect(getPurchase('stored.example')).toEqual([1, 10]);
  });
});

it('1,000 rows with 300 distinct websites are 300 calls, and none later through any Worker and for any fields', async () => {
  const { provider } = gateway;
  const keys = Array.from({ length: 1000 }, (_, at) => {
    const name = `shop${at % 300}`;
    const spellings = [
      `https://www.${name}.com/`,
      `${name}.com`,
      `${name.toUpperCase()}.COM/path?from=sheet`,
    ];
    return spellings[at % 3] ?? '';
  });
  const before = provider.count();
  const cold = await gateway.lookup('one', byWebsite(...keys));
  expect(tally(cold.rows.map(({ status }) => status))).toEqual({ fetched: 1000 });
  expect([provider.count() - before, cold.credits.spent]).toEqual([300, 3000]);
  for (const worker of ['one', 'two'] as const) {
    const again = await gateway.lookup(worker, { ...byWebsite(...keys), fields: ['id', 'description'] });
    expect(tally(again.rows.map(({ status }) => status))).toEqual({ hit: 1000 });
    expect(again.rows.every(({ record }) => record !== undefined && 'id' in record)).toBe(true);
  }
  expect(provider.count() - before).toBe(300);
});

it('a record bought by website is found by id, shorthand name and profile URL', async () => {
  const { provider } = gateway;
  const profile = 'https://network.example/company/acme';
  provider.settings.recordsByKey = {
    'acme.example': { id: 4711, websites_professional_network_canonical: profile },
  };
  expect(await callDropIn('one', 'acme.example')).toEqual({ result: 'miss', credits: 10 });
  const keys = ['4711', 'acme', 'https://www.network.example/company/ACME/', 'https://acme.example/about'];
  const find = async (worker: WorkerName, more: Partial<LookupRequest> = {}) => {
    const body: LookupRequest = { family: 'company_clean', by: 'auto', keys, fields: ['id'], ...more };
    return (await gateway.lookup(worker, body)).rows.map(({ status, record }) => [status, record?.id]);
  };
  const hits = keys.map(() => ['hit', 4711]);
  // The answer is published to the single flights of the other keys in the background.
  await expect.poll(() => find('one', { max_credits: 0 })).toEqual(hits);
  for (const worker of ['one', 'two'] as const) expect(await find(worker)).toEqual(hits);
  expect(keys.map((key) => provider.count(key))).toEqual([0, 0, 0, 0]);
  expect(getPurchase('acme.example')).toEqual([1, 10]);
});
