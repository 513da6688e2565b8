// Flights as others reach them: over RPC, with alarms, evictions and the real ledger, gate, KV and D1.
import { abortAllDurableObjects, listDurableObjectIds, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import { lookup } from '../../../../worker/gateway/lookup.ts';
import { clock } from '../../platform.ts';
import { buildWebsiteLookup, GatewayHarness } from '../harness.ts';

const company = (url: URL): Response => {
  const website = url.searchParams.get('website');
  const id = website?.replace(/\D/g, '') ?? url.pathname.split('/').at(-1);
  return Response.json({ id: Number(id), name: `a${id}.com`, websites_main: `a${id}.com` });
};

/** The flights of a house that are there. */
async function flightsOf({ identity }: GatewayHarness): Promise<ReturnType<Env['SINGLE_FLIGHT']['get']>[]> {
  const ids = await listDurableObjectIds(env.SINGLE_FLIGHT);
  const names = Array.from({ length: 64 }, (_, shard) => `${identity}:${shard}`);
  const known = new Set(ids.map(String));
  return names
    .filter((name) => known.has(String(env.SINGLE_FLIGHT.idFromName(name))))
    .map((name) => env.SINGLE_FLIGHT.getByName(name));
}

describe('a flight that ends in the middle', () => {
  it('writes to KV by its alarm what could not be written', async () => {
    const house = new GatewayHarness(company);
    house.kv.failing = 'put';
    await lookup(buildWebsiteLookup(['a1.com']), house.createContext());
    const flights = await flightsOf(house);
    await abortAllDurableObjects();
    delete house.kv.failing;
    for (const flight of flights) await runDurableObjectAlarm(flight);
    await expect.poll(() => house.listStoredKeys()).toHaveLength(2);
  });
});

describe('a write that comes late', () => {
  it('does not take the place of a younger answer', async () => {
    const house = new GatewayHarness(company);
    house.kv.failing = 'put';
    await lookup(buildWebsiteLookup(['a1.com']), house.createContext());
    const late = await flightsOf(house);
    clock.now += 10_000;
    delete house.kv.failing;
    const since = clock.now;
    const again = { family: 'company_clean', by: 'id', keys: ['1'], max_age_s: 0 } as const;
    await lookup({ ...again, keys: ['1'] }, house.createContext());
    const place = `record:${house.identity}:company_clean:id:1`;
    await expect.poll(() => env.RECORDS.get(place)).not.toBeNull();
    for (const flight of late) await runDurableObjectAlarm(flight);
    await expect.poll(() => house.listStoredKeys()).toHaveLength(2);
    const stored = await env.RECORDS.get<{ fetched_at: number }>(place, 'json');
    expect(stored?.fetched_at).toBeGreaterThanOrEqual(since);
  });
});
