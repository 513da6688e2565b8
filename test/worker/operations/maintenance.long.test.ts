// Maintenance: the Worker answers, sends and changes nothing, at any of its entries, and loses no work.
import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { LedgerObject } from '../../../worker/gateway/ledger/ledger-object.ts';
import { SingleFlightObject } from '../../../worker/gateway/single-flight/single-flight-object.ts';
import { createWorker } from '../../../worker/jobs/run-jobs.ts';
import { hits } from '../gateway/ledger/ledger-harness.ts';
import { buildCompanyResponse, createGateway } from '../harness.ts';
import { clock, interceptCalls, testPlatform } from '../platform.ts';

const MAINTENANCE = 'restore';
const authorization = `Bearer ${env.ADMIN_TOKEN}`;
const gateway = createGateway(buildCompanyResponse, undefined, undefined, { MAINTENANCE });

/** Bindings that no call may reach. */
const unused = <T extends object>(binding: T): T =>
  interceptCalls(binding, (method) => {
    throw new Error(`${method} was called`);
  });
const closed = {
  ...env,
  MAINTENANCE,
  DB: unused(env.DB),
  ROWS: unused(env.ROWS),
  JOBS: unused(env.JOBS),
};

it.each([
  ['POST', '/sheets/v1/lookup'],
  ['POST', '/sheets/v1/sign-in'],
  ['GET', '/admin/v1/teams'],
  ['GET', '/health/deep'],
  ['GET', '/docs'],
  ['POST', `/hooks/requests/${crypto.randomUUID()}/secret`],
  ['GET', '/connect'],
])('refuses %s %s', async (method, path) => {
  const response = await gateway.request(path, { method, headers: { authorization } });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('300');
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(await response.json()).toMatchObject({ code: 'maintenance', fix: expect.any(String) });
  expect(gateway.listBindingCalls()).toEqual([]);
});

it('refuses drop-in calls in the format of the service', async () => {
  const path = '/cdapi/v2/company_clean/enrich?website=example.com';
  const response = await gateway.request(path, { headers: { apikey: env.TEAM_TOKEN } });
  expect([response.status, response.headers.get('x-problem')]).toEqual([503, 'maintenance']);
  expect(response.headers.get('retry-after')).toBe('300');
  expect(await response.json()).toEqual({ detail: 'The gateway is being restored.' });
  expect(gateway.requestedKeys).toEqual([]);
});

it('still tells its version', async () => {
  expect((await gateway.request('/health')).status).toBe(200);
});

it.each([
  ['{}', /^id: /],
  [JSON.stringify({ id: 'one', to: null }), /^id: /],
  [JSON.stringify({ id: crypto.randomUUID(), to: 'yesterday' }), /^to: /],
  ['no', /not JSON/],
])('restores nothing for the body %s', async (body, detail) => {
  const response = await gateway.request('/admin/v1/restores', {
    method: 'POST',
    headers: { authorization },
    body,
  });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) });
});

it('is required for a restore', async () => {
  const body = JSON.stringify({ id: crypto.randomUUID(), to: null });
  const init = { method: 'POST', headers: { authorization }, body };
  const response = await createGateway(buildCompanyResponse).request('/admin/v1/restores', init);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/not in maintenance/) });
  const refused = await gateway.request('/admin/v1/restores', { method: 'POST', body });
  expect(refused.status).toBe(401);
});

it('returns messages to the queue', async () => {
  const { queue: consume } = createWorker(new Hono<{ Bindings: typeof env }>(), testPlatform);
  const retryAll = vi.fn();
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
  const batch = { queue: 'cdapi-jobs', messages: [], metadata, retryAll, ackAll: () => {} };
  await consume(batch, closed, createExecutionContext());
  expect(retryAll).toHaveBeenCalledWith({ delaySeconds: 300 });
});

it('runs no sweep', async () => {
  const { scheduled } = createWorker(new Hono<{ Bindings: typeof env }>(), testPlatform);
  const event = { cron: '* * * * *', scheduledTime: 0, noRetry: () => {} };
  await scheduled(event, closed, createExecutionContext());
});

it('delays the alarms of ledgers and single flights', async () => {
  const ledger = env.LEDGER.getByName('maintained');
  const flight = env.SINGLE_FLIGHT.getByName('maintained:0');
  await ledger.recordUsage([hits(1, 0)]);
  clock.now += 3_600_000;
  const runAlarm = (
    create: (state: DurableObjectState) => { alarm: () => Promise<void> },
    stub: DurableObjectStub,
  ) =>
    runInDurableObject(stub, async (_, state) => {
      await create(state).alarm();
      return state.storage.getAlarm();
    });
  const alarms = [
    await runAlarm((state) => new LedgerObject(state, closed, testPlatform), ledger),
    await runAlarm((state) => new SingleFlightObject(state, closed, testPlatform), flight),
  ];
  for (const at of alarms) expect(at).toBeGreaterThan(clock.now + 30_000);
});
