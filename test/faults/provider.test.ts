// The scripted provider: it answers as the service does, its faults do what they say, and it counts everything.
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { faultKinds, REDIRECTED } from './provider/faults.ts';
import { type Provider, type ProviderOptions, startProvider } from './provider/provider.ts';

const apiKey = 'the provider key of these tests';
const running: Provider[] = [];

async function provider(options: Partial<ProviderOptions> = {}): Promise<Provider> {
  const started = await startProvider({ apiKey, ...options });
  running.push(started);
  return started;
}

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

const enrich = ({ baseUrl }: Provider, website: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${baseUrl}/v2/company_clean/enrich?website=${encodeURIComponent(website)}`, {
    headers: { apikey: apiKey },
    ...init,
  });

/** A response as it comes over the wire. */
const raw = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { apikey: apiKey } }, resolve).once('error', reject);
  });

const collect = ({ baseUrl }: Provider, path: string): Promise<Response> =>
  fetch(`${baseUrl}/v2/${path}`, { headers: { apikey: apiKey } });

describe('a record', () => {
  it('is there for any key, the same each time, and is charged each time', async () => {
    const one = await provider({ balance: 100 });
    const [first, second] = [await enrich(one, 'a.example'), await enrich(one, 'a.example')];
    expect(first.status).toBe(200);
    expect(first.headers.get('x-credits-remaining')).toBe('90');
    expect(second.headers.get('x-credits-remaining')).toBe('80');
    const record = await first.json();
    expect(record).toMatchObject({ id: expect.any(Number), websites_main: 'a.example' });
    expect(await second.json()).toEqual(record);
    expect(one.count('a.example')).toBe(2);
    expect(one.credits('a.example')).toBe(20);
  });

  it.each([
    ['company_base/collect/4711', 4711, 10],
    ['employee_clean/collect/jane%20doe', expect.any(Number), 10],
    ['employee_multi_source/collect/7', 7, 20],
    ['job_base/collect/8', 8, 1],
  ])('of %s has its id and its price', async (path, id, credits) => {
    const one = await provider();
    expect(await (await collect(one, path)).json()).toMatchObject({ id });
    expect(one.credits()).toBe(credits);
  });

  it('of another key is another one', async () => {
    const one = await provider();
    const [a, b] = [
      await (await enrich(one, 'a.example')).json(),
      await (await enrich(one, 'b.example')).json(),
    ];
    expect(a).not.toEqual(b);
  });

  it('is missing where its key says so, which is free', async () => {
    const one = await provider();
    const response = await collect(one, 'employee_clean/collect/missing-jane');
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: 'Member not found' });
    expect([one.count('missing-jane'), one.credits()]).toEqual([1, 0]);
  });
});

describe('a call that is refused', () => {
  it.each([
    [{}, { message: 'No API key found in request' }],
    [{ apikey: 'another' }, { message: 'Unauthorized' }],
  ])('for its key (%o) is no call of a record', async (headers, body) => {
    const one = await provider();
    const response = await enrich(one, 'a.example', { headers });
    expect([response.status, await response.json()]).toEqual([401, body]);
    expect(one.calls).toEqual([]);
  });

  it.each(['company_clean/collect/', 'nothing/collect/1', 'company_clean/enrich'])(
    'for its path (%s) hears so as plain text',
    async (path) => {
      const response = await collect(await provider(), path);
      expect([response.status, await response.text()]).toEqual([404, '404 page not found']);
    },
  );

  it('for want of credits is free', async () => {
    const one = await provider({ balance: 15 });
    await enrich(one, 'a.example');
    const response = await enrich(one, 'b.example');
    expect([response.status, await response.json()]).toEqual([402, { detail: 'Insufficient credits' }]);
    expect(one.credits()).toBe(10);
  });

  it('for coming too fast is free, and the next second takes calls again', async () => {
    const clock = { now: 5000 };
    const one = await provider({ perS: 2, now: () => clock.now });
    const statuses: number[] = [];
    const remaining: (string | null)[] = [];
    for (const at of [5000, 5100, 5999, 6000]) {
      clock.now = at;
      const response = await enrich(one, 'a.example');
      statuses.push(response.status);
      remaining.push(response.headers.get('x-ratelimit-remaining-second'));
      expect(response.headers.get('x-ratelimit-limit-second')).toBe('2');
    }
    expect(statuses).toEqual([200, 200, 429, 200]);
    expect(remaining).toEqual(['1', '0', '0', '1']);
    expect([one.count(), one.credits()]).toEqual([3, 30]);
  });
});

describe('a fault', () => {
  it.each([
    ['server_error', 500, 'text/plain'],
    ['unavailable', 503, 'text/html'],
    ['storm', 429, 'application/json'],
  ] as const)('%s answers %i and charges nothing', async (kind, status, type) => {
    const one = await provider();
    one.fail({ kind });
    const response = await enrich(one, 'a.example');
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
    expect(one.credits()).toBe(0);
  });

  it('cut_body promises more than comes', async () => {
    const one = await provider();
    one.fail({ kind: 'cut_body' });
    const response = await enrich(one, 'a.example');
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(200);
    await expect(response.text()).rejects.toThrow();
    expect(one.credits()).toBe(10);
  });

  it('broken_json is a whole answer that can not be read', async () => {
    const one = await provider();
    one.fail({ kind: 'broken_json' });
    const text = await (await enrich(one, 'a.example')).text();
    expect(text).toMatch(/^\{"id":/);
    expect(() => JSON.parse(text)).toThrow();
    expect(one.credits()).toBe(10);
  });

  it('cut_gzip is the first half of what was packed', async () => {
    const one = await provider();
    one.fail({ kind: 'cut_gzip' });
    const response = await raw(`${one.baseUrl}/v2/company_clean/enrich?website=a.example`);
    expect(response.headers['content-encoding']).toBe('gzip');
    const packed = await buffer(response);
    expect(packed.subarray(0, 2).toString('hex')).toBe('1f8b');
    expect(() => gunzipSync(packed)).toThrow('unexpected end of file');
    expect(one.credits()).toBe(10);
  });

  it('wrong_type is a page where a record was asked', async () => {
    const one = await provider();
    one.fail({ kind: 'wrong_type' });
    const response = await enrich(one, 'a.example');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html']);
    expect(await response.text()).toMatch(/^<html>/);
    expect(one.credits()).toBe(10);
  });

  it('redirect leads to another record of the provider', async () => {
    const one = await provider();
    one.fail({ kind: 'redirect', times: 1 });
    expect(await (await enrich(one, 'a.example')).json()).toMatchObject({ websites_main: REDIRECTED });
    expect([one.credits('a.example'), one.credits(REDIRECTED)]).toEqual([0, 10]);
  });

  it('huge is a readable answer of 24 MB', async () => {
    const one = await provider();
    one.fail({ kind: 'huge' });
    expect((await (await enrich(one, 'a.example')).arrayBuffer()).byteLength).toBeGreaterThan(
      24 * 1024 * 1024,
    );
    expect(one.credits()).toBe(10);
  });

  it('reset ends the connection before an answer', async () => {
    const one = await provider();
    one.fail({ kind: 'reset' });
    await expect(enrich(one, 'a.example')).rejects.toThrow();
    expect(one.credits()).toBe(10);
  });

  it('hang never answers, and is over when the caller goes', async () => {
    const one = await provider();
    one.fail({ kind: 'hang' });
    const caller = new AbortController();
    const call = enrich(one, 'a.example', { signal: caller.signal });
    await expect.poll(() => one.count()).toBe(1);
    expect(one.open()).toBe(1);
    caller.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => one.open()).toBe(0);
    expect(one.credits()).toBe(10);
  });

  it.each(faultKinds)('%s charges what the test says', async (kind) => {
    const one = await provider();
    const caller = new AbortController();
    for (const charged of [true, false]) {
      one.fail({ kind, charged, times: 1 });
      const call = enrich(one, 'a.example', { signal: caller.signal, redirect: 'manual' }).catch(() => {});
      await expect.poll(() => one.calls.length).toBe(charged ? 1 : 2);
      expect(one.credits()).toBe(10);
      if (kind !== 'hang') await call;
    }
    caller.abort();
  });

  it('happens to the keys, as often and to the share of calls that were named', async () => {
    const one = await provider();
    const statuses = async (count: number, key: string): Promise<number[]> => {
      const list: number[] = [];
      for (let left = count; left > 0; left -= 1) list.push((await enrich(one, key)).status);
      return list;
    };
    one.fail(
      { kind: 'server_error', keys: ['a.example'], times: 2 },
      { kind: 'unavailable', keys: ['b.example'] },
    );
    expect(await statuses(3, 'a.example')).toEqual([500, 500, 200]);
    expect(await statuses(2, 'b.example')).toEqual([503, 503]);
    expect(await statuses(1, 'c.example')).toEqual([200]);
    one.fail({ kind: 'server_error', share: 0.5 });
    const half = await statuses(40, 'a.example');
    expect(half.filter((status) => status === 500)).toHaveLength(20);
    one.fail();
    expect(await statuses(2, 'a.example')).toEqual([200, 200]);
  });
});

describe('the answers', () => {
  it('take as long and are as long as the test says', async () => {
    const one = await provider({ latencyMs: 150, recordBytes: 90_000 });
    const start = performance.now();
    const text = await (await enrich(one, 'a.example')).text();
    expect(performance.now() - start).toBeGreaterThanOrEqual(140);
    expect(text.length).toBeGreaterThan(90_000);
  });

  it('are counted when the call comes, though its caller goes before', async () => {
    const one = await provider({ latencyMs: 10_000 });
    const caller = new AbortController();
    const call = enrich(one, 'a.example', { signal: caller.signal });
    await expect.poll(() => one.credits()).toBe(10);
    caller.abort();
    await expect(call).rejects.toThrow();
  });
});
