// Sequential trips of a cached record in a new isolate: two, independent of the memory cache.
import { describe, expect, it } from 'vitest';
import type { LookupResponse } from '../../../shared/api/lookup.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock } from '../platform.ts';
import { createToken } from '../routes/sheets/callers.ts';
import { cacheCompanies, collect, createWebsites, lookUp, toCompanyId } from './cold-gateway.ts';

const countHits = async (response: Response) =>
  (await response.json<LookupResponse>()).rows.filter(({ status }) => status === 'hit').length;

describe('a cached record in a new isolate takes two sequential trips', () => {
  it('in the drop-in API', async () => {
    const [website = ''] = createWebsites(1);
    const gateway = (await cacheCompanies([website]))();
    const answer = collect(gateway, await createToken(crypto.randomUUID()), website);
    await gateway.finishTrip('DB', 'RECORDS');
    await gateway.finishTrip('LEDGER', 'RECORDS');
    const response = await answer;
    expect([response.status, response.headers.get('x-cache')]).toEqual([200, 'hit']);
    expect(await response.json()).toMatchObject({ name: website });
    expect(gateway.listBindingCalls()).toHaveLength(4);
  });

  it('in the drop-in API, by id', async () => {
    const [website = ''] = createWebsites(1);
    const gateway = (await cacheCompanies([website]))();
    const token = await createToken(crypto.randomUUID());
    const answer = gateway.request(`/cdapi/v2/company_clean/collect/${toCompanyId(website)}`, {
      headers: { apikey: token },
    });
    await gateway.finishTrip('DB');
    await gateway.finishTrip('LEDGER', 'RECORDS');
    expect((await answer).headers.get('x-cache')).toBe('hit');
  });

  it.each([1, 40])('in a lookup of %d', async (count) => {
    const websites = createWebsites(count);
    const gateway = (await cacheCompanies(websites))();
    const answer = lookUp(gateway, await createToken(crypto.randomUUID()), websites);
    await gateway.finishTrip('DB', 'RECORDS');
    await gateway.finishTrip('LEDGER', 'RECORDS');
    expect(await countHits(await answer)).toBe(count);
    expect(gateway.listBindingCalls()).toHaveLength(4);
  });

  it('in a lookup of ids', async () => {
    const websites = createWebsites(3);
    const gateway = (await cacheCompanies(websites))();
    const token = await createToken(crypto.randomUUID());
    const answer = lookUp(gateway, token, websites.map(toCompanyId), 'id');
    await gateway.finishTrip('DB');
    await gateway.finishTrip('LEDGER', 'RECORDS');
    expect(await countHits(await answer)).toBe(3);
  });

  it('when only the lease or only the token is no longer in memory', async () => {
    const [first = '', second = '', third = ''] = createWebsites(3);
    const gateway = (await cacheCompanies([first, second, third]))();
    const token = await createToken(crypto.randomUUID());
    clock.now = Math.ceil(clock.now / 60_000) * 60_000 + 45_000;
    const earlier = collect(gateway, token, first);
    await gateway.finishTrip('DB', 'RECORDS');
    await gateway.finishTrip('LEDGER', 'RECORDS');
    await earlier;
    clock.now += 15_000;
    const withoutLease = collect(gateway, token, second);
    await gateway.finishTrip('LEDGER', 'RECORDS');
    await gateway.finishTrip('RECORDS');
    expect((await withoutLease).headers.get('x-cache')).toBe('hit');
    clock.now += 15_000;
    const withoutToken = collect(gateway, token, third);
    await gateway.finishTrip('DB', 'RECORDS');
    await gateway.finishTrip('RECORDS');
    expect((await withoutToken).headers.get('x-cache')).toBe('hit');
  });
});

it('a record in memory is not read from KV while a lease is fetched', async () => {
  const [website = ''] = createWebsites(1);
  const gateway = (await cacheCompanies([website]))();
  const token = await createToken(crypto.randomUUID());
  const earlier = collect(gateway, token, website);
  await gateway.finishTrip('DB', 'RECORDS');
  await gateway.finishTrip('LEDGER', 'RECORDS');
  await earlier;
  const other = collect(gateway, await createToken(crypto.randomUUID()), website);
  await gateway.finishTrip('DB');
  await gateway.finishTrip('LEDGER');
  expect((await other).headers.get('x-cache')).toBe('hit');
});

it('a lookup of 210 keys reads at most 100 of them before its route, and stays within the six connections', async () => {
  const websites = createWebsites(210);
  const gateway = (await cacheCompanies(websites))();
  const answer = lookUp(gateway, await createToken(crypto.randomUUID()), websites);
  await gateway.finishTrip('DB', 'RECORDS');
  await gateway.finishTrip('LEDGER', 'RECORDS');
  // The other 110 aliases, then their records.
  await gateway.finishTrip('RECORDS', 'RECORDS');
  await gateway.finishTrip('RECORDS', 'RECORDS');
  expect(await countHits(await answer)).toBe(210);
});

it('a prefetch that KV fails is repeated by the route, which reports the failure', async () => {
  const [website = ''] = createWebsites(1);
  const gateway = (await cacheCompanies([website]))();
  const lines = captureErrorLog();
  gateway.kv.failing = 'get';
  const answer = lookUp(gateway, await createToken(crypto.randomUUID()), [website]);
  await gateway.finishTrip('DB');
  await gateway.finishTrip('LEDGER');
  const { rows } = await (await answer).json<LookupResponse>();
  expect(rows).toMatchObject([{ status: 'failed', problem: 'gateway_unavailable' }]);
  expect(lines).toMatchObject([{ event: 'kv_read_failed' }]);
});
