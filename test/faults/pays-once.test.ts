// Never pays twice: whoever asks for the same, wherever and however often, while KV shows nothing of it and flights end.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LookupRequest } from '../../shared/api/lookup.ts';
import type { WorkerName } from './cluster/cluster.ts';
import { callConcurrently, type Gateway, startGateway, tally } from './gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ hideWritesMs: 120_000 });
});
afterAll(async () => {
  await gateway?.close();
});
beforeEach(() => {
  gateway.provider.settings.latencyMs = 0;
  gateway.provider.fail();
});

const websites = (...keys: string[]): LookupRequest => ({ family: 'company_clean', by: 'website', keys });
const bought = (key: string) => [gateway.provider.count(key), gateway.provider.credits(key)];

/** What one of them heard. */
interface Heard {
  /** How it came about, or the code of the problem. */
  how: string | undefined;
  credits: number;
}

async function dropIn(worker: WorkerName, website: string): Promise<Heard> {
  const { cache, problem, credits } = await gateway.get(worker, `company_clean/enrich?website=${website}`);
  return { how: problem ?? cache ?? undefined, credits };
}

async function batch(worker: WorkerName, website: string): Promise<Heard> {
  const [row] = (await gateway.lookup(worker, websites(website))).rows;
  return { how: row?.problem ?? row?.status, credits: row?.credits ?? 0 };
}

/** Many ask for one record, by turns on both surfaces of both Workers. */
const many = (count: number, website: string): Promise<Heard[]> =>
  callConcurrently(count, (worker, at) => (at % 4 < 2 ? dropIn(worker, website) : batch(worker, website)));

describe('1,000 identical cold lookups at once, through two Workers, while KV hides what is written', () => {
  it('are one call, which one of them pays', async () => {
    const { provider } = gateway;
    provider.settings.latencyMs = 500;
    const heard = await many(1000, 'cold.example');
    expect(heard.filter(({ how }) => how !== 'coalesced' && how !== 'hit')).toHaveLength(1);
    expect(tally(heard.map(({ credits }) => credits))).toEqual({ 0: 999, 10: 1 });
    expect(bought('cold.example')).toEqual([1, 10]);
  });

  it('are one call where the flight is evicted while it waits for the answer: all hear that it is unclear', async () => {
    const { cluster, provider, budget } = gateway;
    const before = await budget();
    provider.settings.latencyMs = 5000;
    const asking = many(1000, 'evicted.example');
    await expect.poll(() => provider.count('evicted.example'), { timeout: 60_000 }).toBe(1);
    expect(await cluster.run({ run: 'evict', object: 'SINGLE_FLIGHT' })).not.toEqual([]);
    const heard = await asking;
    provider.settings.latencyMs = 0;
    expect(tally(heard.map(({ how }) => how))).toEqual({ provider_unclear: 1000 });
    expect(await dropIn('one', 'evicted.example')).toEqual({ how: 'provider_unclear', credits: 0 });
    expect(await batch('two', 'evicted.example')).toEqual({ how: 'provider_unclear', credits: 0 });
    expect(bought('evicted.example')).toEqual([1, 10]);
    const after = await budget();
    expect(after.spent.day + after.held - before.spent.day - before.held).toBe(10);
  });

  it('are one call where the flight is evicted when it has the answer: it finds it again', async () => {
    const { cluster } = gateway;
    expect(await dropIn('one', 'stored.example')).toEqual({ how: 'miss', credits: 10 });
    await cluster.run({ run: 'evict', object: 'SINGLE_FLIGHT' });
    // The other Worker has neither heard the answer nor does KV show it.
    expect(await batch('two', 'stored.example')).toEqual({ how: 'hit', credits: 0 });
    expect(tally((await many(100, 'stored.example')).map(({ how }) => how))).toEqual({ hit: 100 });
    expect(bought('stored.example')).toEqual([1, 10]);
  });

  it('are a few calls where the provider fails: whoever waits is told so together', async () => {
    const { provider } = gateway;
    provider.fail({ kind: 'server_error', keys: ['failing.example'] });
    const heard = await many(100, 'failing.example');
    expect(tally(heard.map(({ how }) => how))).toEqual({ provider_unavailable: 100 });
    expect(provider.count('failing.example')).toBeLessThanOrEqual(3);
    expect(provider.credits('failing.example')).toBe(0);
  });
});

describe('1,000 rows', () => {
  const spellings = (name: string): string[] => [
    `https://www.${name}.com/`,
    `${name}.com`,
    `${name.toUpperCase()}.COM/path?from=sheet`,
  ];
  const rows = Array.from({ length: 1000 }, (_, at) => spellings(`shop${at % 300}`)[at % 3] ?? '');

  it('with 300 distinct websites are 300 calls cold and none after, also through the other Worker and with other fields', async () => {
    const { provider, lookup } = gateway;
    const before = provider.count();
    const cold = await lookup('one', websites(...rows));
    expect(tally(cold.rows.map(({ status }) => status))).toEqual({ fetched: 1000 });
    expect([provider.count() - before, cold.credits.spent]).toEqual([300, 3000]);
    for (const worker of ['one', 'two'] as const) {
      const again = await lookup(worker, { ...websites(...rows), fields: ['id', 'description'] });
      expect(tally(again.rows.map(({ status }) => status))).toEqual({ hit: 1000 });
      expect(again.rows.every(({ record }) => record !== undefined && 'id' in record)).toBe(true);
    }
    expect(provider.count() - before).toBe(300);
  });

  it('on hosts where a path is somebody else’s page are invalid, and nothing is bought', async () => {
    const { provider, lookup } = gateway;
    const before = provider.calls.length;
    const keys = ['producthunt.com/posts/acme', 'https://www.facebook.com/acme', 'linktr.ee/acme'];
    const answer = await lookup('one', websites(...keys));
    expect(answer.rows).toEqual(
      keys.map((key) => ({ key, status: 'invalid', problem: 'invalid_key', credits: 0 })),
    );
    expect(provider.calls).toHaveLength(before);
  });
});

it('one record that was asked by its website is found by id, shorthand name and profile URL', async () => {
  const { provider, lookup } = gateway;
  provider.settings.recordsByKey = {
    'acme.example': {
      id: 4711,
      websites_professional_network_canonical: 'https://network.example/company/acme',
    },
  };
  expect(await dropIn('one', 'acme.example')).toEqual({ how: 'miss', credits: 10 });
  const keys = ['4711', 'acme', 'https://www.network.example/company/ACME/', 'https://acme.example/about'];
  const found = async (worker: WorkerName, more: Partial<LookupRequest> = {}) => {
    const body: LookupRequest = { family: 'company_clean', by: 'auto', keys, fields: ['id'], ...more };
    const { rows } = await lookup(worker, body);
    return rows.map(({ status, record }) => [status, record?.id]);
  };
  const hits = keys.map(() => ['hit', 4711]);
  // The flights of the other keys hear of it in a moment.
  await expect.poll(() => found('one', { max_credits: 0 }), { timeout: 30_000 }).toEqual(hits);
  for (const worker of ['one', 'two'] as const) expect(await found(worker)).toEqual(hits);
  expect(keys.map((key) => provider.count(key))).toEqual([0, 0, 0, 0]);
  expect(bought('acme.example')).toEqual([1, 10]);
});
