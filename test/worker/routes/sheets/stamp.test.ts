// The stamp of answers: another one once a record was erased, known to every isolate within 30 seconds, at no cost to a hit.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { MeResponse } from '../../../../shared/api/account.ts';
import type { LookupRequest } from '../../../../shared/api/lookup.ts';
import type { PreviewResponse } from '../../../../shared/api/search.ts';
import { buildCompanyResponse, createGateway, type Gateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { callsWith, tokenOf } from './callers.ts';

/** A caller's token is looked up again after this time, and the stamp with it. */
const LOOKED_UP_MS = 30_000;
/** Isolates, KV and what is on its way hold a record no longer than this. */
const EVERYWHERE_MS = 120_000;

const asking = (website: string): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys: [website],
});

const stampOf = async (at: Gateway, website = 'a1.com'): Promise<string> =>
  (await at.lookup(asking(website))).stamp;

async function erase(at: Gateway, family: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
  const response = await at.request(`/admin/v1/records/${family}/${key}`, { method: 'DELETE', headers });
  expect(response.status).toBe(200);
}

describe('the stamp', () => {
  it('stays as long as nothing is erased, and is the same in every answer and every isolate', async () => {
    const rows = () => Response.json([{ id: 1, name: 'Acme' }], { headers: { 'x-total-results': '1' } });
    const script = (key: string, { method }: Request) =>
      method === 'POST' ? rows() : buildCompanyResponse(key);
    const [one, other] = [createGateway(script, 'shared'), createGateway(script, 'shared')];
    const stamp = await stampOf(one);
    clock.now += 3_600_000;
    expect(await stampOf(one, 'a2.com')).toBe(stamp);
    expect(await stampOf(other)).toBe(stamp);
    const { ok } = callsWith(env.TEAM_TOKEN, one);
    expect((await ok<MeResponse>('GET', '/me')).stamp).toBe(stamp);
    const query = { family: 'company_base', filters: { name: 'acme' } };
    expect((await ok<PreviewResponse>('POST', '/preview', query)).stamp).toBe(stamp);
    expect(stamp).toMatch(/^[\w.-]{1,64}$/);
  });

  it('is another one for another provider', async () => {
    expect(await stampOf(createGateway(buildCompanyResponse))).not.toBe(
      await stampOf(createGateway(buildCompanyResponse)),
    );
  });

  it.each([
    ['company_clean', 'a3.com'],
    ['employee_base', 'jane-doe'],
  ])('is another one 30 seconds after an erasure of %s, in other isolates too', async (family, key) => {
    const here = createGateway(buildCompanyResponse, `erasing-${family}`);
    const elsewhere = createGateway(buildCompanyResponse, `erasing-${family}`);
    const before = await stampOf(here);
    expect(await stampOf(elsewhere)).toBe(before);
    await erase(here, family, key);
    clock.now += LOOKED_UP_MS;
    const after = await stampOf(elsewhere);
    expect(after).not.toBe(before);
    expect(await stampOf(here)).toBe(after);
  });

  it('is another one again once nothing is left, since copies on their way out may have been answered', async () => {
    const at = createGateway(buildCompanyResponse);
    const stamps = [await stampOf(at)];
    await erase(at, 'company_clean', 'a4.com');
    clock.now += LOOKED_UP_MS;
    stamps.push(await stampOf(at));
    clock.now += EVERYWHERE_MS;
    stamps.push(await stampOf(at));
    expect(new Set(stamps).size).toBe(3);
    clock.now += 3_600_000;
    expect(await stampOf(at)).toBe(stamps[2]);
  });
});

it('me tells how many records came from memory and how many were bought, today and this month', async () => {
  const at = createGateway(buildCompanyResponse);
  const { ok } = callsWith(await tokenOf('counted'), at);
  const ask = () => ok('POST', '/lookup', asking('a901.com'));
  const counts = async () => (await ok<MeResponse>('GET', '/me')).records;
  const before = await counts();
  await ask();
  for (let hit = 0; hit < 4; hit++) await ask();
  // What an isolate counted is handed over with the next lease.
  clock.now += 60_000;
  await ask();
  await expect.poll(async () => (await counts()).fetched.day - before.fetched.day).toBe(1);
  const { remembered, fetched } = await counts();
  expect(remembered.day - before.remembered.day).toBeGreaterThanOrEqual(4);
  expect(fetched.month).toBeGreaterThanOrEqual(fetched.day);
});
