// What a request for one record uses. A hot path that gets slower does more of something, which these counts show.
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { generateToken } from '../../../shared/tokens.ts';
import { ensureTeam } from '../../../worker/gateway/auth/tokens.ts';
import { readConfiguredUpstream } from '../../../worker/gateway/upstream/configured-upstream.ts';
import { MeteredGateway, PURCHASE_POLLS } from '../operations/metered-gateway.ts';
import { metering } from '../platform.ts';
import { createToken } from '../routes/sheets/callers.ts';
import { type ColdGateway, cacheCompanies, createWebsites, toCompanyId } from './cold-gateway.ts';

/** A deployment has a provider, and its log omits cache hits. */
const DEPLOYED = {
  CDAPI_BASE_URL: 'https://api.provider.example/cdapi',
  CDAPI_KEY: 'key',
  REQUEST_LOG: 'notable',
};

const PROFILES = 'https://www.professional-network.example/company/';

/** So many purchases call every single-flight object. */
const WARM_UP_PURCHASES = 40;

/** The least of them counts: an alarm of an earlier purchase may fall into one. */
const COUNTED_PURCHASES = 3;

/** Two more than counted: an object sets its alarm now and then. */
const MAX_ROWS = { written: 14, read: 9 };

/** Functions that cost a noticeable part of a cache hit. */
const watchedFunctions = {
  readHeader: () => vi.spyOn(Headers.prototype, 'get'),
  setHeader: () => vi.spyOn(Headers.prototype, 'set'),
  parseJson: () => vi.spyOn(JSON, 'parse'),
  writeJson: () => vi.spyOn(JSON, 'stringify'),
  createId: () => vi.spyOn(crypto, 'randomUUID'),
  hash: () => vi.spyOn(crypto.subtle, 'digest'),
  readClock: () => vi.spyOn(Date, 'now'),
} as const;

/** Counts the calls of the watched functions, and the turns of the microtask queue until an action has ended. */
async function countWork(action: () => Promise<unknown>): Promise<Record<string, number>> {
  const spies = Object.entries(watchedFunctions).map(([name, watch]) => [name, watch()] as const);
  let turns = 0;
  let hasEnded = false;
  const countTurn = (): void => {
    if (hasEnded) return;
    turns += 1;
    queueMicrotask(countTurn);
  };
  const result = action();
  queueMicrotask(countTurn);
  await result;
  hasEnded = true;
  const counts = spies.map(([name, { mock }]) => [name, mock.calls.length]);
  vi.restoreAllMocks();
  return { ...Object.fromEntries(counts), turns };
}

const collect = ({ request }: ColdGateway, token: string, website: string): Promise<Response> =>
  request(`/cdapi/v2/company_clean/collect/${toCompanyId(website)}`, { headers: { apikey: token } });

/** Creates an isolate that knows a token and has a lease, and caches nothing else. */
async function createWarmIsolate(websites: string[]): Promise<{ gateway: ColdGateway; token: string }> {
  const [first = '', ...others] = websites;
  const provider = await readConfiguredUpstream({ ...env, ...DEPLOYED });
  const gateway = (await cacheCompanies([first, ...others], provider?.identity))(DEPLOYED);
  const token = await createToken(crypto.randomUUID());
  const response = collect(gateway, token, first);
  await gateway.finishTrip('DB');
  await gateway.finishTrip('LEDGER', 'RECORDS');
  expect((await response).status).toBe(200);
  return { gateway, token };
}

describe('a cached record', () => {
  it('in memory needs no binding, and little work', async () => {
    const websites = createWebsites(1);
    const { gateway, token } = await createWarmIsolate(websites);
    const [website = ''] = websites;
    const before = gateway.listBindingCalls().length;
    let response = Response.error();
    const hit = async (): Promise<void> => {
      response = await collect(gateway, token, website);
    };
    await hit();
    const work = await countWork(hit);
    expect(response.headers.get('x-cache')).toBe('hit');
    expect(work).toEqual({
      readHeader: 3,
      // Age, two ids, and the rest of the rate limit. A hit that takes no time has no timing.
      setHeader: response.headers.has('server-timing') ? 5 : 4,
      parseJson: 0,
      writeJson: 0,
      createId: 1,
      hash: 0,
      readClock: 9,
      turns: 2,
    });
    expect(gateway.listBindingCalls()).toHaveLength(before);
  });

  it('in KV needs one read', async () => {
    const websites = createWebsites(2);
    const { gateway, token } = await createWarmIsolate(websites);
    const before = gateway.listBindingCalls().length;
    const response = collect(gateway, token, websites[1] ?? '');
    await gateway.finishTrip('RECORDS');
    expect((await response).headers.get('x-cache')).toBe('hit');
    expect(gateway.listBindingCalls().slice(before)).toEqual(['RECORDS.get']);
  });
});

describe('a purchase', () => {
  afterEach(() => {
    delete metering.current;
  });

  it('needs these calls and rows', async () => {
    const gateway = new MeteredGateway(({ url }) => {
      const id = Number(url.split('/').at(-1));
      return Response.json({ id, websites_professional_network: `${PROFILES}company-${id}` });
    });
    const team = crypto.randomUUID();
    const token = generateToken((length) => crypto.getRandomValues(new Uint8Array(length)));
    const limits = { caps: { day: null, month: null }, ratePerMinute: 100_000 };
    await ensureTeam(env, { id: team, name: team }, token, limits, 0);
    const buy = (key: number): Promise<Response> =>
      gateway.request(`/cdapi/v2/company_clean/collect/${key}`, { headers: { apikey: token } });
    // The first ones create the objects with their tables, and the rows of the day.
    await gateway.count(async () => {
      for (let key = 1; key <= WARM_UP_PURCHASES; key += 1) await buy(key);
    }, PURCHASE_POLLS);
    const counts: Record<string, number>[] = [];
    for (let key = 1; key <= COUNTED_PURCHASES; key += 1)
      counts.push(await gateway.count(() => buy(WARM_UP_PURCHASES + key), PURCHASE_POLLS));
    const least = (name: string): number => Math.min(...counts.map((each) => each[name] ?? 0));
    const { object_rows_read, object_rows_written, ...calls } = Object.fromEntries(
      Object.keys(counts[0] ?? {}).map((name) => [name, least(name)]),
    );
    expect(calls).toEqual({
      requests: 1,
      subrequests: 10,
      kv_reads: 1,
      // The record and its shorthand name.
      kv_writes: 2,
      // Reservation, settlement, usage.
      'object_requests.LEDGER': 3,
      // Permit, report.
      'object_requests.PROVIDER_THROTTLE': 2,
      // The purchase, and its publication to the object of the shorthand name.
      'object_requests.SINGLE_FLIGHT': 2,
    });
    expect(object_rows_written).toBeLessThanOrEqual(MAX_ROWS.written);
    expect(object_rows_read).toBeLessThanOrEqual(MAX_ROWS.read);
  });
});
