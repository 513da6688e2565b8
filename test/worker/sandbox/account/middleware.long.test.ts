// The account middleware: charges, headers, limits and faults around a fake operation.
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../../../shared/operations.ts';
import { getAccount } from '../../../../worker/sandbox/account/account.ts';
import { controlDefaults } from '../../../../worker/sandbox/account/control.ts';
import type { Fault } from '../../../../worker/sandbox/account/faults.ts';
import {
  type AccountVariables,
  accountMiddleware,
  correlationMiddleware,
} from '../../../../worker/sandbox/account/middleware.ts';
import { internalError, ServiceError } from '../../../../worker/sandbox/api/service-errors.ts';
import { sandboxPlatform } from '../../../../worker/sandbox/platform.ts';
import type { SandboxBindings } from '../../../../worker/sandbox/requests/requests-object.ts';
import { assumptions } from '../assumptions.ts';

const account = getAccount(env);
const COLLECT = '/cdapi/v2/company_base/collect/1';
const BALANCE = 1_000;

interface Service {
  /** Paths that reached the operation. */
  operated: string[];
  /** Milliseconds of each sleep. */
  sleeps: number[];
  call: (path?: string, method?: string) => Promise<Response>;
}

/** Creates a service whose operations all run the same function. */
function createService(
  operate: () => Response | Promise<Response> = () => Response.json({ id: 1 }),
): Service {
  const operated: string[] = [];
  const sleeps: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    sleeps.push(ms);
  };
  const platform = { ...sandboxPlatform, sleep, newId: () => 'an-id' };
  const app = new Hono<{ Bindings: SandboxBindings; Variables: AccountVariables }>();
  app.use(correlationMiddleware(platform));
  app.use('/cdapi/*', accountMiddleware(platform));
  app.all('/cdapi/v2/*', (c) => {
    operated.push(c.req.path);
    return operate();
  });
  app.notFound(() => new Response('404 page not found', { status: 404 }));
  app.onError((error) => (error instanceof ServiceError ? error : internalError()).response());
  return {
    operated,
    sleeps,
    call: async (path = COLLECT, method = 'GET') => app.request(path, { method }, env),
  };
}

const readBalance = async (): Promise<number> => (await account.getState()).balance;
const readSpent = async (): Promise<number> => BALANCE - (await readBalance());

beforeEach(async () => {
  await account.applyControl({ ...controlDefaults, balance: BALANCE, rate_per_s: 10_000 });
});

describe('a charge', () => {
  const priced = operations.filter(
    ({ name, credits }, at, all) =>
      all.findIndex((other) => other.name === name && other.credits === credits) === at,
  );

  it.each(priced.map((operation) => [operation.path, operation] as const))(
    'for a 200 of %s is its price, except for searches and data requests',
    async (path, { name, method, credits }) => {
      const { headers } = await createService().call(`/cdapi${path.replace('{key}', '1')}`, method);
      const price = name === 'search' || name === 'bulk' ? 0 : credits;
      expect(await readSpent()).toBe(price);
      expect(headers.get('x-credits-remaining')).toBe(name === 'bulk' ? null : String(BALANCE - price));
    },
  );

  it.each([202, 402, 404, 503])('is not made for a %i', async (status) => {
    const response = await createService(() => Response.json({}, { status })).call();
    expect([response.status, await readSpent()]).toEqual([status, 0]);
  });

  it('is not made if the operation throws', async () => {
    const response = await createService(() => Promise.reject(new Error('broken'))).call();
    expect(response.status).toBe(500);
    expect(response.headers.get('x-credits-remaining')).toBe(String(BALANCE));
    expect(await readSpent()).toBe(0);
  });

  it(assumptions.creditsCheckedFirst, async () => {
    await account.applyControl({ balance: 9 });
    const { call, operated } = createService();
    const response = await call();
    expect(response.status).toBe(402);
    expect(await response.json()).toEqual({ detail: 'Insufficient credits' });
    expect(response.headers.get('x-credits-remaining')).toBe('9');
    expect(operated).toEqual([]);
  });

  it('fails with 402 and without the record if the balance is spent during the call', async () => {
    const response = await createService(async () => {
      await account.applyControl({ balance: 3 });
      return Response.json({ id: 1 }, { headers: { 'x-from': 'operation' } });
    }).call();
    expect(response.status).toBe(402);
    expect(await response.json()).toEqual({ detail: 'Insufficient credits' });
    expect(response.headers.get('x-from')).toBeNull();
    expect(await readBalance()).toBe(3);
  });

  it('never overdraws the balance when calls race', async () => {
    await account.applyControl({ balance: 95 });
    const { call } = createService();
    const responses = await Promise.all(Array.from({ length: 30 }, () => call()));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(21);
    expect(await readBalance()).toBe(5);
  });
});

describe('headers', () => {
  it.each([COLLECT, '/cdapi/v3/nothing', '/cdapi/v2/data_requests/x/files'])(
    'of %s have the rate limit and a correlation id',
    async (path) => {
      await account.applyControl({ rate_per_s: 7 });
      const { headers } = await createService().call(path);
      expect(headers.get('x-ratelimit-limit-second')).toBe('7');
      expect(Number(headers.get('x-ratelimit-remaining-second'))).toBeLessThan(7);
      expect(headers.get('x-correlation-id')).toBe('an-id');
    },
  );

  it(assumptions.balanceReported, async () => {
    const { call } = createService(() => Response.json({ detail: 'Company not found' }, { status: 404 }));
    expect((await call()).headers.get('x-credits-remaining')).toBe(String(BALANCE));
    await account.applyControl({ rate_per_s: 0 });
    expect((await call()).headers.get('x-credits-remaining')).toBeNull();
  });
});

it('returns 429 above the rate limit without calling the operation', async () => {
  await account.applyControl({ rate_per_s: 0 });
  const { call, operated } = createService();
  const response = await call();
  expect(response.status).toBe(429);
  expect(await response.json()).toEqual({ message: 'API rate limit exceeded' });
  expect(response.headers.get('x-ratelimit-remaining-second')).toBe('0');
  expect(operated).toEqual([]);
});

describe('a fault', () => {
  async function callWithFault(fault: Fault): Promise<{ service: Service; response: Response }> {
    await account.applyControl({ faults: [fault] });
    const service = createService();
    return { service, response: await service.call() };
  }

  it('with a status replaces the operation and costs nothing', async () => {
    const { response, service } = await callWithFault({ status: 503 });
    expect(response.status).toBe(503);
    expect(await response.json()).toHaveProperty('message');
    expect(response.headers.get('x-credits-remaining')).toBeNull();
    expect(response.headers.get('x-ratelimit-limit-second')).toBe('10000');
    expect(service.operated).toEqual([]);
    expect(await readSpent()).toBe(0);
  });

  it('with a body returns it with 200 and costs nothing', async () => {
    const { response } = await callWithFault({ body: '{"id": 1, "na', headers: { 'x-proxy': 'a' } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('{"id": 1, "na');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-proxy')).toBe('a');
    expect(await readSpent()).toBe(0);
  });

  it('with 204 has no body', async () => {
    const { response } = await callWithFault({ status: 204, content_type: 'text/html', body: 'x' });
    expect([response.status, response.headers.get('content-type')]).toEqual([204, 'text/html']);
    expect(await response.text()).toBe('');
  });

  it('that delays a call charges it', async () => {
    const { response, service } = await callWithFault({ delay_ms: 1_234 });
    expect(service.sleeps).toEqual([1_234]);
    expect(await response.json()).toEqual({ id: 1 });
    expect(response.headers.get('x-credits-remaining')).toBe(String(BALANCE - 10));
    expect(await readSpent()).toBe(10);
  });

  it('that cuts the body breaks the connection after these bytes and costs nothing', async () => {
    const { response } = await callWithFault({ cut: 5 });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"id"');
    await expect(reader?.read()).rejects.toThrow('broken on purpose');
    expect(await readSpent()).toBe(0);
  });

  it.each([0, 8, 1_000])('that cuts after %i bytes breaks the connection', async (cut) => {
    await expect((await callWithFault({ cut })).response.text()).rejects.toThrow('broken on purpose');
  });

  it.each([
    [200, 10],
    [404, 0],
  ])('with `after` runs the operation, and charges a %i %i credits', async (status, price) => {
    await account.applyControl({ faults: [{ status: 502, after: true }] });
    const { call, operated } = createService(() => Response.json({}, { status }));
    expect((await call()).status).toBe(502);
    expect(operated).toEqual([COLLECT]);
    expect(await readSpent()).toBe(price);
  });

  it.each([
    [false, 0],
    [true, 10],
  ])('that hangs (after: %s) responds after minutes and costs %i', async (after, price) => {
    const { service } = await callWithFault({ hang: true, after });
    expect(service.sleeps).toEqual([15 * 60_000]);
    expect(await readSpent()).toBe(price);
  });
});
