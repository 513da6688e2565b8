// The way of a call through the account, with operations that answer what the test wants.
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../../../shared/operations.ts';
import { getAccount } from '../../../../worker/sandbox/account/account-object.ts';
import { controlDefaults } from '../../../../worker/sandbox/account/control.ts';
import type { Fault } from '../../../../worker/sandbox/account/faults.ts';
import {
  type AccountVariables,
  accountMiddleware,
  correlationMiddleware,
} from '../../../../worker/sandbox/account/middleware.ts';
import { assumptions } from '../../../../worker/sandbox/api/assumptions.ts';
import { ServiceError, serverError } from '../../../../worker/sandbox/api/service-errors.ts';
import type { SandboxBindings } from '../../../../worker/sandbox/bindings.ts';
import { sandboxPlatform } from '../../../../worker/sandbox/platform.ts';

const account = getAccount(env);
const COLLECT = '/cdapi/v2/company_base/collect/1';
const BALANCE = 1_000;

interface Service {
  /** Paths that reached an operation. */
  operated: string[];
  /** Milliseconds that were waited. */
  waited: number[];
  call: (path?: string, method?: string) => Promise<Response>;
}

/** A service whose every operation answers the same. */
function service(operate: () => Response | Promise<Response> = () => Response.json({ id: 1 })): Service {
  const operated: string[] = [];
  const waited: number[] = [];
  const platform = {
    ...sandboxPlatform,
    sleep: async (ms: number) => {
      waited.push(ms);
    },
    newId: () => 'an-id',
  };
  const app = new Hono<{ Bindings: SandboxBindings; Variables: AccountVariables }>();
  app.use(correlationMiddleware(platform));
  app.use('/cdapi/*', accountMiddleware(platform));
  app.all('/cdapi/v2/*', (c) => {
    operated.push(c.req.path);
    return operate();
  });
  app.notFound(() => new Response('404 page not found', { status: 404 }));
  app.onError((error) => (error instanceof ServiceError ? error.response() : serverError()));
  return {
    operated,
    waited,
    call: async (path = COLLECT, method = 'GET') => app.request(path, { method }, env),
  };
}

async function balance(): Promise<number> {
  return (await account.getState()).balance;
}

beforeEach(async () => {
  await account.applyControl({ ...controlDefaults, balance: BALANCE, rate_per_s: 10_000 });
});

describe('credits', () => {
  it.each(operations.map((operation) => [operation.path, operation] as const))(
    'of a 200 of %s are those of the table, and 0 for searches and data requests',
    async (path, { name, method, credits }) => {
      const response = await service().call(`/cdapi${path.replace('{key}', '1')}`, method);
      const price = name === 'search' || name === 'bulk' ? 0 : credits;
      expect(BALANCE - (await balance())).toBe(price);
      expect(response.headers.get('x-credits-remaining')).toBe(
        name === 'bulk' ? null : String(BALANCE - price),
      );
    },
  );

  it.each([201, 202, 400, 402, 404, 409, 422, 429, 500, 502, 503])(
    'are not charged for a %i',
    async (status) => {
      const response = await service(() => Response.json({}, { status })).call();
      expect(response.status).toBe(status);
      expect(await balance()).toBe(BALANCE);
    },
  );

  it('are not charged where the operation breaks', async () => {
    const response = await service(() => {
      throw new Error('broken');
    }).call();
    expect(response.status).toBe(500);
    expect(response.headers.get('x-credits-remaining')).toBe(String(BALANCE));
    expect(await balance()).toBe(BALANCE);
  });

  it(assumptions.creditsCheckedFirst, async () => {
    await account.applyControl({ balance: 9 });
    const { call, operated } = service();
    const response = await call();
    expect(response.status).toBe(402);
    expect(await response.json()).toEqual({ detail: 'Insufficient credits' });
    expect(response.headers.get('x-credits-remaining')).toBe('9');
    expect(operated).toEqual([]);
  });

  it('that others spend while a call is on its way make it a 402 without its record', async () => {
    const response = await service(async () => {
      await account.applyControl({ balance: 3 });
      return Response.json({ id: 1 }, { headers: { 'x-from': 'operation' } });
    }).call();
    expect(response.status).toBe(402);
    expect(await response.json()).toEqual({ detail: 'Insufficient credits' });
    expect(response.headers.get('x-from')).toBeNull();
    expect(await balance()).toBe(3);
  });

  it('never fall below zero, however many calls race for the last of them', async () => {
    await account.applyControl({ balance: 95 });
    const { call } = service();
    const statuses = (await Promise.all(Array.from({ length: 30 }, () => call()))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    expect(statuses.filter((status) => status === 402)).toHaveLength(21);
    expect(await balance()).toBe(5);
  });
});

describe('headers', () => {
  it.each([
    ['an operation', COLLECT],
    ['an unknown path', '/cdapi/v3/nothing'],
    ['the files of a data request', '/cdapi/v2/data_requests/x/files'],
  ])('of %s tell the rate, and an id of the call', async (_, path) => {
    await account.applyControl({ rate_per_s: 7 });
    const { headers } = await service().call(path);
    expect(headers.get('x-ratelimit-limit-second')).toBe('7');
    expect(Number(headers.get('x-ratelimit-remaining-second'))).toBeLessThan(7);
    expect(headers.get('x-correlation-id')).toBe('an-id');
  });

  it(assumptions.balanceReported, async () => {
    const { call } = service(() => Response.json({ detail: 'Company not found' }, { status: 404 }));
    expect((await call()).headers.get('x-credits-remaining')).toBe(String(BALANCE));
    await account.applyControl({ rate_per_s: 0 });
    expect((await call()).headers.get('x-credits-remaining')).toBeNull();
  });
});

describe('the rate limit', () => {
  it('answers 429 in the front gateway’s words, and the operation is not called', async () => {
    await account.applyControl({ rate_per_s: 0 });
    const { call, operated } = service();
    const response = await call();
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({ message: 'API rate limit exceeded' });
    expect(response.headers.get('x-ratelimit-remaining-second')).toBe('0');
    expect(operated).toEqual([]);
  });
});

describe('a fault', () => {
  async function withFault(fault: Fault): Promise<{ service: Service; response: Response }> {
    await account.applyControl({ faults: [fault] });
    const made = service();
    return { service: made, response: await made.call() };
  }

  it('with a status answers in the operation’s place and is not charged', async () => {
    const { response, service } = await withFault({ status: 503 });
    expect(response.status).toBe(503);
    expect(await response.json()).toHaveProperty('message');
    expect(response.headers.get('x-credits-remaining')).toBeNull();
    expect(response.headers.get('x-ratelimit-limit-second')).toBe('10000');
    expect(service.operated).toEqual([]);
    expect(await balance()).toBe(BALANCE);
  });

  it('with a body answers that with 200, such as broken JSON, and is not charged', async () => {
    const { response } = await withFault({ body: '{"id": 1, "na', headers: { 'x-proxy': 'a' } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('{"id": 1, "na');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-proxy')).toBe('a');
    expect(await balance()).toBe(BALANCE);
  });

  it('with a type of content and a status 204 has no body', async () => {
    const { response } = await withFault({ status: 204, content_type: 'text/html', body: 'x' });
    expect(response.status).toBe(204);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(await response.text()).toBe('');
  });

  it('that only delays leaves the call as it is, charge and all', async () => {
    const { response, service } = await withFault({ delay_ms: 1_234 });
    expect(service.waited).toEqual([1_234]);
    expect(await response.json()).toEqual({ id: 1 });
    expect(response.headers.get('x-credits-remaining')).toBe(String(BALANCE - 10));
    expect(await balance()).toBe(BALANCE - 10);
  });

  it('that cuts the body breaks the connection there, and is not charged', async () => {
    const { response } = await withFault({ cut: 5 });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe('{"id"');
    await expect(reader?.read()).rejects.toThrow('broken on purpose');
    expect(await balance()).toBe(BALANCE);
  });

  it.each([0, 8, 1_000])('that cuts at %i, wherever that is, breaks the connection', async (cut) => {
    const { response } = await withFault({ cut });
    await expect(response.text()).rejects.toThrow('broken on purpose');
  });

  it('that comes after lets the call be done and charged first', async () => {
    const { response, service } = await withFault({ status: 502, after: true });
    expect(response.status).toBe(502);
    expect(service.operated).toEqual([COLLECT]);
    expect(await balance()).toBe(BALANCE - 10);
  });

  it('that comes after charges nothing where there was nothing to charge', async () => {
    await account.applyControl({ faults: [{ status: 502, after: true }] });
    const { call } = service(() => Response.json({}, { status: 404 }));
    expect((await call()).status).toBe(502);
    expect(await balance()).toBe(BALANCE);
  });

  it.each([
    ['before', false, 0],
    ['after', true, 10],
  ])('that hangs %s the call answers nothing for minutes', async (_, after, price) => {
    const { service } = await withFault({ hang: true, after });
    expect(service.waited).toEqual([15 * 60_000]);
    expect(BALANCE - (await balance())).toBe(price);
  });
});
