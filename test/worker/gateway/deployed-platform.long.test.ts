// The gateway under the limits of the deployed platform: KV shows writes late and takes one write per second and key.
import { listDurableObjectIds, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { erase } from '../../../worker/privacy/erase.ts';
import {
  buildCompanyResponse,
  buildTeamRequest,
  createGateway,
  type Gateway,
  type ProviderScript,
} from '../harness.ts';
import { clock, rateViolations, testPlatform } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';
import { buildWebsiteLookup } from './harness.ts';

/** Longer than KV hides a write. */
const LAG_MS = 120_000;
const MINUTE_MS = 60_000;

const lookUp = async ({ lookup }: Gateway, website: string, request: Partial<LookupRequest> = {}) =>
  (await lookup(buildWebsiteLookup([website], request))).rows[0];
const fetchDropIn = ({ request }: Gateway, website: string): Promise<Response> =>
  request(`/cdapi/v2/company_clean/enrich?website=${website}`, { headers: { apikey: env.TEAM_TOKEN } });

it('repeats a KV write that was refused as the second one within a second', async () => {
  // Two keys of one record: two objects write it at the same time.
  const gateway = createGateway(() => Response.json({ id: 4711, name: 'Acme' }));
  const lookUpBoth = () => gateway.lookup(buildWebsiteLookup(['acme.com', 'acme.example']));
  await lookUpBoth();
  await expect.poll(() => rateViolations.length).toBeGreaterThan(0);
  clock.now += 10_000;
  const objects = await listDurableObjectIds(env.SINGLE_FLIGHT);
  await Promise.all(objects.map((id) => runDurableObjectAlarm(env.SINGLE_FLIGHT.get(id))));
  await expect.poll(() => gateway.kv.writes).toBeGreaterThanOrEqual(5);
  clock.now += 11 * MINUTE_MS;
  const { rows } = await lookUpBoth();
  expect(rows.map(({ status }) => status)).toEqual(['hit', 'hit']);
  expect(gateway.requestedKeys).toHaveLength(2);
});

it('answers hits without any call of a binding, once the isolate has a lease', async () => {
  const gateway = createGateway(buildCompanyResponse);
  const keys = Array.from({ length: 20 }, (_, at) => `shop${at + 1}.com`);
  const lookUpAll = () => gateway.lookup(buildWebsiteLookup(keys));
  await lookUpAll();
  await expect.poll(() => gateway.kv.writes).toBe(40);
  await lookUpAll();
  const before = gateway.listBindingCalls();
  expect(before).toEqual(expect.arrayContaining(['LEDGER.lease', 'RECORDS.get']));
  const { rows } = await lookUpAll();
  expect(rows.every(({ status }) => status === 'hit')).toBe(true);
  expect((await lookUp(gateway, 'shop7.com'))?.status).toBe('hit');
  expect((await fetchDropIn(gateway, 'shop8.com')).headers.get('x-cache')).toBe('hit');
  expect(gateway.listBindingCalls().slice(before.length)).toEqual([]);
});

describe('while KV hides writes from another location', () => {
  let pairs = 0;
  /** Two isolates in different locations. */
  function createPair(script: ProviderScript) {
    const identity = `pair-${pairs++}`;
    const runtime = new StrictRuntime({ clock: () => clock.now, lagMs: LAG_MS });
    const here = createGateway(script, identity, { runtime, location: 'here' });
    const there = createGateway(script, identity, { runtime, location: 'there' });
    return { here, there, countCalls: () => here.requestedKeys.length + there.requestedKeys.length };
  }
  const respondWithPage = (items: unknown[]) => () =>
    Response.json(items, { headers: { 'x-total-results': '1', 'x-total-pages': '1' } });
  const respondNotFound = () => Response.json({ detail: 'Company not found' }, { status: 404 });
  const query = (path: string) => async (gateway: Gateway) => {
    const response = await gateway.request(path, buildTeamRequest({ family: 'company_clean', text: 'acme' }));
    return [response.status, (await response.text()).includes('4711')];
  };

  it.each<[string, number, ProviderScript, (gateway: Gateway) => Promise<unknown>]>([
    ['a lookup', 1, buildCompanyResponse, async (gateway) => (await lookUp(gateway, 'a1.com'))?.record],
    [
      'a drop-in record',
      1,
      buildCompanyResponse,
      async (gateway) => (await fetchDropIn(gateway, 'a1.com')).json(),
    ],
    [
      'a missing record',
      1,
      respondNotFound,
      async (gateway) => (await fetchDropIn(gateway, 'a1.com')).status,
    ],
    ['a search', 1, respondWithPage([4711]), query('/sheets/v1/search')],
    // Its total comes from a search, which is free.
    ['a preview', 2, respondWithPage([{ id: 4711, name: 'Acme' }]), query('/sheets/v1/preview')],
  ])('%s is bought once and the same everywhere', async (_, calls, script, fetch) => {
    const { here, there, countCalls } = createPair(script);
    const first = await fetch(here);
    expect(await fetch(there)).toEqual(first);
    // The memory of the isolates has expired, and KV still hides the writes.
    clock.now += MINUTE_MS + 1;
    expect([await fetch(there), await fetch(here)]).toEqual([first, first]);
    clock.now += LAG_MS;
    expect(await fetch(there)).toEqual(first);
    expect(countCalls()).toBe(calls);
  });

  it('a refreshed record is not bought again where the old one is still visible', async () => {
    const { here, there, countCalls } = createPair(buildCompanyResponse);
    const young = { max_age_s: 3600 };
    await lookUp(here, 'a1.com', young);
    await expect.poll(() => there.kv.writes + here.kv.writes).toBe(2);
    clock.now += 2 * 3_600_000;
    expect((await lookUp(there, 'a1.com'))?.status).toBe('hit');
    expect((await lookUp(here, 'a1.com', young))?.status).toBe('fetched');
    expect((await lookUp(there, 'a1.com', young))?.status).toBe('hit');
    expect(countCalls()).toBe(2);
  });
});

it('forgets an erased record in every isolate within a minute, and does not buy it again', async () => {
  const identity = 'erased';
  const gateway = createGateway(buildCompanyResponse, identity);
  await fetchDropIn(gateway, 'a1.com');
  expect((await fetchDropIn(gateway, 'a1.com')).headers.get('x-cache')).toBe('hit');
  // Another isolate erases it.
  const { now, sleep } = testPlatform;
  const context = { env, identity, now, sleep, evict: () => {} };
  await erase({ family: 'company_clean', kind: 'website', value: 'a1.com' }, context);
  clock.now += MINUTE_MS;
  expect((await fetchDropIn(gateway, 'a1.com')).status).toBe(410);
  expect((await lookUp(gateway, 'a1.com'))?.problem).toBe('erased');
  expect(gateway.requestedKeys).toEqual(['a1.com']);
});
