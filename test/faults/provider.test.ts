// The scripted provider: it answers as the service does, its faults do what they say, and it counts everything.
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { type FaultKind, faultKinds, REDIRECTED } from './provider/faults.ts';
import { type Provider, type ProviderOptions, startProvider } from './provider/provider.ts';

const apiKey = 'the provider key of these tests';

async function provider(options: Partial<ProviderOptions> = {}): Promise<Provider> {
  const started = await startProvider({ apiKey, ...options });
  onTestFinished(started.close);
  return started;
}

const ask = ({ baseUrl }: Provider, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${baseUrl}/v2/${path}`, { headers: { apikey: apiKey }, ...init });
const enrich = (one: Provider, website: string, init?: RequestInit): Promise<Response> =>
  ask(one, `company_clean/enrich?website=${website}`, init);

it('a record is there for any key, the same each time, and is charged each time', async () => {
  const one = await provider({ balance: 100, recordBytes: 90_000 });
  const [first, second] = [await enrich(one, 'a.example'), await enrich(one, 'a.example')];
  expect([first, second].map(({ headers }) => headers.get('x-credits-remaining'))).toEqual(['90', '80']);
  const record = await first.text();
  expect(record.length).toBeGreaterThan(90_000);
  expect(JSON.parse(record)).toMatchObject({ id: expect.any(Number), websites_main: 'a.example' });
  expect(await second.text()).toBe(record);
  expect([one.count('a.example'), one.credits('a.example')]).toEqual([2, 20]);
  for (const [path, credits] of [
    ['company_base/collect/4711', 10],
    ['employee_multi_source/collect/4711', 20],
    ['job_base/collect/4711', 1],
  ] as const) {
    const before = one.credits();
    expect(await (await ask(one, path)).json()).toMatchObject({ id: 4711 });
    expect(one.credits() - before).toBe(credits);
  }
});

it('calls without the key, of no record or without credits are free', async () => {
  const one = await provider({ balance: 15 });
  expect((await enrich(one, 'a.example', { headers: { apikey: 'another' } })).status).toBe(401);
  expect(one.calls).toEqual([]);
  const missing = await ask(one, 'employee_clean/collect/missing-jane');
  expect([missing.status, await missing.json()]).toEqual([404, { detail: 'Member not found' }]);
  expect((await ask(one, 'nothing/collect/1')).status).toBe(404);
  await enrich(one, 'a.example');
  expect((await enrich(one, 'b.example')).status).toBe(402);
  expect(one.credits()).toBe(10);
});

it('calls that come too fast are free, and the next second takes calls again', async () => {
  const clock = { now: 5000 };
  const one = await provider({ perS: 2, now: () => clock.now });
  const seen: string[] = [];
  for (const at of [5000, 5100, 5999, 6000]) {
    clock.now = at;
    const { status, headers } = await enrich(one, 'a.example');
    seen.push(`${status} ${headers.get('x-ratelimit-remaining-second')}`);
  }
  expect(seen).toEqual(['200 1', '200 0', '429 0', '200 1']);
  expect([one.count(), one.credits()]).toEqual([3, 30]);
});

/** What the caller of a call hears that meets a fault: a status, or what is wrong with a body that came. */
const heard: Readonly<Record<FaultKind, string | number>> = {
  server_error: 500,
  unavailable: 503,
  storm: 429,
  redirect: 302,
  reset: 'no answer',
  hang: 'no answer',
  cut_body: 'no JSON',
  cut_gzip: 'no JSON',
  broken_json: 'no JSON',
  wrong_type: 'no JSON',
  huge: 200,
};

it.each(faultKinds)('the fault %s is what it says, and is charged as the test says', async (kind) => {
  const one = await provider();
  const caller = new AbortController();
  for (const charged of [true, false]) {
    one.fail({ kind, charged, times: 1 });
    const call = enrich(one, 'a.example', { signal: caller.signal, redirect: 'manual' });
    const outcome = call.then(
      (response) =>
        response.ok
          ? response.json().then(
              () => response.status,
              () => 'no JSON',
            )
          : response.status,
      () => 'no answer',
    );
    await expect.poll(() => one.calls.length, { timeout: 30_000 }).toBe(charged ? 1 : 2);
    expect(one.credits()).toBe(10);
    if (kind === 'hang') {
      expect(one.countOpenCalls()).toBeGreaterThan(0);
      if (charged) continue;
      caller.abort();
    }
    expect(await outcome).toBe(heard[kind]);
  }
  await expect.poll(one.countOpenCalls, { timeout: 30_000 }).toBe(0);
});

it('half of a packed answer is half of what was packed, and a redirect leads to another record', async () => {
  const one = await provider();
  one.fail({ kind: 'cut_gzip', times: 1 }, { kind: 'redirect', times: 1 });
  const url = `${one.baseUrl}/v2/company_clean/enrich?website=a.example`;
  const packed = await new Promise<Buffer>((resolve, reject) => {
    get(url, { headers: { apikey: apiKey } }, (response) => resolve(buffer(response))).once('error', reject);
  });
  expect(() => gunzipSync(packed)).toThrow('unexpected end of file');
  expect(await (await enrich(one, 'a.example')).json()).toMatchObject({ websites_main: REDIRECTED });
  expect(one.credits(REDIRECTED)).toBe(10);
});

it('a fault happens to the keys, as often and to the share of calls that were named', async () => {
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
  expect((await statuses(40, 'a.example')).filter((status) => status === 500)).toHaveLength(20);
});

it('a call is counted when it comes, though its caller goes before the answer', async () => {
  const one = await provider({ latencyMs: 60_000 });
  const caller = new AbortController();
  const call = enrich(one, 'a.example', { signal: caller.signal });
  await expect.poll(() => one.credits(), { timeout: 30_000 }).toBe(10);
  caller.abort();
  await expect(call).rejects.toThrow();
});
