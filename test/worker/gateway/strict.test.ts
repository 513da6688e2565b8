// The gateway on the platform as it is deployed: a hit touches nothing, and while KV hides what was written elsewhere and
// takes one write a second for a place, every surface answers the same and nothing is bought twice.
import { listDurableObjectIds, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { systemPlatform } from '../../../worker/gateway/platform.ts';
import { erase } from '../../../worker/privacy/erase.ts';
import {
  buildCompanyResponse,
  buildTeamRequest,
  createGateway,
  type Gateway,
  type ProviderScript,
} from '../harness.ts';
import { clock, kvRateViolations } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';

/** How long KV may hide a write, and then some. */
const LAG_MS = 120_000;
const MINUTE_MS = 60_000;

const websites = (...keys: string[]): LookupRequest => ({
  family: 'company_clean',
  by: 'website',
  keys,
  fields: ['name'],
});
const dropIn = ({ request }: Gateway, website: string): Promise<Response> =>
  request(`/cdapi/v2/company_clean/enrich?website=${website}`, { headers: { apikey: env.TEAM_TOKEN } });

describe('a hit', () => {
  it('touches no object and no binding once a lease is held: one record or many, on both surfaces', async () => {
    const one = createGateway(buildCompanyResponse);
    const keys = Array.from({ length: 120 }, (_, at) => `shop${at + 1}.com`);
    await one.lookup(websites(...keys));
    await expect.poll(() => one.kv.writes).toBe(240);
    await one.lookup(websites(...keys));
    const before = one.listBindingCalls();
    expect(before).toContain('LEDGER.lease');
    expect(before).toContain('RECORDS.get');
    for (const _ of ['first', 'second']) {
      const { rows } = await one.lookup(websites(...keys));
      expect(rows.every(({ status }) => status === 'hit')).toBe(true);
      expect((await one.lookup(websites('shop7.com'))).rows[0]?.status).toBe('hit');
      expect((await dropIn(one, 'shop8.com')).headers.get('x-cache')).toBe('hit');
    }
    expect(one.listBindingCalls().slice(before.length)).toEqual([]);
  });
});

describe('while KV hides in one place what was written in another', () => {
  let worlds = 0;
  /** Two isolates far apart. */
  function apart(script: ProviderScript): [here: Gateway, there: Gateway, asked: () => number] {
    const identity = `apart-${worlds++}`;
    const world = new StrictRuntime({ clock: () => clock.now, lagMs: LAG_MS });
    const here = createGateway(script, identity, { runtime: world, location: 'here' });
    const there = createGateway(script, identity, { runtime: world, location: 'there' });
    return [here, there, () => here.requestedKeys.length + there.requestedKeys.length];
  }
  const page = (answer: unknown[]): ProviderScript => {
    return () => Response.json(answer, { headers: { 'x-total-results': '1', 'x-total-pages': '1' } });
  };
  const query = (path: string) => async (one: Gateway) => {
    const response = await one.request(path, buildTeamRequest({ family: 'company_clean', text: 'acme' }));
    return [response.status, (await response.text()).includes('4711')];
  };

  it.each<[string, number, ProviderScript, (one: Gateway) => Promise<unknown>]>([
    [
      'a batch',
      1,
      buildCompanyResponse,
      async ({ lookup }) => (await lookup(websites('a1.com'))).rows[0]?.record,
    ],
    [
      'a record of the drop-in surface',
      1,
      buildCompanyResponse,
      async (one) => (await dropIn(one, 'a1.com')).json(),
    ],
    [
      'that there is no record',
      1,
      () => Response.json({ detail: 'Company not found' }, { status: 404 }),
      async (one) => (await dropIn(one, 'a1.com')).status,
    ],
    ['a search', 1, page([4711]), query('/sheets/v1/search')],
    // Its total comes from a search, which is free.
    ['a preview', 2, page([{ id: 4711, name: 'Acme' }]), query('/sheets/v1/preview')],
  ])('%s is bought once, and answered the same everywhere', async (_, calls, script, ask) => {
    const [here, there, asked] = apart(script);
    const first = await ask(here);
    expect(await ask(there)).toEqual(first);
    // Past the memory of isolates, before KV shows it.
    clock.now += MINUTE_MS + 1;
    expect(await ask(there)).toEqual(first);
    expect(await ask(here)).toEqual(first);
    clock.now += LAG_MS;
    expect(await ask(there)).toEqual(first);
    expect(asked()).toBe(calls);
  });

  it('a record that was bought again is not bought a third time where the old one is still seen', async () => {
    const [here, there, asked] = apart(buildCompanyResponse);
    const young = { ...websites('a1.com'), max_age_s: 3600 };
    await here.lookup(young);
    await expect.poll(() => there.kv.writes).toBe(2);
    clock.now += 2 * 3_600_000;
    expect((await there.lookup(websites('a1.com'))).rows[0]?.status).toBe('hit');
    expect((await here.lookup(young)).rows[0]?.status).toBe('fetched');
    expect((await there.lookup(young)).rows[0]?.status).toBe('hit');
    expect(asked()).toBe(2);
  });
});

it('a place that KV takes no second write for within a second is written later', async () => {
  // Two keys, one record: two flights write its place at once.
  const one = createGateway(() => Response.json({ id: 4711, name: 'Acme' }), 'one-place');
  await one.lookup(websites('acme.com', 'acme.example'));
  // Flights of tests before may still write, too.
  await expect.poll(() => kvRateViolations.length).toBeGreaterThan(0);
  clock.now += 10_000;
  // Those of all that ran before, too.
  const flights = await listDurableObjectIds(env.SINGLE_FLIGHT);
  await Promise.all(flights.map((id) => runDurableObjectAlarm(env.SINGLE_FLIGHT.get(id))));
  await expect.poll(() => one.kv.writes).toBeGreaterThanOrEqual(5);
  clock.now += 11 * MINUTE_MS;
  const { rows } = await one.lookup(websites('acme.com', 'acme.example'));
  expect(rows.map(({ status }) => status)).toEqual(['hit', 'hit']);
  expect(one.requestedKeys).toHaveLength(2);
}, 120_000);

it('who was erased is gone from the memory of every isolate within a minute, and is not bought again', async () => {
  const one = createGateway(buildCompanyResponse, 'erased');
  await dropIn(one, 'a1.com');
  expect((await dropIn(one, 'a1.com')).headers.get('x-cache')).toBe('hit');
  // By another isolate, which can't tell this one.
  const context = {
    ...systemPlatform,
    now: () => clock.now,
    newId: () => crypto.randomUUID(),
    evict: () => {},
  };
  await erase(
    { family: 'company_clean', kind: 'website', value: 'a1.com' },
    { ...context, env, identity: 'erased' },
  );
  clock.now += MINUTE_MS;
  expect((await dropIn(one, 'a1.com')).status).toBe(410);
  expect((await one.lookup(websites('a1.com'))).rows[0]?.problem).toBe('erased');
  expect(one.requestedKeys).toEqual(['a1.com']);
});
