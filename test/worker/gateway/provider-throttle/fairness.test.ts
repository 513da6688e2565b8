// Fairness and pace with random arrivals.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../../../worker/gateway/provider-call.ts';
import { countBusiestWindow, withThrottle } from './throttle-harness.ts';

describe('permits with random arrivals', () => {
  const arrival = fc.record({
    gap: fc.constantFrom(0, 0, 1, 7, 150, 400, 1_000, 2_500),
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
      { numRuns: 60 },
    ));
});
