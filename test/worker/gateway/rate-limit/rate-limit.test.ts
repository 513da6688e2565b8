// The rate limit as callers meet it: leased, counted off in memory, told in headers, and without the ledger.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import type { Caller } from '../../../../worker/gateway/auth/tokens.ts';
import type { LeaseRequest } from '../../../../worker/gateway/ledger/types.ts';
import {
  type CallerUsage,
  type GetLedger,
  type RateLimitedEnv,
  rateLimit,
} from '../../../../worker/gateway/rate-limit/rate-limit.ts';
import { ProblemError, problemResponse } from '../../../../worker/http/problem-error.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { createRateLimit } from '../../platform.ts';
import { type LedgerBench, listEntries, NOON, withLedger } from '../ledger/ledger-harness.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const hit: CallerUsage = {
  family: 'company_clean',
  operation: 'enrich',
  outcomes: { hit: 1 },
  saved: 10,
  latencyMs: 2,
};

/** An isolate of the Worker, as far as this room goes. */
interface Isolate {
  /** Makes a call; what comes after waitUntil is not waited for. */
  get: (token?: string, path?: string) => Promise<Response>;
  /** Waits for what went on behind the answers. */
  settle: () => Promise<void>;
}

function callerOf(tokenId: string, teamId: string): Caller {
  return {
    tokenId,
    teamId,
    teamName: 'Team',
    scopes: { families: null, operations: null },
    ratePerMinute: 6000,
    expiresAt: null,
    backgroundRefresh: false,
    confirmAboveCredits: 1000,
    erasureVersion: '.',
  };
}

function isolate(platform: Parameters<typeof rateLimit>[0], deskOf?: GetLedger, team = 'team'): Isolate {
  const contexts: ExecutionContext[] = [];
  const app = new Hono<RateLimitedEnv>();
  app.use(async (c, next) => {
    c.set('caller', callerOf(c.req.query('token') ?? '', team));
    await next();
  });
  app.use(rateLimit(platform, deskOf));
  app.get('/', (c) => c.json({ remaining: c.get('remaining') ?? 'none' }));
  app.get('/hit', (c) => {
    c.get('recordUsage')(hit);
    return c.text('');
  });
  app.get('/broken', () => {
    throw new ProblemError('not_found');
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

/** A ledger with isolates that ask it, and what they asked. */
interface World {
  bench: LedgerBench;
  asked: LeaseRequest[];
  /** How often usage was handed over by itself. */
  notes: { count: number };
  /** What stands between isolates and the ledger; undefined lets everything through. */
  between: { way: (() => Promise<void>) | undefined };
  isolate: () => Isolate;
}

function withWorld(test: (world: World) => Promise<void>): Promise<void> {
  return withLedger((bench) => {
    const asked: LeaseRequest[] = [];
    const notes = { count: 0 };
    const between: World['between'] = { way: undefined };
    const deskOf: GetLedger = () => ({
      lease: async (token, wish) => {
        asked.push(wish);
        await between.way?.();
        return bench.ledger.lease(token, wish);
      },
      recordUsage: async (usages) => {
        notes.count += 1;
        await between.way?.();
        bench.ledger.recordUsage(usages);
      },
    });
    const platform = {
      now: () => bench.clock.now,
      after: bench.after,
    };
    return test({ bench, asked, notes, between, isolate: () => isolate(platform, deskOf) });
  });
}

function rate(response: Response): (string | null)[] {
  return ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) => response.headers.get(name));
}

async function statuses(count: number, get: () => Promise<Response>): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < count; at += 1) found.push((await get()).status);
  return found;
}

describe('calls under a lease', () => {
  it('ask nobody until it has run out', () =>
    withWorld(async ({ isolate, asked }) => {
      const { get } = isolate();
      await statuses(120, get);
      expect(asked).toEqual([{ usages: [] }]);
      await get();
      expect(asked).toHaveLength(2);
      await get('another');
      expect(asked).toHaveLength(3);
    }));

  it('are told what is left of the lease, not of the limit', () =>
    withWorld(async ({ bench, isolate }) => {
      bench.clock.now = NOON + 17_500;
      const { get } = isolate();
      expect(rate(await get())).toEqual(['"token";q=6000;w=60', '"token";r=119;t=43', null]);
      await statuses(119, get);
      expect(rate(await get())).toEqual(['"token";q=6000;w=60', '"token";r=119;t=43', null]);
    }));

  it('end with the window, and nothing is promised of one that has passed', () =>
    withWorld(async ({ bench, isolate, asked }) => {
      const { get } = isolate();
      await get();
      bench.clock.now += 60_000;
      await get();
      expect(asked).toHaveLength(2);
      const slow = get('token', '/');
      bench.clock.now += 60_000;
      expect(rate(await slow)).toEqual(['"token";q=6000;w=60', '"token";r=0;t=0', null]);
    }));
});

describe('a token that has used up its window', () => {
  it('is refused with a time after which it is let in again, and asks the ledger only once', () =>
    withWorld(async ({ bench, isolate, asked }) => {
      bench.ledger.setToken('token', { ratePerMinute: 2 });
      const { get } = isolate();
      expect(await statuses(3, get)).toEqual([200, 200, 429]);
      bench.clock.now += 40_500;
      const refused = await get();
      expect(rate(refused)).toEqual(['"token";q=2;w=60', '"token";r=0;t=20', '20']);
      expect(await refused.json()).toMatchObject({
        code: 'rate_limited',
        detail: 'This token may make 2 calls in 60 seconds.',
        fix: 'Wait 20 seconds and try again.',
      });
      expect(asked).toHaveLength(3);
      bench.clock.now += 20_000;
      expect((await get()).status).toBe(200);
    }));

  it('never gets more than its limit, through however many isolates', () =>
    withWorld(async ({ bench, isolate }) => {
      bench.ledger.setToken('token', { ratePerMinute: 100 });
      const isolates = [isolate(), isolate(), isolate()];
      const racing = isolates.flatMap(({ get }) =>
        Array.from({ length: 60 }, async () => (await get()).status),
      );
      const found = await Promise.all(racing);
      // What one of them has left over is let in too.
      for (const { get } of isolates) found.push(...(await statuses(5, get)));
      expect(found.filter((status) => status === 200)).toHaveLength(100);
      expect(found.filter((status) => status === 429)).toHaveLength(95);
    }));
});

describe('calls that come while a block is being asked for', () => {
  it('ask for themselves only', () =>
    withWorld(async ({ isolate, asked, between }) => {
      const open = Promise.withResolvers<void>();
      between.way = () => open.promise;
      const { get } = isolate();
      const calls = [get(), get(), get()];
      await expect.poll(() => asked.length).toBe(3);
      open.resolve();
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(asked.map(({ calls }) => calls)).toEqual([undefined, 1, 1]);
      expect(rate(await get())[1]).toBe('"token";r=118;t=60');
    }));

  it('ask for a block again when whoever asked has gone without an answer', () =>
    withWorld(async ({ bench, isolate, asked, between }) => {
      between.way = () => new Promise(() => {});
      const { get } = isolate();
      void get();
      await expect.poll(() => asked.length).toBe(1);
      bench.clock.now += 2000;
      between.way = undefined;
      await get();
      expect(asked.map(({ calls }) => calls)).toEqual([undefined, undefined]);
    }));
});

describe('without the ledger', () => {
  it('the limit for strangers decides, by token, and nothing is promised', () =>
    withWorld(async ({ isolate, between }) => {
      const lines = captureErrorLog();
      between.way = () => Promise.reject(new Error('out of reach'));
      const { get } = isolate();
      const first = await get();
      expect(lines).toMatchObject([{ event: 'lease_failed', error: 'Error' }]);
      expect(rate(first)).toEqual([null, null, null]);
      expect(await first.json()).toEqual({ remaining: 'none' });
      expect(await statuses(3, get)).toEqual([200, 200, 429]);
      expect(rate(await get())).toEqual([null, null, '60']);
      expect((await get('other')).status).toBe(200);
    }));

  it('calls wait for it no longer than 2 seconds', () =>
    withWorld(async ({ bench, isolate, between, asked }) => {
      const lines = captureErrorLog();
      between.way = () => new Promise(() => {});
      const call = isolate().get();
      await expect.poll(() => asked.length).toBe(1);
      expect(bench.timers.map(({ ms }) => ms)).toEqual([2000]);
      bench.timers[0]?.fire();
      expect((await call).status).toBe(200);
      expect(lines).toMatchObject([{ event: 'lease_timed_out' }]);
    }));
});

describe('usage', () => {
  const ringAll = ({ timers }: LedgerBench): void => {
    for (const { fire } of [...timers]) fire();
  };

  it('is handed over with the next lease, summed up', () =>
    withWorld(async ({ bench, isolate, asked }) => {
      const { get } = isolate();
      for (const _ of Array(3)) await get('token', '/hit');
      await get('other', '/hit');
      await get('third');
      expect(asked.map(({ usages }) => usages.length)).toEqual([0, 1, 1]);
      expect(asked[1]?.usages).toEqual([
        { ...hit, token: 'token', outcomes: { hit: 3 }, saved: 30, latencyMs: 6 },
      ]);
      expect(bench.ledger.getBudget().saved.day).toBe(40);
    }));

  it('is handed over after 5 seconds at the latest, by one timer for all calls', () =>
    withWorld(async ({ bench, isolate, notes }) => {
      const { get, settle } = isolate();
      await Promise.all(Array.from({ length: 10 }, () => get('token', '/hit')));
      expect(bench.timers.map(({ ms }) => ms)).toEqual([5000]);
      ringAll(bench);
      await settle();
      expect(notes.count).toBe(1);
      expect(listEntries(bench, 'saved')).toMatchObject([{ saved: 100, calls: 10 }]);
      await get('token', '/hit');
      expect(bench.timers).toHaveLength(1);
    }));

  it('that could not be handed over is kept for the next time, by a lease and by itself', () =>
    withWorld(async ({ bench, isolate, between }) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {});
      const { get, settle } = isolate();
      await get('token', '/hit');
      between.way = () => Promise.reject(new Error('out of reach'));
      await get('other', '/hit');
      ringAll(bench);
      await settle();
      expect(bench.ledger.getBudget().saved.day).toBe(0);
      const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
      expect(lines).toMatchObject([
        { event: 'lease_failed', error: 'Error' },
        { event: 'usage_flush_failed', error: 'Error' },
      ]);
      expect(log.mock.calls.join()).not.toContain('out of reach');
      between.way = undefined;
      await get('token', '/hit');
      ringAll(bench);
      await settle();
      expect(bench.ledger.getBudget().saved.day).toBe(30);
    }));
});
