// The scripted provider: charges, limits and faults.
import { expect, it, onTestFinished } from 'vitest';
import { type FaultKind, faultKinds } from './provider/faults.ts';
import { type Provider, type ProviderOptions, startProvider } from './provider/provider.ts';

const apiKey = 'the provider key of these tests';

async function start(options: Partial<ProviderOptions> = {}): Promise<Provider> {
  const provider = await startProvider({ apiKey, ...options });
  onTestFinished(provider.close);
  return provider;
}

const enrich = ({ baseUrl }: Provider, website: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${baseUrl}/v2/company_clean/enrich?website=${website}`, { headers: { apikey: apiKey }, ...init });

it('charges each record, and nothing without the key, the record or credits', async () => {
  const provider = await start({ balance: 25 });
  const records = [await enrich(provider, 'a.example'), await enrich(provider, 'a.example')];
  expect(records.map(({ headers }) => headers.get('x-credits-remaining'))).toEqual(['15', '5']);
  expect(await records[0]?.text()).toBe(await records[1]?.text());
  expect((await enrich(provider, 'b.example')).status).toBe(402);
  expect((await enrich(provider, 'missing.example')).status).toBe(404);
  expect((await enrich(provider, 'a.example', { headers: { apikey: 'another' } })).status).toBe(401);
  expect([provider.count('a.example'), provider.credits()]).toEqual([2, 20]);
});

/** What a client gets for each fault. */
const outcomes: Readonly<Record<FaultKind, string | number>> = {
  server_error: 500,
  unavailable: 503,
  storm: 429,
  redirect: 302,
  reset: 'no response',
  hang: 'no response',
  cut_body: 'invalid JSON',
  cut_gzip: 'invalid JSON',
  broken_json: 'invalid JSON',
  wrong_type: 'invalid JSON',
  huge: 200,
};

it.each(faultKinds)('sends the fault %s to the selected calls and charges it as configured', async (kind) => {
  const provider = await start();
  for (const charged of [true, false]) {
    provider.fail({ kind, charged, times: 1, keys: ['a.example'] });
    expect((await enrich(provider, 'b.example')).status).toBe(200);
    const before = provider.credits();
    const client = new AbortController();
    const call = enrich(provider, 'a.example', { signal: client.signal, redirect: 'manual' });
    const outcome = call.then(
      async (response) => {
        if (!response.ok) return response.status;
        return response.json().then(
          () => response.status,
          () => 'invalid JSON',
        );
      },
      () => 'no response',
    );
    if (kind === 'hang') {
      await expect.poll(provider.countOpenCalls, { timeout: 30_000 }).toBe(1);
      client.abort();
    }
    expect(await outcome).toBe(outcomes[kind]);
    expect(provider.credits() - before).toBe(charged ? 10 : 0);
  }
  await expect.poll(provider.countOpenCalls, { timeout: 30_000 }).toBe(0);
});
