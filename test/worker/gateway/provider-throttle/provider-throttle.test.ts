// The throttle: permits, waiting, circuit breaker and restarts.
import { describe, expect, it } from 'vitest';
import { START, watch, withThrottle } from './throttle-harness.ts';

describe('acquire', () => {
  it('grants as many calls as are free', () =>
    withThrottle(5, async ({ acquire }) => {
      expect(await acquire({ calls: 3, waitMs: 1_000 })).toEqual({
        granted: 3,
        grantedAt: START,
        retryAt: START,
        isBreakerOpen: false,
      });
      expect(await acquire({ calls: 4, waitMs: 1_000 })).toMatchObject({ granted: 2 });
    }));

  it('returns a later retry time if others are ahead', () =>
    withThrottle(5, async ({ acquire, send }) => {
      await send(5);
      void acquire({ team: 'other', calls: 12, waitMs: 60_000 });
      void acquire({ team: 'team', calls: 12, waitMs: 60_000 });
      expect((await acquire({ team: 'other' })).retryAt).toBe(START + 5_000);
      expect((await acquire({ team: 'third' })).retryAt).toBe(START + 1_000);
      expect((await acquire({ team: 'third', lane: 'bulk' })).retryAt).toBe(START + 2_000);
    }));

  it('waits for a call until its deadline', () =>
    withThrottle(1, async ({ acquire, send, clock }) => {
      await send();
      const patient = watch(acquire({ waitMs: 5_000 }));
      const hasty = watch(acquire({ waitMs: 500 }));
      await clock.pass(499);
      expect([patient, hasty]).toEqual([{}, {}]);
      await clock.pass(1);
      expect(hasty.permit).toEqual({ granted: 0, retryAt: START + 2_000, isBreakerOpen: false });
      await clock.pass(500);
      expect(patient.permit).toMatchObject({ granted: 1, grantedAt: START + 1_000 });
    }));

  it('refuses at once if the queue is full, with the expected time', () =>
    withThrottle(5, async ({ acquire, send, throttle }) => {
      await send(5);
      void acquire({ team: 'large', calls: 1_000_000, waitMs: 60_000 });
      expect(await acquire({ team: 'large', calls: 10, waitMs: 60_000 })).toEqual({
        granted: 0,
        retryAt: START + 501_000,
        isBreakerOpen: false,
      });
      expect(throttle.getState().waiting).toBe(2_500);
    }));
});

describe('the pace', () => {
  it('follows the limit that the provider reports, even for waiting calls', () =>
    withThrottle(1, async ({ acquire, send, report, clock, throttle }) => {
      const grantedAt = await send();
      const waiting = watch(acquire({ calls: 30, waitMs: 10_000 }));
      await clock.pass(100);
      report({ grantedAt, limitPerS: 20 });
      await clock.pass(0);
      expect(waiting.permit).toMatchObject({ granted: 19 });
      expect(throttle.getState().pace).toEqual({ perS: 20, learnt: true, grantedPerS: 20 });
    }));

  it('stops after a 429 and is lower afterwards', () =>
    withThrottle(10, async ({ acquire, send, report, clock, throttle }) => {
      const grantedAt = await send(2);
      clock.now += 200;
      report({ grantedAt, outcome: 'rate_limited' });
      expect((await acquire({ calls: 10 })).granted).toBe(0);
      const waiting = watch(acquire({ calls: 10, waitMs: 10_000 }));
      await clock.pass(924);
      expect(waiting.permit).toBeUndefined();
      await clock.pass(1);
      expect(waiting.permit).toMatchObject({ granted: 8, grantedAt: START + 1_125 });
      expect(throttle.getState().pace).toEqual({ perS: 10, learnt: false, grantedPerS: 8 });
    }));
});

describe('the breaker', () => {
  it('refuses waiting and new calls once it opens', () =>
    withThrottle(10, async (bench) => {
      const grantedAt = await bench.send(10);
      const waiting = watch(bench.acquire({ waitMs: 60_000 }));
      for (let call = 0; call < 10; call += 1) bench.report({ grantedAt, outcome: 'failed' });
      await bench.clock.pass(0);
      const away = { granted: 0, retryAt: START + 5_000, isBreakerOpen: true };
      expect(waiting.permit).toEqual(away);
      expect(await bench.acquire({ waitMs: 60_000 })).toEqual(away);
      expect([bench.clock.timers, bench.throttle.getState().breaker]).toEqual([
        0,
        { state: 'open', since: START },
      ]);
    }));
});

describe('calls in flight', () => {
  it('are counted until they are reported or lost', () =>
    withThrottle(10, async ({ send, report, throttle, clock }) => {
      const grantedAt = await send(4);
      clock.now += 10;
      report({ grantedAt });
      report();
      report({ grantedAt, outcome: 'unused' });
      expect(throttle.getState().open).toBe(1);
      clock.now += 60_000;
      expect(throttle.getState().open).toBe(0);
    }));
});

describe('a restart', () => {
  it('keeps the reported pace and exceeds it by at most one window', () =>
    withThrottle(5, async (bench) => {
      bench.report({ limitPerS: 3 });
      await bench.clock.pass(1_000);
      const grantedAt = await bench.send(3);
      expect(await bench.acquire()).toMatchObject({ granted: 0 });
      bench.restart();
      expect(bench.throttle.getState().pace).toEqual({ perS: 3, learnt: true, grantedPerS: 3 });
      expect(await bench.acquire({ calls: 10 })).toMatchObject({ granted: 3, grantedAt });
      expect(await bench.acquire()).toMatchObject({ granted: 0, retryAt: START + 2_000 });
    }));

  it('writes only changes', () =>
    withThrottle(50, async (bench) => {
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
    }));
});
