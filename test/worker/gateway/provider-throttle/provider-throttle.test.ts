// The gate as a whole: when calls are let through, what becomes of those who wait, and what a restart forgets.
import { describe, expect, it } from 'vitest';
import { START, watch, withGate } from './throttle-harness.ts';

describe('who asks', () => {
  it('is granted at once what there is room for, also a part', () =>
    withGate(5, async ({ ask }) => {
      expect(await ask({ calls: 3, waitMs: 1_000 })).toEqual({
        granted: 3,
        grantedAt: START,
        retryAt: START,
        isBreakerOpen: false,
      });
      expect(await ask({ calls: 4, waitMs: 1_000 })).toMatchObject({ granted: 2 });
    }));

  it('is told a later time where others go before', () =>
    withGate(5, async ({ ask, send }) => {
      await send(5);
      void ask({ team: 'other', calls: 12, waitMs: 60_000 });
      void ask({ team: 'team', calls: 12, waitMs: 60_000 });
      expect((await ask({ team: 'other' })).retryAt).toBe(START + 5_000);
      expect((await ask({ team: 'third' })).retryAt).toBe(START + 1_000);
      expect((await ask({ team: 'third', lane: 'bulk' })).retryAt).toBe(START + 2_000);
    }));

  it('waits for a turn until the time is over, and no longer', () =>
    withGate(1, async ({ ask, send, clock }) => {
      await send();
      const patient = watch(ask({ waitMs: 5_000 }));
      const hasty = watch(ask({ waitMs: 500 }));
      await clock.pass(499);
      expect([patient, hasty]).toEqual([{}, {}]);
      await clock.pass(1);
      expect(hasty.permit).toEqual({ granted: 0, retryAt: START + 2_000, isBreakerOpen: false });
      await clock.pass(500);
      expect(patient.permit).toMatchObject({ granted: 1, grantedAt: START + 1_000 });
    }));

  it('is refused at once while the queue is full, and told when a turn is expected', () =>
    withGate(5, async ({ ask, send, gate }) => {
      await send(5);
      void ask({ team: 'large', calls: 1_000_000, waitMs: 60_000 });
      expect(await ask({ team: 'large', calls: 10, waitMs: 60_000 })).toEqual({
        granted: 0,
        retryAt: START + 501_000,
        isBreakerOpen: false,
      });
      expect(gate.getState().waiting).toBe(2_500);
    }));
});

describe('the pace', () => {
  it('is learnt from the provider, for those who wait too', () =>
    withGate(1, async ({ ask, send, tell, clock, gate }) => {
      const grantedAt = await send();
      const waiting = watch(ask({ calls: 30, waitMs: 10_000 }));
      await clock.pass(100);
      tell({ grantedAt, limitPerS: 20 });
      await clock.pass(0);
      expect(waiting.permit).toMatchObject({ granted: 19 });
      expect(gate.getState().pace).toEqual({ perS: 20, learnt: true, grantedPerS: 20 });
    }));

  it('stands still after a 429, and is lower afterwards', () =>
    withGate(10, async ({ ask, send, tell, clock, gate }) => {
      const grantedAt = await send(2);
      clock.now += 200;
      tell({ grantedAt, outcome: 'rate_limited' });
      expect((await ask({ calls: 10 })).granted).toBe(0);
      const waiting = watch(ask({ calls: 10, waitMs: 10_000 }));
      await clock.pass(924);
      expect(waiting.permit).toBeUndefined();
      await clock.pass(1);
      expect(waiting.permit).toMatchObject({ granted: 8, grantedAt: START + 1_125 });
      expect(gate.getState().pace).toEqual({ perS: 10, learnt: false, grantedPerS: 8 });
    }));
});

describe('the breaker', () => {
  it('that opens sends away all who wait and all who come, at once', () =>
    withGate(10, async (bench) => {
      const grantedAt = await bench.send(10);
      const waiting = watch(bench.ask({ waitMs: 60_000 }));
      for (let call = 0; call < 10; call += 1) bench.tell({ grantedAt, outcome: 'failed' });
      await bench.clock.pass(0);
      const away = { granted: 0, retryAt: START + 5_000, isBreakerOpen: true };
      expect(waiting.permit).toEqual(away);
      expect(await bench.ask({ waitMs: 60_000 })).toEqual(away);
      expect([bench.clock.timers, bench.gate.getState().breaker]).toEqual([
        0,
        { state: 'open', since: START },
      ]);
    }));
});

describe('calls on their way', () => {
  it('are counted until they are reported, with or without the time of their permit, or lost', () =>
    withGate(10, async ({ send, tell, gate, clock }) => {
      const grantedAt = await send(4);
      clock.now += 10;
      tell({ grantedAt });
      tell();
      tell({ grantedAt, outcome: 'unused' });
      expect(gate.getState().open).toBe(1);
      clock.now += 60_000;
      expect(gate.getState().open).toBe(0);
    }));
});

describe('a restart', () => {
  it('keeps the learnt pace, and exceeds it by no more than one window', () =>
    withGate(5, async (bench) => {
      bench.tell({ limitPerS: 3 });
      await bench.clock.pass(1_000);
      const grantedAt = await bench.send(3);
      expect(await bench.ask()).toMatchObject({ granted: 0 });
      bench.restart();
      expect(bench.gate.getState().pace).toEqual({ perS: 3, learnt: true, grantedPerS: 3 });
      expect(await bench.ask({ calls: 10 })).toMatchObject({ granted: 3, grantedAt });
      expect(await bench.ask()).toMatchObject({ granted: 0, retryAt: START + 2_000 });
    }));

  it('writes only what changes', () =>
    withGate(50, async (bench) => {
      bench.tell({ limitPerS: 20 });
      bench.tell({ grantedAt: await bench.send(), balance: 500 });
      const before = bench.written();
      for (let call = 0; call < 20; call += 1) {
        await bench.clock.pass(1_000);
        bench.tell({ grantedAt: await bench.send(), limitPerS: 20, balance: 500 });
      }
      expect(bench.written()).toBe(before);
      bench.tell({ grantedAt: await bench.send(), charged: 10, balance: 490 });
      expect(bench.written()).toBe(before + 1);
    }));
});
