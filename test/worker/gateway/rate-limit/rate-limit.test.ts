// The rate limit: leases counted in memory, headers, usage, and operation without the ledger.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { describe, expect } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import type { CallUsage, LeaseRequest } from '../../../../worker/gateway/ledger/types.ts';
import {
  addRateLimitHeaders,
  type GetLedger,
  type RateLimitedEnv,
  RateLimiter,
  rateLimit,
  type TokenLease,
} from '../../../../worker/gateway/rate-limit/rate-limit.ts';
import { ProblemError, problemResponse } from '../../../../worker/http/problem-error.ts';
import { createHistogram } from '../../../../worker/lib/latency-histogram.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { createRateLimit } from '../../platform.ts';
import { createCaller } from '../auth/create-caller.ts';
import { type LedgerBench, ledgerTest, listEntries, NOON } from '../ledger/ledger-harness.ts';

const hit: CallUsage = {
  family: 'company_clean',
  operation: 'enrich',
  outcomes: { hit: 1 },
  saved: 10,
  latencyMs: 2,
};

/** An isolate of the Worker with the rate limit. */
interface Isolate {
  /** Sends a call; does not wait for background work. */
  get: (token?: string, path?: string) => Promise<Response>;
  /** Waits for background work. */
  settle: () => Promise<void>;
}

function createIsolate(
  platform: ConstructorParameters<typeof RateLimiter>[0],
  getLedger: GetLedger,
): Isolate {
  const contexts: ExecutionContext[] = [];
  const app = new Hono<RateLimitedEnv>();
  const leases = new Map<string, TokenLease>();
  app.use(async (c, next) => {
    const tokenId = c.req.query('token') ?? '';
    const lease = leases.get(tokenId) ?? { allowance: undefined, fetchingSince: undefined };
    leases.set(tokenId, lease);
    c.set('caller', createCaller({ tokenId }));
    c.set('lease', lease);
    await next();
    addRateLimitHeaders(c.res.headers, c.get('lease'), platform.now());
  });
  const limiter = new RateLimiter(platform, getLedger);
  app.use(rateLimit(limiter));
  app.get('/', (c) => c.json({ remaining: c.get('lease').allowance?.remaining ?? 'none' }));
  app.get('/hit', (c) => {
    limiter.recordUsage(c, hit);
    return c.text('');
  });
  app.onError((error) => {
    if (error instanceof ProblemError) return problemResponse(error.problem, error.headers);
    throw error;
  });
  const bindings: Env = { ...env, AUTH_RATE_LIMIT: createRateLimit(3) };
  return {
    get: async (token = 'token', path = '/') => {
      const context = createExecutionContext();
      contexts.push(context);
      return app.request(`${path}?token=${token}`, undefined, bindings, context);
    },
    settle: async () => {
      for (const context of contexts.splice(0)) await waitOnExecutionContext(context);
    },
  };
}

/** A ledger with its isolates. */
interface TestContext {
  bench: LedgerBench;
  leaseRequests: LeaseRequest[];
  /** Number of times that usage was sent by the timer. */
  flushes: { count: number };
  /** Simulated network between isolates and ledger. `delay` may wait or fail. */
  network: { delay: (() => Promise<void>) | undefined };
  createIsolate: () => Isolate;
}

/** Defines a test with a new ledger. */
function contextTest(name: string, test: (context: TestContext) => Promise<void>): void {
  ledgerTest(name, (bench) => {
    const leaseRequests: LeaseRequest[] = [];
    const flushes = { count: 0 };
    const network: TestContext['network'] = { delay: undefined };
    const getLedger: GetLedger = () => ({
      lease: async (token, request) => {
        leaseRequests.push(request);
        await network.delay?.();
        return bench.ledger.lease(token, request);
      },
      recordUsage: async (usages) => {
        flushes.count += 1;
        await network.delay?.();
        bench.ledger.recordUsage(usages);
      },
    });
    const platform = { now: () => bench.clock.now, sleep: bench.sleep };
    return test({
      bench,
      leaseRequests,
      flushes,
      network,
      createIsolate: () => createIsolate(platform, getLedger),
    });
  });
}

function readRateHeaders(response: Response): (string | null)[] {
  return ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) => response.headers.get(name));
}

async function collectStatuses(count: number, get: () => Promise<Response>): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < count; at += 1) found.push((await get()).status);
  return found;
}

describe('a lease', () => {
  contextTest('is renewed only when it is used up', async ({ createIsolate, leaseRequests }) => {
    const { get } = createIsolate();
    await collectStatuses(120, get);
    expect(leaseRequests).toEqual([{ usages: [] }]);
    await get();
    expect(leaseRequests).toHaveLength(2);
    await get('another');
    expect(leaseRequests).toHaveLength(3);
  });

  contextTest('is shown in the headers', async ({ bench, createIsolate }) => {
    bench.clock.now = NOON + 17_500;
    const { get } = createIsolate();
    expect(readRateHeaders(await get())).toEqual(['"token";q=6000;w=60', '"token";r=119;t=43', null]);
    await collectStatuses(119, get);
    expect(readRateHeaders(await get())).toEqual(['"token";q=6000;w=60', '"token";r=119;t=43', null]);
  });

  contextTest('ends with its window', async ({ bench, createIsolate, leaseRequests }) => {
    const { get } = createIsolate();
    await get();
    bench.clock.now += 60_000;
    await get();
    expect(leaseRequests).toHaveLength(2);
    const slow = get('token', '/');
    bench.clock.now += 60_000;
    expect(readRateHeaders(await slow)).toEqual(['"token";q=6000;w=60', '"token";r=0;t=0', null]);
  });
});

describe('a token without calls left', () => {
  contextTest('is refused with the time to wait', async ({ bench, createIsolate, leaseRequests }) => {
    bench.ledger.setToken('token', { ratePerMinute: 2 });
    const { get } = createIsolate();
    expect(await collectStatuses(3, get)).toEqual([200, 200, 429]);
    bench.clock.now += 40_500;
    const refused = await get();
    expect(readRateHeaders(refused)).toEqual(['"token";q=2;w=60', '"token";r=0;t=20', '20']);
    expect(await refused.json()).toMatchObject({
      code: 'rate_limited',
      detail: 'This token may make 2 calls in 60 seconds.',
      fix: 'Wait 20 seconds and try again.',
    });
    expect(leaseRequests).toHaveLength(3);
    bench.clock.now += 20_000;
    expect((await get()).status).toBe(200);
  });

  contextTest('never exceeds its limit, across all isolates', async ({ bench, createIsolate }) => {
    bench.ledger.setToken('token', { ratePerMinute: 100 });
    const isolates = [createIsolate(), createIsolate(), createIsolate()];
    const racing = isolates.flatMap(({ get }) =>
      Array.from({ length: 60 }, async () => (await get()).status),
    );
    const found = await Promise.all(racing);
    // An isolate may use up the rest of its lease.
    for (const { get } of isolates) found.push(...(await collectStatuses(5, get)));
    expect(found.filter((status) => status === 200)).toHaveLength(100);
    expect(found.filter((status) => status === 429)).toHaveLength(95);
  });
});

describe('concurrent calls', () => {
  contextTest('fetch one call each during a renewal', async ({ createIsolate, leaseRequests, network }) => {
    const open = Promise.withResolvers<void>();
    network.delay = () => open.promise;
    const { get } = createIsolate();
    const calls = [get(), get(), get()];
    await expect.poll(() => leaseRequests.length).toBe(3);
    open.resolve();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(leaseRequests.map(({ calls }) => calls)).toEqual([undefined, 1, 1]);
    expect(readRateHeaders(await get())[1]).toBe('"token";r=118;t=60');
  });

  contextTest(
    'renew the lease after a renewal was lost',
    async ({ bench, createIsolate, leaseRequests, network }) => {
      network.delay = () => new Promise(() => {});
      const { get } = createIsolate();
      void get();
      await expect.poll(() => leaseRequests.length).toBe(1);
      bench.clock.now += 2000;
      network.delay = undefined;
      await get();
      expect(leaseRequests.map(({ calls }) => calls)).toEqual([undefined, undefined]);
    },
  );
});

describe('without the ledger', () => {
  contextTest('falls back to the platform’s limit', async ({ createIsolate, network }) => {
    const lines = captureErrorLog();
    network.delay = () => Promise.reject(new Error('out of reach'));
    const { get } = createIsolate();
    const first = await get();
    expect(lines).toMatchObject([{ event: 'lease_failed', error: 'Error' }]);
    expect(readRateHeaders(first)).toEqual([null, null, null]);
    expect(await first.json()).toEqual({ remaining: 'none' });
    expect(await collectStatuses(3, get)).toEqual([200, 200, 429]);
    expect(readRateHeaders(await get())).toEqual([null, null, '60']);
    expect((await get('other')).status).toBe(200);
  });

  contextTest('times out after 2 seconds', async ({ bench, createIsolate, network, leaseRequests }) => {
    const lines = captureErrorLog();
    network.delay = () => new Promise(() => {});
    const call = createIsolate().get();
    await expect.poll(() => leaseRequests.length).toBe(1);
    expect(bench.timers.map(({ ms }) => ms)).toEqual([2000]);
    bench.timers[0]?.fire();
    expect((await call).status).toBe(200);
    expect(lines).toMatchObject([{ event: 'lease_timed_out' }]);
  });
});

describe('usage', () => {
  const fireAll = ({ timers }: LedgerBench): void => {
    for (const { fire } of [...timers]) fire();
  };

  contextTest('is sent with the next lease', async ({ bench, createIsolate, leaseRequests }) => {
    const { get } = createIsolate();
    for (const _ of Array(3)) await get('token', '/hit');
    await get('other', '/hit');
    await get('third');
    expect(leaseRequests.map(({ usages }) => usages.length)).toEqual([0, 1, 1]);
    expect(leaseRequests[1]?.usages).toEqual([
      {
        ...hit,
        token: 'token',
        outcomes: { hit: 3 },
        saved: 30,
        latencyMs: 6,
        durations: createHistogram(3, hit.latencyMs),
      },
    ]);
    expect(bench.ledger.getBudget().saved.day).toBe(40);
  });

  contextTest('is sent after 5 seconds, by one timer', async ({ bench, createIsolate, flushes }) => {
    const { get, settle } = createIsolate();
    await Promise.all(Array.from({ length: 10 }, () => get('token', '/hit')));
    expect(bench.timers.map(({ ms }) => ms)).toEqual([5000]);
    fireAll(bench);
    await settle();
    expect(flushes.count).toBe(1);
    expect(bench.ledger.getBudget().saved.day).toBe(100);
    await bench.advance(3_600_000);
    expect(listEntries(bench, 'saved')).toMatchObject([{ saved: 100, calls: 10 }]);
    await get('token', '/hit');
    expect(bench.timers).toHaveLength(1);
  });

  contextTest('is kept if sending fails', async ({ bench, createIsolate, network }) => {
    const lines = captureErrorLog();
    const { get, settle } = createIsolate();
    await get('token', '/hit');
    network.delay = () => Promise.reject(new Error('out of reach'));
    await get('other', '/hit');
    fireAll(bench);
    await settle();
    expect(bench.ledger.getBudget().saved.day).toBe(0);
    expect(lines).toMatchObject([
      { event: 'lease_failed', error: 'Error' },
      { event: 'usage_flush_failed', error: 'Error' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('out of reach');
    network.delay = undefined;
    await get('token', '/hit');
    fireAll(bench);
    await settle();
    expect(bench.ledger.getBudget().saved.day).toBe(30);
  });
});
