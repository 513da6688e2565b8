// Attacks on the limit of formulas: purchases that a run of a formula causes beside its own.
import { expect, it } from 'vitest';
import { accountsRequest } from '../../../shared/api/accounts.ts';
import { lookupRequest } from '../../../shared/api/lookup.ts';
import { matchRequest } from '../../../shared/api/match.ts';
import { previewRequest } from '../../../shared/api/search.ts';
import { lookup } from '../../../worker/gateway/lookup.ts';
import { clock } from '../platform.ts';
import { buildWebsiteLookup, GatewayHarness } from './harness.ts';

const DAY_MS = 86_400_000;

const toCompany = (url: URL): Response => {
  const website = url.searchParams.get('website') ?? '';
  return Response.json({ id: Number(website.replace(/\D/g, '')), name: website, websites_main: website });
};

it('the background refresh of a formula’s records counts towards the limit', async () => {
  const harness = new GatewayHarness(toCompany);
  const keys = ['a1.com', 'b2.com', 'c3.com'];
  await lookup(buildWebsiteLookup(keys), harness.createContext());
  await expect.poll(() => harness.listStoredKeys()).toHaveLength(6);
  clock.now += 31 * DAY_MS;
  const run = async (own: string[], formulaMaxCredits: number) => {
    const context = harness.createContext('team', { backgroundRefresh: true, formulaMaxCredits });
    const { rows } = await lookup(buildWebsiteLookup(own), context);
    await Promise.all(harness.backgroundWork);
    return rows.map(({ status, problem }) => problem ?? status);
  };
  expect(await run(keys, 20)).toEqual(Array(3).fill('stale'));
  // Two purchases, and the refresh of a third record.
  expect(await run(['a1.com', 'd4.com', 'e5.com'], 20)).toEqual(['stale', 'fetched', 'fetched']);
  expect(harness.requests).toHaveLength(5);
  await run(keys, 30);
  await expect.poll(() => harness.requests).toHaveLength(8);
});

it('a damaged confirmation is no price: the calls of a formula are refused', () => {
  const query = { text: 'acme' };
  const calls = [
    [lookupRequest, { family: 'company_base', by: 'website', keys: ['a.com'], fields: ['name'] }],
    [previewRequest, { family: 'company_base', ...query }],
    [matchRequest, { family: 'company_base', companies: [{ name: 'Acme' }] }],
    [accountsRequest, { companies: ['a.com'], ...query }],
  ] as const;
  const damaged = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 1e30];
  for (const [schema, body] of calls) {
    const isAccepted = (credits: number): boolean =>
      schema.safeParse(JSON.parse(JSON.stringify({ ...body, max_credits: credits }))).success;
    expect([isAccepted(30), ...damaged.map(isAccepted)]).toEqual([true, ...damaged.map(() => false)]);
  }
});
