// The stamp changes in every isolate within 30 seconds after an erasure.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { MeResponse } from '../../../../shared/api/account.ts';
import type { LookupRequest } from '../../../../shared/api/lookup.ts';
import type { PreviewResponse } from '../../../../shared/api/search.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { createClient, createTokenClient } from './callers.ts';

/** A token, and the stamp with it, is read again after this time. */
const TOKEN_CACHE_MS = 30_000;
/** Copies in isolates and KV expire after this time. */
const COPIES_MS = 125_000;

const createLookup = (website: string): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys: [website],
});

const getStamp = async (at: Gateway, website = 'a1.com'): Promise<string> =>
  (await at.lookup(createLookup(website))).stamp;

async function erase(at: Gateway, family: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
  const response = await at.request(`/admin/v1/records/${family}/${key}`, { method: 'DELETE', headers });
  expect(response.status).toBe(200);
}

describe('the stamp', () => {
  it('is the same in every response and isolate', async () => {
    const rows = () => Response.json([{ id: 1, name: 'Acme' }], { headers: { 'x-total-results': '1' } });
    const script = (key: string, { method }: Request) =>
      method === 'POST' ? rows() : buildCompanyResponse(key);
    const [one, other] = [createGateway(script, 'shared'), createGateway(script, 'shared')];
    const stamp = await getStamp(one);
    clock.now += 3_600_000;
    expect(await getStamp(one, 'a2.com')).toBe(stamp);
    expect(await getStamp(other)).toBe(stamp);
    const { ok } = createTokenClient(env.TEAM_TOKEN, one);
    expect((await ok<MeResponse>('GET', '/me')).stamp).toBe(stamp);
    const query = { family: 'company_base', filters: { name: 'acme' } };
    expect((await ok<PreviewResponse>('POST', '/preview', query)).stamp).toBe(stamp);
    expect(stamp).toMatch(/^[\w.-]{1,64}$/);
  });

  it('differs between providers', async () => {
    expect(await getStamp(createGateway(buildCompanyResponse))).not.toBe(
      await getStamp(createGateway(buildCompanyResponse)),
    );
  });

  it('changes within 30 seconds after an erasure, and when the last copies have expired, in every isolate', async () => {
    const here = createGateway(buildCompanyResponse, 'erasing');
    const elsewhere = createGateway(buildCompanyResponse, 'erasing');
    const before = await getStamp(here);
    expect(await getStamp(elsewhere)).toBe(before);
    await erase(here, 'employee_base', 'jane-doe');
    clock.now += TOKEN_CACHE_MS;
    const after = await getStamp(elsewhere);
    expect(after).not.toBe(before);
    expect(await getStamp(here)).toBe(after);
    clock.now += COPIES_MS;
    const last = await getStamp(here);
    expect([before, after]).not.toContain(last);
    clock.now += 3_600_000;
    expect([await getStamp(here), await getStamp(elsewhere)]).toEqual([last, last]);
  });
});

it('/me counts cached and bought records of today and this month', async () => {
  const at = createGateway(buildCompanyResponse);
  const { ok } = await createClient('counted', {}, at);
  const ask = () => ok('POST', '/lookup', createLookup('a901.com'));
  const counts = async () => (await ok<MeResponse>('GET', '/me')).records;
  const before = await counts();
  await ask();
  for (let hit = 0; hit < 4; hit++) await ask();
  // Usage is sent with the next lease.
  clock.now += 60_000;
  await ask();
  await expect.poll(async () => (await counts()).fetched.day - before.fetched.day).toBe(1);
  const { cached, fetched } = await counts();
  expect(cached.day - before.cached.day).toBeGreaterThanOrEqual(4);
  expect(fetched.month).toBeGreaterThanOrEqual(fetched.day);
});
