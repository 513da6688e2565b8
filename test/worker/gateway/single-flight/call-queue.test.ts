// Permits and connections: five calls at once, fair between teams, and no wasted permit.
import { describe, expect, it } from 'vitest';
import type { Permit } from '../../../../worker/gateway/provider-throttle/types.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { buildPayer, companyResponse, enrichCall, respondWithCompany } from './builders.ts';
import { type SingleFlightHarness, START, withHarness } from './harness.ts';

const PAUSE_MS = 400;

/** Requests so many websites, named after their team. */
function requestAs(
  harness: SingleFlightHarness,
  team: string,
  count: number,
  options: Parameters<SingleFlightHarness['request']>[1] = {},
) {
  const calls = Array.from({ length: count }, (_, at) => enrichCall(`${team}${at + 1}.com`));
  return harness.request(calls, { payer: buildPayer(team), ...options });
}

const refuse = (permit: Partial<Permit> = {}): Permit => ({
  granted: 0,
  retryAt: START,
  isBreakerOpen: false,
  ...permit,
});

async function answerFirst(harness: SingleFlightHarness): Promise<void> {
  const [sent] = harness.provider.open;
  sent?.answer(companyResponse(sent.key));
  await harness.flush();
}

describe('connections', () => {
  it('are at most five, and a large team does not delay a small one', () =>
    withHarness(async (harness) => {
      requestAs(harness, 'many', 40, { lane: 'bulk' });
      await harness.flush();
      requestAs(harness, 'few', 4);
      await harness.flush();
      for (let answered = 0; answered < 44; answered += 1) {
        expect(harness.provider.open).toHaveLength(Math.min(5, 44 - answered));
        await answerFirst(harness);
      }
      // After the first five calls, each call of the small team waits for at most two of the large team.
      const last = harness.provider.keys.findLastIndex((key) => key.startsWith('few'));
      expect(last).toBeLessThan(5 + 3 * 4);
      await harness.expectSettled(440);
    }));

  it('are not reserved for a team that waits for permits, and no permit is lost', () =>
    withHarness(async (harness) => {
      const permit = Promise.withResolvers<undefined>();
      harness.throttle.decide = ({ team }) => (team === 'bulk' ? permit.promise : undefined);
      requestAs(harness, 'bulk', 100, { lane: 'bulk' });
      await harness.flush();
      requestAs(harness, 'formula', 3);
      await harness.flush();
      expect(harness.provider.keys[0]).toBe('formula1.com');
      permit.resolve(undefined);
      await harness.flush();
      for (let answered = 0; answered < 103; answered += 1) await answerFirst(harness);
      expect(harness.provider.sent).toHaveLength(103);
      await harness.expectSettled(1030);
    }));
});

describe('permits', () => {
  it('are requested once for simultaneous calls, and again for calls without one', () =>
    withHarness(async (harness) => {
      harness.throttle.decide = ({ calls }) => refuse({ granted: Math.min(2, calls), grantedAt: START });
      requestAs(harness, 'team', 3);
      await harness.flush();
      expect(harness.throttle.requests.map(({ calls }) => calls)).toEqual([3, 1]);
    }));

  it('are requested in the formula lane once a formula waits for a background call', () =>
    withHarness(async (harness) => {
      harness.throttle.decide = ({ lane }) => (lane === 'bulk' ? new Promise(() => {}) : undefined);
      requestAs(harness, 'team', 3, { lane: 'bulk' });
      await harness.flush();
      harness.request([enrichCall('team3.com')], { payer: buildPayer('team') });
      await harness.flush();
      expect(harness.provider.keys).toEqual(['team3.com']);
    }));

  it('are requested again after a pause, and the result says when one is expected', () =>
    withHarness(async (harness) => {
      harness.throttle.decide = () => refuse({ retryAt: START + 7000 });
      const waitMs = 10 * PAUSE_MS - 1;
      const request = harness.request([enrichCall('a1.com')], { waitMs });
      await harness.advance(waitMs);
      expect(harness.throttle.requests).toHaveLength(10);
      expect(request.rows).toMatchObject([{ outcome: 'pending', retryAfterMs: 7000 - waitMs }]);
    }));

  it('are requested a second time before a request fails', () =>
    withHarness(async (harness) => {
      captureErrorLog();
      harness.throttle.decide = () => {
        if (harness.throttle.requests.length === 1) throw new Error('evicted');
        return undefined;
      };
      const request = harness.request([enrichCall('a1.com')]);
      await harness.advance(PAUSE_MS);
      expect(request.rows).toBeUndefined();
      expect(harness.provider.keys).toEqual(['a1.com']);
    }));

  // "Our own object is unreachable" and "the provider is down" are different problems.
  it.each([
    ['the throttle is unreachable', 'gateway_unavailable', PAUSE_MS, [1, 2]],
    ['the circuit breaker is open', 'provider_unavailable', 5000, []],
  ] as const)(
    'fail waiting requests at once if %s, while background calls continue later',
    (_, problem, retryAfterMs, attempts) =>
      withHarness(async (harness) => {
        const lines = captureErrorLog();
        let isDown = true;
        harness.throttle.decide = () => {
          if (!isDown) return undefined;
          if (problem === 'gateway_unavailable') throw new Error('unreachable');
          return refuse({ isBreakerOpen: true, retryAt: harness.clock.now + retryAfterMs });
        };
        const waiting = harness.request([enrichCall('a1.com')]);
        harness.request([enrichCall('b2.com')], { background: true, waitMs: 0 });
        await harness.advance(PAUSE_MS);
        expect(waiting.rows).toMatchObject([{ outcome: 'failed', problem, retryAfterMs, credits: 0 }]);
        expect(await harness.fetch([enrichCall('c3.com')])).toMatchObject([{ problem }]);
        expect(lines).toMatchObject(
          attempts.map((attempt) => ({ event: 'provider_throttle_unreachable', attempt })),
        );
        isDown = false;
        harness.provider.script = respondWithCompany;
        await harness.advance(retryAfterMs);
        expect(harness.provider.keys).toEqual(['b2.com']);
      }),
  );
});
