// `/control`: accepted, rejected and persistent settings.
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { getAccount } from '../../../../worker/sandbox/account/account.ts';
import { controlDefaults } from '../../../../worker/sandbox/account/control.ts';
import { call, control, readIssues } from '../client.ts';

const putControl = (body: unknown): Promise<Response> =>
  call('/control', { method: 'PUT', body: typeof body === 'string' ? body : JSON.stringify(body) });
const readControl = async (): Promise<unknown> => (await call('/control')).json();

beforeEach(() => control(controlDefaults));

it('returns the default settings', async () => {
  const defaults = { run_ms: 2_000, faults: [], rate_per_s: 100, balance: 10_000_000, clock_offset_s: 0 };
  expect(await readControl()).toEqual(defaults);
});

it('changes the given settings and returns all', async () => {
  const fault = {
    ...{
      operation: 'collect',
      family: 'company_base',
      path: '/v2/',
      every: 2,
      times: 1,
      delay_ms: 5,
      status: 502,
    },
    ...{ body: '<html>', hang: false, cut: 3, content_type: 'text/html; charset=utf-8', after: true },
    headers: { 'retry-after': '5' },
  };
  await putControl({ run_ms: 10, faults: [fault] });
  const response = await putControl({ balance: 3 });
  expect(await response.json()).toEqual({ ...controlDefaults, run_ms: 10, faults: [fault], balance: 3 });
});

it('keeps settings when the object is evicted', async () => {
  await control({ rate_per_s: 3, faults: [{ hang: true }] });
  await evictDurableObject(getAccount(env));
  expect(await readControl()).toMatchObject({ rate_per_s: 3, faults: [{ hang: true }] });
});

it.each<[string, unknown, (string | number)[]]>([
  ['broken JSON', '{"balance": }', [12]],
  ['an unknown setting', { speed: 1 }, ['speed']],
  ['a negative balance', { balance: -1 }, ['balance']],
  ['a fault without an effect', { faults: [{ status: 500 }, { every: 2 }] }, ['faults', 1]],
  ['an unknown member of a fault', { faults: [{ stauts: 500, hang: true }] }, ['faults', 0, 'stauts']],
  ['a line break in a header', { faults: [{ headers: { a: 'b\nc' } }] }, ['faults', 0, 'headers', 'a']],
])('rejects %s with its location and changes nothing', async (_, body, loc) => {
  const [issue] = await readIssues(await putControl(body));
  expect(issue).toEqual({ loc: ['body', ...loc], type: expect.any(String) });
  expect(await readControl()).toEqual(controlDefaults);
});

it('requires the API key', async () => {
  expect((await call('/control', { headers: { apikey: 'other' } })).status).toBe(401);
});

it('controls the service', async () => {
  await control({ balance: 5, rate_per_s: 50 });
  const response = await call('/cdapi/v2/company_base/collect/1');
  expect(response.status).toBe(402);
  expect(response.headers.get('x-ratelimit-limit-second')).toBe('50');
  expect(response.headers.get('x-credits-remaining')).toBe('5');
});

it('gives each response another correlation id', async () => {
  const readId = async () => (await call('/cdapi/v2/x')).headers.get('x-correlation-id');
  const [first, second] = [await readId(), await readId()];
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).not.toBe(first);
});
