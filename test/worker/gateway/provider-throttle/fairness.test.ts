// Whoever comes when: the pace holds, everybody is answered, and nobody is held up by others who ask for more.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../../../worker/gateway/provider-call.ts';
import { busiest, START, takeAll, watch, withGate } from './throttle-harness.ts';

describe('fairness', () => {
  it('lets a team that asks for one call through in the next window, though another asks for 1,000', () =>
    withGate(50, async (bench) => {
      const large = takeAll(bench, 'large', 1_000);
      await bench.clock.pass(300);
      const small = watch(bench.ask({ team: 'small', waitMs: 10_000 }));
      await bench.clock.pass(700);
      expect(small.permit).toMatchObject({ granted: 1, grantedAt: START + 1_000 });
      await bench.clock.pass(25_000);
      await large;
    }));
});

describe('whoever comes when', () => {
  const arrival = fc.record({
    gap: fc.constantFrom(0, 0, 1, 7, 150, 400, 1_000, 2_500),
    team: fc.constantFrom('a', 'b', 'c'),
    lane: fc.constantFrom<Lane>('formula', 'bulk'),
    calls: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 })),
    waitMs: fc.constantFrom(0, 100, 1_000, 5_000, 30_000),
  });

  it('no window has more than the pace, nobody is lost, nobody waits while there is room', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(arrival, { maxLength: 40 }),
        (perS, arrivals) =>
          withGate(perS, async ({ ask, clock, gate }) => {
            const granted: number[] = [];
            const asked = new Set<Promise<void>>();
            const lastWindow = (): number => granted.filter((time) => time > clock.now - 1_000).length;
            for (const { gap, ...acquire } of arrivals) {
              await clock.pass(gap);
              if (gate.getState().waiting > 0) expect(lastWindow()).toBe(perS);
              const until = clock.now + acquire.waitMs;
              const answer = ask(acquire).then((permit) => {
                expect(clock.now).toBeLessThanOrEqual(until);
                expect(permit.granted).toBeLessThanOrEqual(acquire.calls);
                if (permit.granted === 0) {
                  expect(clock.now).toBe(until);
                  expect(permit.retryAt).toBeGreaterThan(clock.now);
                }
                for (let call = 0; call < permit.granted; call += 1) granted.push(clock.now);
                asked.delete(answer);
              });
              asked.add(answer);
            }
            await clock.pass(30_000);
            expect([asked.size, gate.getState().waiting, clock.timers]).toEqual([0, 0, 0]);
            expect(busiest(granted)).toBeLessThanOrEqual(perS);
          }),
      ),
      { numRuns: 60 },
    ));
});
