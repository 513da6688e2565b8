// Single-flight objects over RPC: shards, retries of the client, and alarms.
import { abortAllDurableObjects, listDurableObjectIds, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import { toRecord } from '../../../../worker/gateway/cache/content.ts';
import { encodeEnvelope } from '../../../../worker/gateway/cache/envelope.ts';
import { lookup } from '../../../../worker/gateway/lookup.ts';
import { fetchCalls, shards } from '../../../../worker/gateway/single-flight/client.ts';
import type {
  SingleFlightRequest,
  SingleFlightResponse,
} from '../../../../worker/gateway/single-flight/types.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { clock } from '../../platform.ts';
import { buildWebsiteLookup, GatewayHarness } from '../harness.ts';
import { buildPayer, enrichCall, IDENTITY } from './builders.ts';

describe('the client', () => {
  /** Objects that answer as a test says; records the calls of each request. */
  function fakeObjects(answer: (object: string, request: SingleFlightRequest) => SingleFlightResponse) {
    const requests: { object: string; names: string[] }[] = [];
    const getByName = (object: string) => ({
      fetchCalls: async (request: SingleFlightRequest) => {
        requests.push({ object, names: request.calls.map(({ name }) => name) });
        return answer(object, request);
      },
    });
    const SINGLE_FLIGHT = new Proxy(env.SINGLE_FLIGHT, {
      get: (target, name) => (name === 'getByName' ? getByName : Reflect.get(target, name)),
    });
    return { env: { ...env, SINGLE_FLIGHT }, requests };
  }

  const request: SingleFlightRequest = {
    identity: IDENTITY,
    calls: Array.from({ length: 1000 }, (_, at) => enrichCall(`a${at}.com`)),
    payer: buildPayer('team'),
    lane: 'formula',
    waitMs: 0,
    background: false,
  };
  const answerUnknown = ({ calls }: SingleFlightRequest): SingleFlightResponse => ({
    rows: calls.map(({ name }) => ({ name, outcome: 'unknown', credits: 0 })),
  });

  it('sends a thousand calls to all objects, evenly and each call once', async () => {
    const objects = fakeObjects((_object, each) => answerUnknown(each));
    expect((await fetchCalls(objects.env, request)).size).toBe(1000);
    expect(objects.requests.length).toBe(shards.length);
    expect(new Set(objects.requests.map(({ object }) => object)).size).toBe(objects.requests.length);
    expect(objects.requests.flatMap(({ names }) => names)).toHaveLength(1000);
    expect(Math.max(...objects.requests.map(({ names }) => names.length))).toBeLessThan(
      4 * (1000 / shards.length),
    );
  });

  it('fails the calls of an object that was lost twice, and returns the others', async () => {
    const lines = captureErrorLog();
    let lost: string | undefined;
    const objects = fakeObjects((object, each) => {
      lost ??= object;
      if (object === lost) throw new Error('The object was evicted.');
      return answerUnknown(each);
    });
    const results = await fetchCalls(objects.env, request);
    const attempts = objects.requests.filter(({ object }) => object === lost);
    expect(attempts).toHaveLength(2);
    const names = attempts[0]?.names ?? [];
    for (const name of names) {
      const failed = { name, outcome: 'failed', credits: 0, problem: 'gateway_unavailable' };
      expect(results.get(name)).toEqual(failed);
    }
    const unknown = [...results.values()].filter(({ outcome }) => outcome === 'unknown');
    expect(unknown).toHaveLength(1000 - names.length);
    expect(lines).toMatchObject([1, 2].map((attempt) => ({ event: 'single_flight_unreachable', attempt })));
  });
});

describe('the alarm', () => {
  const respond = (url: URL): Response => {
    const id = url.searchParams.get('website')?.replace(/\D/g, '') ?? url.pathname.split('/').at(-1);
    return Response.json({ id: Number(id), name: `a${id}.com`, websites_main: `a${id}.com` });
  };

  /** Fetches a company while KV is down. @returns the objects that could not write it */
  async function fetchUnwritten(gateway: GatewayHarness): Promise<ReturnType<Env['SINGLE_FLIGHT']['get']>[]> {
    gateway.kv.failing = 'put';
    await lookup(buildWebsiteLookup(['a1.com']), gateway.createContext());
    const ids = new Set((await listDurableObjectIds(env.SINGLE_FLIGHT)).map(String));
    return shards
      .map((shard) => `${gateway.identity}:${shard}`)
      .filter((name) => ids.has(String(env.SINGLE_FLIGHT.idFromName(name))))
      .map((name) => env.SINGLE_FLIGHT.getByName(name));
  }

  it('writes answers to KV that could not be written before a restart', async () => {
    const gateway = new GatewayHarness(respond);
    const objects = await fetchUnwritten(gateway);
    await abortAllDurableObjects();
    delete gateway.kv.failing;
    for (const object of objects) await runDurableObjectAlarm(object);
    await expect.poll(() => gateway.listStoredKeys()).toHaveLength(2);
  });

  it('does not overwrite a younger answer', async () => {
    const gateway = new GatewayHarness(respond);
    const objects = await fetchUnwritten(gateway);
    clock.now += 10_000;
    const kvKey = `record:${gateway.identity}:company_clean:id:1`;
    const younger = encodeEnvelope({
      content: toRecord({ id: 1, name: 'a1.com' }),
      fetchedAt: clock.now,
      freshUntil: clock.now + 60_000,
      keepUntil: clock.now + 120_000,
    });
    // Not by a lookup: an alarm that is due before its write would write the older answer first.
    await env.RECORDS.put(kvKey, younger);
    delete gateway.kv.failing;
    for (const object of objects) await runDurableObjectAlarm(object);
    await expect.poll(() => gateway.listStoredKeys()).toHaveLength(2);
    expect(await env.RECORDS.get(kvKey)).toBe(younger);
  });
});
