// The pace: never more than it allows, as much as it allows, less for a while after a refusal.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pace, readConfiguredRate } from '../../../../worker/gateway/provider-throttle/pace.ts';
import { ConfigurationError } from '../../../../worker/gateway/upstream/configured-upstream.ts';
import { START } from './throttle-harness.ts';

const pace = (perS: number, random = 0): Pace => new Pace(() => random, perS, undefined);

describe('the configured pace', () => {
  it.each(['0', '-1', '2.5', '10000', 'five', ' 5', '1e3'])('%j is refused', (text) => {
    expect(() => readConfiguredRate({ PROVIDER_RATE_PER_S: text })).toThrow(ConfigurationError);
  });
});

describe('a window of 1,000 ms', () => {
  it('has room for the pace and no more, until its first grants are a second old', () => {
    const five = pace(5);
    five.recordGrants(3, START);
    five.recordGrants(2, START + 400);
    expect([400, 999, 1_000, 1_399, 1_400].map((ms) => five.countAllowed(START + ms))).toEqual([
      0, 0, 3, 3, 5,
    ]);
  });
});

describe('a turn', () => {
  it('is expected at the moment at which it comes, whatever goes before', () => {
    const delays = fc.array(fc.nat(700), { maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), delays, fc.nat(30), (perS, gaps, ahead) => {
        const asked = pace(perS);
        let now = START;
        for (const gap of gaps) {
          now += gap;
          if (asked.countAllowed(now) > 0) asked.recordGrants(1, now);
        }
        const expected = asked.estimateGrantAt(ahead, now);
        let granted = 0;
        for (let at = now; ; at += 1) {
          const turns = asked.countAllowed(at);
          if (granted + turns > ahead) {
            expect(expected).toBe(at);
            return;
          }
          if (turns > 0) asked.recordGrants(turns, at);
          granted += turns;
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('what the provider says', () => {
  it('holds at once, also when it is less than was granted', () => {
    const learnt = pace(5);
    learnt.recordGrants(5, START);
    expect(learnt.setLimit(8)).toBe(true);
    expect(learnt.countAllowed(START)).toBe(3);
    expect(learnt.setLimit(2)).toBe(true);
    expect([0, 999, 1_000].map((ms) => learnt.countAllowed(START + ms))).toEqual([0, 0, 2]);
  });
});

describe('after a 429', () => {
  it('nothing is granted until Retry-After is over', () => {
    const refused = pace(5);
    refused.recordRateLimit(START, 3_000, START + 100);
    expect([101, 3_099, 3_100].map((ms) => refused.countAllowed(START + ms) > 0)).toEqual([
      false,
      false,
      true,
    ]);
    expect(refused.estimateGrantAt(0, START + 200)).toBe(START + 3_100);
  });

  it('nothing is granted until the next second has begun, and a little chance', () => {
    const early = pace(5, 0);
    early.recordRateLimit(START, undefined, START + 300);
    expect([999, 1_000].map((ms) => early.countAllowed(START + ms) > 0)).toEqual([false, true]);
    const late = pace(5, 0.999);
    late.recordRateLimit(START, undefined, START + 300);
    expect([1_000, 1_248, 1_249].map((ms) => late.countAllowed(START + ms) > 0)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('a Retry-After of a year does not close the gate for a year', () => {
    const refused = pace(5);
    refused.recordRateLimit(START, 365 * 86_400_000, START);
    expect(refused.countAllowed(START + 3_600_000)).toBeGreaterThan(0);
  });

  it('the pace falls by a fifth each time, to one at least, and climbs back step by step to the limit', () => {
    const refused = pace(50);
    for (const second of [1, 2, 3])
      refused.recordRateLimit(START + second * 1_000, undefined, START + second * 1_000 + 100);
    const after = START + 3_100;
    expect(refused.getRate(after)).toBe(25);
    expect([1_999, 2_000, 4_000, 8_000, 10_000, 60_000].map((ms) => refused.getRate(after + ms))).toEqual([
      25, 30, 35, 45, 50, 50,
    ]);
    for (let at = after + 1; at < after + 100; at += 1) refused.recordRateLimit(at, undefined, at);
    expect(refused.getRate(after + 100)).toBe(1);
  });

  it('calls that were on their way when the pace fell do not lower it again', () => {
    const refused = pace(50);
    refused.recordRateLimit(START, undefined, START + 500);
    for (const grantedAt of [10, 499, 500])
      refused.recordRateLimit(START + grantedAt, undefined, START + 600);
    expect(refused.getRate(START + 600)).toBe(40);
  });
});
