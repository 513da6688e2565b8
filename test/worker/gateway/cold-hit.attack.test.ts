// Attacks on records that are read before their caller is admitted: nothing is disclosed, kept or charged.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { generateToken } from '../../../shared/tokens.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, createRateLimit, interceptCalls } from '../platform.ts';
import { createToken, getTokenId } from '../routes/sheets/callers.ts';
import {
  type ColdGateway,
  cacheCompanies,
  collect,
  createWebsites,
  lookUp,
  toCompanyId,
} from './cold-gateway.ts';

const inventToken = () => generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));

async function createCachedCompany(): Promise<{ website: string; gateway: ColdGateway }> {
  const [website = ''] = createWebsites(1);
  return { website, gateway: (await cacheCompanies([website]))() };
}

/** Expects that the isolate has nothing of a company in memory: a valid caller waits for the same trips as in a new one. */
async function expectNothingInMemory(gateway: ColdGateway, website: string): Promise<void> {
  const answer = collect(gateway, await createToken(crypto.randomUUID()), website);
  await gateway.finishTrip('DB', 'RECORDS');
  await gateway.finishTrip('LEDGER', 'RECORDS');
  expect((await answer).headers.get('x-cache')).toBe('hit');
}

/** Asks for a cached record, lets both trips end, and expects a refusal without the record. */
async function expectRefusedAfterTrips(
  gateway: ColdGateway,
  token: string,
  website: string,
  status: number,
): Promise<void> {
  const asked = collect(gateway, token, website);
  await gateway.finishTrip('DB', 'RECORDS');
  await gateway.finishTrip('LEDGER', 'RECORDS');
  const refused = await asked;
  expect([refused.status, await refused.text()]).toEqual([status, expect.not.stringContaining(website)]);
  await expectNothingInMemory(gateway, website);
}

it.each<[string, (gateway: ColdGateway, token: string, website: string) => Promise<Response>]>([
  ['the drop-in API', (gateway, token, website) => collect(gateway, token, website)],
  ['a lookup', (gateway, token, website) => lookUp(gateway, token, [website])],
])(
  'a stranger asks %s for a cached record: refused as soon as the token is known to be wrong, without a ledger or a record',
  async (_, ask) => {
    const { website, gateway } = await createCachedCompany();
    const lines = captureErrorLog();
    const refused = ask(gateway, inventToken(), website);
    await expect.poll(() => gateway.trips.held).toEqual(['DB', 'RECORDS']);
    // The alias is still being read: how long that takes shows nothing.
    gateway.trips.release('DB');
    const response = await refused;
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain(website);
    gateway.trips.release();
    expect(gateway.listBindingCalls().filter((call) => /^(RECORDS|LEDGER)/.test(call))).toEqual([
      'RECORDS.get',
    ]);
    expect(lines).toEqual([]);
    await expectNothingInMemory(gateway, website);
  },
);

it('a stranger asks for a record by its id: KV is not read', async () => {
  const { website, gateway } = await createCachedCompany();
  const id = toCompanyId(website);
  const answers = [
    gateway.request(`/cdapi/v2/company_clean/collect/${id}`, { headers: { apikey: inventToken() } }),
    lookUp(gateway, inventToken(), [id], 'id'),
  ];
  await gateway.finishTrip('DB', 'DB');
  for (const answer of answers) expect((await answer).status).toBe(401);
  expect(gateway.listBindingCalls().filter((call) => /^(RECORDS|LEDGER)/.test(call))).toEqual([]);
});

it('a stranger sends a large lookup or one of unknown size: its body is not read', async () => {
  const websites = createWebsites(1);
  const gateway = (await cacheCompanies(websites))();
  const headers = { authorization: `Bearer ${inventToken()}` };
  const body = JSON.stringify({ family: 'company_clean', by: 'website', keys: websites });
  const large = { ...headers, 'content-length': String(1024 * 1024) };
  for (const sent of [large, headers]) {
    const answer = gateway.request('/sheets/v1/lookup', { method: 'POST', headers: sent, body });
    // The second time the token is known to be wrong.
    if (sent === large) await gateway.finishTrip('DB');
    expect((await answer).status).toBe(401);
  }
  expect(gateway.listBindingCalls()).not.toContain('RECORDS.get');
});

it('an address that guessed too often, a token known to be wrong, or a mistyped one: nothing is read', async () => {
  const [website = ''] = createWebsites(1);
  const gateway = (await cacheCompanies([website]))({ AUTH_RATE_LIMIT: createRateLimit(1) });
  const guess = async (token: string): Promise<number> => {
    const answer = collect(gateway, token, website, 'attacker');
    await gateway.finishTrip('DB', 'RECORDS');
    return (await answer).status;
  };
  const wrong = inventToken();
  expect([await guess(wrong), await guess(inventToken())]).toEqual([401, 429]);
  const before = gateway.listBindingCalls().length;
  for (const [token, status] of [
    [wrong, 401],
    [`${wrong.slice(0, -1)}-`, 401],
    [inventToken(), 429],
  ] as const) {
    expect((await collect(gateway, token, website, 'attacker')).status).toBe(status);
  }
  expect(gateway.listBindingCalls()).toHaveLength(before);
});

it('the database fails while a record is read ahead: the call fails, and nothing stays in memory', async () => {
  const [website = ''] = createWebsites(1);
  const createIsolate = await cacheCompanies([website]);
  const lines = captureErrorLog();
  let isDown = true;
  const DB = interceptCalls(env.DB, () => {
    if (isDown) throw new Error('D1 is down');
  });
  const gateway = createIsolate({ DB });
  const token = await createToken(crypto.randomUUID());
  const failed = collect(gateway, token, website);
  expect((await failed).status).toBeGreaterThanOrEqual(500);
  expect(lines).toHaveLength(1);
  await gateway.finishTrip('RECORDS');
  isDown = false;
  const answer = collect(gateway, token, website);
  // The replaced database is not held.
  await gateway.finishTrip('LEDGER', 'RECORDS');
  await gateway.finishTrip('RECORDS');
  expect((await answer).headers.get('x-cache')).toBe('hit');
});

it('a token that the ledger knows to be revoked asks for a cached record: refused, and nothing of it stays in memory', async () => {
  const { website, gateway } = await createCachedCompany();
  const team = crypto.randomUUID();
  const token = await createToken(team);
  await getLedger(env, team).setToken(await getTokenId(team), { revoked: true });
  const refused = collect(gateway, token, website);
  await gateway.finishTrip('DB', 'RECORDS');
  await gateway.finishTrip('LEDGER', 'RECORDS');
  const response = await refused;
  expect(response.status).toBe(401);
  expect(await response.text()).not.toContain(website);
  await expectNothingInMemory(gateway, website);
});

it('a token of a deleted team asks for a cached record: no ledger grants it a call', async () => {
  const { website, gateway } = await createCachedCompany();
  const team = crypto.randomUUID();
  const token = await createToken(team);
  await env.DB.prepare('UPDATE teams SET deleted_at = 1 WHERE id = ?').bind(team).run();
  const refused = collect(gateway, token, website);
  await gateway.finishTrip('DB', 'RECORDS');
  expect((await refused).status).toBe(401);
  expect(gateway.listBindingCalls()).not.toContain('LEDGER.lease');
});

it('a token that has used its rate limit asks for a cached record: refused, and the record does not stay in memory', async () => {
  const { website, gateway } = await createCachedCompany();
  const team = crypto.randomUUID();
  const token = await createToken(team);
  const id = await getTokenId(team);
  const ledger = getLedger(env, team);
  await ledger.setToken(id, { ratePerMinute: 1 });
  // The start of a window, so that it does not end before the call.
  clock.now = Math.ceil(clock.now / 60_000) * 60_000;
  await ledger.lease(id, { calls: 1, usages: [] });
  await expectRefusedAfterTrips(gateway, token, website, 429);
});

it('a token without the family asks for a cached record: refused, and the record does not stay in memory', async () => {
  const { website, gateway } = await createCachedCompany();
  const token = await createToken(crypto.randomUUID(), { families: ['job_base'] });
  await expectRefusedAfterTrips(gateway, token, website, 403);
});

it('a record is erased while a caller waits for the ledger: what was read five seconds before is not used', async () => {
  const { website, gateway } = await createCachedCompany();
  const answer = collect(gateway, await createToken(crypto.randomUUID()), website);
  await gateway.finishTrip('DB', 'RECORDS');
  await expect.poll(() => gateway.trips.held).toEqual(['LEDGER', 'RECORDS']);
  gateway.trips.release('RECORDS');
  clock.now += 5_000;
  gateway.trips.release('LEDGER');
  await gateway.finishTrip('RECORDS');
  await gateway.finishTrip('RECORDS');
  expect((await answer).headers.get('x-cache')).toBe('hit');
});
