// The harness around the gateway as it is deployed: two Workers answer, share what was bought, and are killed and started.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LookupRequest } from '../../shared/api/lookup.ts';
import { type Gateway, lookupRequest, startGateway } from './gateway.ts';
import { call } from './leave.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway?.close();
});

const website = (key: string): LookupRequest => ({ family: 'company_clean', by: 'website', keys: [key] });
const bought = (key: string) => [gateway.provider.count(key), gateway.provider.credits(key)];

it.each(['one', 'two'] as const)('Worker %s answers', async (worker) => {
  expect((await fetch(`${gateway.cluster.url(worker)}/health`)).status).toBe(200);
});

it('what one Worker bought the other has, also after kill -9', async () => {
  const { lookup, cluster } = gateway;
  const { rows } = await lookup('one', website('shared.example'));
  expect(rows).toMatchObject([{ status: 'fetched', credits: 10 }]);
  expect((await lookup('two', website('shared.example'))).rows).toMatchObject([{ status: 'hit' }]);
  await cluster.kill();
  await cluster.start();
  expect((await lookup('two', website('shared.example'))).rows).toMatchObject([{ status: 'hit' }]);
  expect(bought('shared.example')).toEqual([1, 10]);
});

it('an object that is evicted in the middle is made anew', async () => {
  const { lookup, cluster, provider } = gateway;
  provider.settings.latencyMs = 3000;
  const pending = lookup('one', website('evicted.example'));
  await expect.poll(() => provider.count('evicted.example')).toBe(1);
  const living = await cluster.run({ run: 'living', object: 'FLIGHT' });
  expect(living).not.toEqual([]);
  expect(await cluster.run({ run: 'evict', object: 'FLIGHT' })).toEqual(living);
  await pending;
  expect(bought('evicted.example')).toEqual([1, 10]);
  provider.settings.latencyMs = 0;
});

it('a caller goes before it has its answer, which is there for the next', async () => {
  const { cluster, provider, token, lookup } = gateway;
  provider.settings.latencyMs = 1000;
  const { leave } = call(
    `${cluster.url('two')}/sheets/v1/lookup`,
    lookupRequest(token, website('left.example')),
  );
  await expect.poll(() => provider.open()).toBe(1);
  leave();
  provider.settings.latencyMs = 0;
  expect((await lookup('one', website('left.example'))).rows[0]?.status).toMatch(/^(coalesced|hit)$/);
  expect(bought('left.example')).toEqual([1, 10]);
});

it('prints neither the tokens nor the keys', () => {
  const { cluster, token, adminToken } = gateway;
  const output = cluster.output();
  for (const hidden of [token, adminToken, 'shared.example']) expect(output).not.toContain(hidden);
});
