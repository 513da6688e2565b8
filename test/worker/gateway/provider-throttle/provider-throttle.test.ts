// The provider throttle and its Durable Object: permits, waiting, fairness, blocks, circuit breaker and restarts.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../../../worker/gateway/provider-call.ts';
import {
  getProviderThrottle,
  ProviderThrottleObject,
} from '../../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import type { Purpose } from '../../../../worker/gateway/provider-throttle/types.ts';
import { ProblemError } from '../../../../worker/http/problem-error.ts';
import {
  buildReportedCall,
  Clock,
  countBusiestWindow,
  START,
  type ThrottleBench,
  throttleTest,
  watch,
  withThrottle,
} from './throttle-harness.ts';

describe('acquire', () => {
  throttleTest(
    'refuses at once if the queue is full, with the expected time',
    5,
    async ({ acquire, send, throttle }) => {
      await send(5);
      void acquire({ team: 'large', calls: 1_000_000, waitMs: 60_000 });
      expect(await acquire({ team: 'large', calls: 10, waitMs: 60_000 })).toEqual({
        granted: 0,
        retryAt: START + 501_000,
        isBreakerOpen: false,
      });
      expect(throttle.getState().waiting).toBe(2_500);
    },
  );
});

describe('the pace', () => {
  throttleTest(
    'follows the limit that the provider reports, even for waiting calls',
    1,
    async ({ acquire, send, report, clock, throttle }) => {
      const grantedAt = await send();
      const waiting = watch(acquire({ calls: 30, waitMs: 10_000 }));
      await clock.pass(100);
      report({ grantedAt, limitPerS: 20 });
      await clock.pass(0);
      expect(waiting.permit).toMatchObject({ granted: 19 });
      expect(throttle.getState().pace).toEqual({ perS: 20, reported: true, grantedPerS: 20 });
    },
  );

  throttleTest(
    'stops after a 429 and is lower afterwards',
    10,
    async ({ acquire, send, report, clock, throttle }) => {
      const grantedAt = await send(2);
      clock.now += 200;
      report({ grantedAt, outcome: 'rate_limited' });
      expect((await acquire({ calls: 10 })).granted).toBe(0);
      const waiting = watch(acquire({ calls: 10, waitMs: 10_000 }));
      await clock.pass(924);
      expect(waiting.permit).toBeUndefined();
      await clock.pass(1);
      expect(waiting.permit).toMatchObject({ granted: 8, grantedAt: START + 1_125 });
      expect(throttle.getState().pace).toEqual({ perS: 10, reported: false, grantedPerS: 8 });
    },
  );
});

describe('the breaker', () => {
  throttleTest('refuses waiting and new calls once it opens', 10, async (bench) => {
    const grantedAt = await bench.send(10);
    const waiting = watch(bench.acquire({ waitMs: 60_000 }));
    for (let call = 0; call < 10; call += 1) {
      bench.report({ grantedAt, outcome: 'failed', call: buildReportedCall(call) });
    }
    await bench.clock.pass(0);
    const away = { granted: 0, retryAt: START + 5_000, isBreakerOpen: true };
    expect(waiting.permit).toEqual(away);
    expect(await bench.acquire({ waitMs: 60_000 })).toEqual(away);
    expect([bench.clock.timers, bench.throttle.getState().breaker]).toEqual([
      0,
      { state: 'open', since: START },
    ]);
  });
});

/** Fails ten purchases of a team. */
async function failTeam(bench: ThrottleBench, team: string): Promise<void> {
  const { granted, grantedAt = 0 } = await bench.acquire({ team, calls: 10 });
  for (let call = 0; call < granted; call += 1) {
    bench.report({ grantedAt, outcome: 'failed', call: buildReportedCall(call, { team }) });
  }
}

describe('a provider that fails for two teams', () => {
  throttleTest('is probed by every other team before it gets more calls', 100, async (bench) => {
    const { acquire, report, clock } = bench;
    for (const team of ['one', 'two']) await failTeam(bench, team);
    const probe = await acquire({ team: 'three', calls: 10 });
    expect(probe).toMatchObject({ granted: 1 });
    // Its other calls wait for the probe.
    expect(await acquire({ team: 'three' })).toMatchObject({ granted: 0, isBreakerOpen: false });
    const call = buildReportedCall('probe', { team: 'three' });
    report({ grantedAt: probe.grantedAt ?? 0, outcome: 'failed', call });
    await clock.pass(5_000);
    expect(await acquire({ team: 'three' })).toMatchObject({ granted: 0, isBreakerOpen: true });
    expect(await acquire({ team: 'three', purpose: 'search', calls: 10 })).toMatchObject({ granted: 10 });
  });

  throttleTest('gets all calls of a team that it answers', 100, async (bench) => {
    const grantedAt = await bench.send();
    bench.report({ grantedAt, call: buildReportedCall('answered') });
    for (const team of ['one', 'two']) await failTeam(bench, team);
    expect(await bench.acquire({ calls: 10 })).toMatchObject({ granted: 10 });
  });

  throttleTest('is forgotten in time', 100, async (bench) => {
    for (const team of ['one', 'two']) await failTeam(bench, team);
    expect(bench.throttle.getState().breaker.state).toBe('open');
    await bench.clock.pass(120_000);
    expect(await bench.acquire({ team: 'three', calls: 10 })).toMatchObject({ granted: 10 });
    expect(bench.throttle.getState().breaker.state).toBe('half_open');
    await bench.clock.pass(600_000);
    expect(bench.throttle.getState().breaker.state).toBe('closed');
  });
});

describe('calls in flight', () => {
  throttleTest(
    'are counted until they are reported or lost',
    10,
    async ({ send, report, throttle, clock }) => {
      const grantedAt = await send(4);
      clock.now += 10;
      report({ grantedAt });
      report();
      report({ grantedAt, outcome: 'unused' });
      expect(throttle.getState().open).toBe(1);
      clock.now += 60_000;
      expect(throttle.getState().open).toBe(0);
    },
  );
});

describe('a restart', () => {
  throttleTest('keeps the reported pace and exceeds it by at most one window', 5, async (bench) => {
    bench.report({ limitPerS: 3 });
    await bench.clock.pass(1_000);
    const grantedAt = await bench.send(3);
    expect(await bench.acquire()).toMatchObject({ granted: 0 });
    bench.restart();
    expect(bench.throttle.getState().pace).toEqual({ perS: 3, reported: true, grantedPerS: 3 });
    expect(await bench.acquire({ calls: 10 })).toMatchObject({ granted: 3, grantedAt });
    expect(await bench.acquire()).toMatchObject({ granted: 0, retryAt: START + 2_000 });
  });

  throttleTest('writes only changes', 50, async (bench) => {
    bench.report({ limitPerS: 20 });
    bench.report({ grantedAt: await bench.send(), balance: 500 });
    const before = bench.written();
    for (let call = 0; call < 20; call += 1) {
      await bench.clock.pass(1_000);
      bench.report({ grantedAt: await bench.send(), limitPerS: 20, balance: 500 });
    }
    expect(bench.written()).toBe(before);
    bench.report({ grantedAt: await bench.send(), charged: 10, balance: 490 });
    expect(bench.written()).toBe(before + 1);
  });
});

describe('permits with random arrivals', () => {
  const arrival = fc.record({
    gap: fc.constantFrom(0, 0, 1, 7, 150, 400, 1_000, 2_500),
    purpose: fc.constantFrom<Purpose>('search', 'purchase'),
    team: fc.constantFrom('a', 'b', 'c'),
    lane: fc.constantFrom<Lane>('formula', 'bulk'),
    calls: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 })),
    waitMs: fc.constantFrom(0, 100, 1_000, 5_000, 30_000),
  });

  it('never exceed the pace, are never lost, and are never delayed while calls are free', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(arrival, { maxLength: 40 }),
        (perS, arrivals) =>
          withThrottle(perS, async ({ acquire, clock, throttle }) => {
            const granted: number[] = [];
            const pending = new Set<Promise<void>>();
            const lastWindow = (): number => granted.filter((time) => time > clock.now - 1_000).length;
            for (const { gap, ...request } of arrivals) {
              await clock.pass(gap);
              if (throttle.getState().waiting > 0) expect(lastWindow()).toBe(perS);
              const until = clock.now + request.waitMs;
              const answer = acquire(request).then((permit) => {
                expect(clock.now).toBeLessThanOrEqual(until);
                expect(permit.granted).toBeLessThanOrEqual(request.calls);
                if (permit.granted === 0) {
                  expect(clock.now).toBe(until);
                  expect(permit.retryAt).toBeGreaterThan(clock.now);
                }
                for (let call = 0; call < permit.granted; call += 1) granted.push(clock.now);
                pending.delete(answer);
              });
              pending.add(answer);
            }
            await clock.pass(30_000);
            expect([pending.size, throttle.getState().waiting, clock.timers]).toEqual([0, 0, 0]);
            expect(countBusiestWindow(granted)).toBeLessThanOrEqual(perS);
          }),
      ),
      { numRuns: 25 },
    ));
});

const blocked = {
  granted: 0,
  isBreakerOpen: false,
  blockedBy: 'provider_out_of_credits',
  retryAt: START + 3_000,
};

describe('a call that the account can’t pay for', () => {
  it.each([
    ['without a balance', {}, [0, 1, 9], [10, 20]],
    ['with a balance of 5', { balance: 5 }, [0, 1, 5], [6, 10, 20]],
    ['with a balance of 0', { balance: 0 }, [0], [1, 10, 20]],
    ['with a balance above its price', { balance: 15 }, [0, 10, 15], [16, 20]],
  ])('%s blocks only more expensive calls', (_, said, granted, refused) =>
    withThrottle(100, async ({ acquire, send, report }) => {
      report({ grantedAt: await send(), unpaidCredits: 10, ...said });
      for (const credits of granted) expect(await acquire({ credits })).toMatchObject({ granted: 1 });
      for (const credits of refused) expect(await acquire({ credits, waitMs: 60_000 })).toEqual(blocked);
    }),
  );

  throttleTest('blocks nothing if it was free', 100, async ({ acquire, send, report }) => {
    report({ grantedAt: await send(), unpaidCredits: 0 });
    for (const credits of [0, 1, 20]) expect(await acquire({ credits })).toMatchObject({ granted: 1 });
  });

  throttleTest(
    'refuses waiting calls that cost as much, and keeps the others',
    1,
    async ({ acquire, send, report, clock }) => {
      const grantedAt = await send();
      const paid = watch(acquire({ credits: 10, waitMs: 60_000 }));
      const free = watch(acquire({ credits: 0, waitMs: 60_000 }));
      const covered = watch(acquire({ team: 'other', credits: 1, waitMs: 60_000 }));
      await clock.pass(100);
      report({ grantedAt, unpaidCredits: 10 });
      await clock.pass(0);
      expect(paid.permit).toMatchObject({ blockedBy: 'provider_out_of_credits' });
      expect([free.permit, covered.permit]).toEqual([undefined, undefined]);
      await clock.pass(2_000);
      expect([free.permit, covered.permit]).toMatchObject([{ granted: 1 }, { granted: 1 }]);
    },
  );

  throttleTest('is sent again after three seconds', 100, async ({ acquire, send, report, clock }) => {
    report({ grantedAt: await send(), unpaidCredits: 10, balance: 0 });
    await clock.pass(2_999);
    expect(await acquire({ credits: 10 })).toEqual(blocked);
    await clock.pass(1);
    expect(await acquire({ credits: 10 })).toMatchObject({ granted: 1 });
  });
});

describe('a refused API key', () => {
  throttleTest('blocks every call for three seconds', 100, async ({ acquire, send, report, clock }) => {
    report({ grantedAt: await send(), accessRefused: 'key' });
    const away = {
      granted: 0,
      isBreakerOpen: false,
      blockedBy: 'provider_refused',
      retryAt: START + 3_000,
    };
    for (const credits of [0, 1, 20]) expect(await acquire({ credits, waitMs: 60_000 })).toEqual(away);
    await clock.pass(3_000);
    expect(await acquire({ credits: 0 })).toMatchObject({ granted: 1 });
  });

  throttleTest('blocks no call with another key, whatever happens to it', 100, async (bench) => {
    const { acquire, send, report } = bench;
    report({ grantedAt: await send(1, { key: 'old' }), key: 'old', accessRefused: 'key' });
    expect(await acquire({ key: 'old' })).toMatchObject({ granted: 0, blockedBy: 'provider_refused' });
    expect(await acquire({ key: 'new' })).toMatchObject({ granted: 1 });
    // Calls that were sent with the old key before it was blocked.
    for (let late = 0; late < 20; late += 1)
      report({
        call: buildReportedCall(late, { team: `team ${late % 4}`, area: `area ${late % 3}` }),
        key: 'old',
        accessRefused: late % 2 === 0 ? 'key' : 'call',
      });
    report({ key: 'old', unpaidCredits: 5, balance: 0 });
    expect(await acquire({ key: 'new', credits: 5 })).toMatchObject({ granted: 1 });
    // An answer to the new key says nothing about the old one.
    report({ grantedAt: await send(1, { key: 'new' }), key: 'new', call: buildReportedCall('fine') });
    expect(await acquire({ key: 'old' })).toMatchObject({ granted: 0 });
  });

  it.each([
    ['blocks everyone if it is refused to two teams for two families', 'company_base', false, 0],
    ['blocks only these teams if it is one family', 'company_clean', false, 1],
    ['blocks only one team if a call is answered between', 'company_base', true, 1],
  ])('(403) %s', (_, area, isAnswered, others) =>
    withThrottle(100, async ({ acquire, send, report, clock }) => {
      const refuse = async (team: string, refusedArea: string): Promise<void> => {
        for (let question = 0; question < 3; question += 1) {
          expect(await acquire({ team })).toMatchObject({ granted: 1 });
          const call = buildReportedCall(question, { team, area: refusedArea });
          report({ grantedAt: clock.now, accessRefused: 'call', call });
        }
        expect(await acquire({ team })).toMatchObject({ granted: 0, blockedBy: 'provider_refused' });
      };
      await refuse('one', 'company_clean');
      if (isAnswered) report({ grantedAt: await send(), call: buildReportedCall('answered') });
      await refuse('two', area);
      expect(await acquire({ team: 'three' })).toMatchObject({ granted: others });
      await clock.pass(3_000);
      for (const team of ['one', 'two', 'three'])
        expect(await acquire({ team })).toMatchObject({ granted: 1 });
    }),
  );
});

describe('ProviderThrottleObject', () => {
  it('answers over RPC', async () => {
    const throttle = getProviderThrottle(env, 'wire');
    const permit = await throttle.acquire({
      team: 'team',
      purpose: 'purchase',
      lane: 'bulk',
      calls: 2,
      credits: 0,
      waitMs: 0,
    });
    expect(permit).toMatchObject({ granted: 2, isBreakerOpen: false });
    expect(await throttle.getState()).toMatchObject({
      open: 2,
      waiting: 0,
      breaker: { state: 'closed' },
      resolved: [],
    });
    const { grantedAt = 0 } = permit;
    expect(
      await throttle.report([{ outcome: 'answered', grantedAt, balance: 100, charged: 10, unclear: 0 }]),
    ).toEqual({ resolved: [] });
    await throttle.acknowledge([{ team: 'team', id: 'unknown' }]);
    expect(await throttle.getState()).toMatchObject({
      open: 1,
      balance: { reported: 100, expected: 100, drift: 0 },
    });
  });

  it('keeps the reported pace and balance after an eviction, and drops calls in flight', async () => {
    const throttle = getProviderThrottle(env, 'evicted');
    await throttle.report([{ outcome: 'answered', limitPerS: 9, balance: 70, charged: 0, unclear: 0 }]);
    await throttle.acquire({
      team: 'team',
      purpose: 'purchase',
      lane: 'formula',
      calls: 9,
      credits: 0,
      waitMs: 0,
    });
    await evictDurableObject(throttle);
    expect(await throttle.getState()).toMatchObject({
      pace: { perS: 9, reported: true },
      open: 0,
      balance: { reported: 70, expected: 70 },
    });
  });

  it('reads its pace from the settings, and rejects an invalid one', () =>
    runInDurableObject(getProviderThrottle(env, 'configured'), async (_instance, state) => {
      const clock = new Clock();
      const platform = { now: () => clock.now, sleep: (ms: number) => clock.after(ms), random: () => 0.5 };
      const throttle = new ProviderThrottleObject(state, { ...env, PROVIDER_RATE_PER_S: '2' }, platform);
      const source = { team: 'team', purpose: 'purchase' } as const;
      const ask = { ...source, lane: 'formula', calls: 5, credits: 0, waitMs: 0 } as const;
      expect(await throttle.acquire(ask)).toMatchObject({ granted: 2, grantedAt: START });
      expect(await throttle.acquire(ask)).toEqual({
        granted: 0,
        retryAt: START + 1_000,
        isBreakerOpen: false,
      });
      expect(
        () => new ProviderThrottleObject(state, { ...env, PROVIDER_RATE_PER_S: 'fast' }, platform),
      ).toThrow(ProblemError);
    }));
});
