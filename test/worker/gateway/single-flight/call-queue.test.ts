// Turns at the gate: five calls at once, no team in the way of another, nobody asked for in vain.
import { describe, expect, it } from 'vitest';
import type { Permit } from '../../../../worker/gateway/provider-throttle/types.ts';
import type { CallRequest } from '../../../../worker/gateway/single-flight/types.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { company, enrich, payer, type SingleFlightHarness, START, withHarness } from './harness.ts';

const PAUSE_MS = 400;

const websites = (name: string, count: number): CallRequest[] =>
  Array.from({ length: count }, (_, at) => enrich(`${name}${at + 1}.com`));

/** Asks for so many websites that bear the name of their team. */
const askAs = (
  world: SingleFlightHarness,
  team: string,
  count: number,
  more: Parameters<SingleFlightHarness['ask']>[1] = {},
) => world.ask(websites(team, count), { payer: payer(team), ...more });

const refusal = (more: Partial<Permit> = {}): Permit => ({
  granted: 0,
  retryAt: START,
  isBreakerOpen: false,
  ...more,
});

/** Answers the call that was sent first. */
async function answerOne(world: SingleFlightHarness): Promise<void> {
  const [sent] = world.provider.open;
  sent?.answer(company(sent.key));
  await world.settle();
}

describe('connections', () => {
  it('are five at once, and go to every team in turn where the provider is slow', () =>
    withHarness(async (world) => {
      askAs(world, 'many', 40, { lane: 'bulk' });
      await world.settle();
      askAs(world, 'few', 4);
      await world.settle();
      for (let answered = 0; answered < 44; answered += 1) {
        expect(world.provider.open).toHaveLength(Math.min(5, 44 - answered));
        await answerOne(world);
      }
      // Behind the five that were there first, no call of the small team waits for more than two of the large one.
      const last = world.provider.keys.findLastIndex((key) => key.startsWith('few'));
      expect(last).toBeLessThan(5 + 3 * 4);
      await world.pass(1000);
      expect(world.gate.out).toBe(0);
    }));

  it('that a team waits for at the gate are not kept from others, and a turn that finds none free is not lost', () =>
    withHarness(async (world) => {
      const turn = Promise.withResolvers<undefined>();
      world.gate.answer = ({ team }) => (team === 'bulk' ? turn.promise : undefined);
      askAs(world, 'bulk', 100, { lane: 'bulk' });
      await world.settle();
      askAs(world, 'formula', 3);
      await world.settle();
      expect(world.provider.keys[0]).toBe('formula1.com');
      turn.resolve(undefined);
      await world.settle();
      expect(world.provider.open).toHaveLength(5);
      for (let answered = 0; answered < 103; answered += 1) await answerOne(world);
      expect(world.provider.sent).toHaveLength(103);
      await world.pass(1000);
      expect(world.gate.out).toBe(0);
    }));
});

describe('a turn', () => {
  it('is asked for once for calls that come together, and again for what was not granted', () =>
    withHarness(async (world) => {
      world.gate.answer = ({ calls }) => refusal({ granted: Math.min(2, calls), grantedAt: START });
      askAs(world, 'one', 3);
      await world.settle();
      expect(world.gate.acquired.map(({ calls }) => calls)).toEqual([3, 1]);
    }));

  it('comes sooner to background work that somebody comes to look at', () =>
    withHarness(async (world) => {
      const turn = Promise.withResolvers<undefined>();
      world.gate.answer = ({ lane }) => (lane === 'bulk' ? turn.promise : undefined);
      askAs(world, 'one', 3, { lane: 'bulk' });
      await world.settle();
      world.ask([enrich('one3.com')], { payer: payer('one') });
      await world.settle();
      expect(world.provider.keys).toEqual(['one3.com']);
    }));
});

describe('where the gate has no turn', () => {
  it('it is asked again after a pause and never without one, and tells when a turn is expected', () =>
    withHarness(async (world) => {
      world.gate.answer = () => refusal({ retryAt: START + 7000 });
      const waitMs = 10 * PAUSE_MS - 1;
      const asking = world.ask([enrich('a1.com')], { waitMs });
      await world.pass(waitMs);
      expect(world.gate.acquired).toHaveLength(10);
      expect(asking.rows).toMatchObject([{ outcome: 'pending', retryAfterMs: 7000 - waitMs }]);
    }));

  // "Our own object is unreachable" and "the provider is down" are different problems. (issue 14, 5)
  it.each([
    ['can’t be reached', 'gateway_unavailable', PAUSE_MS, [1, 2]],
    ['says that the breaker is open', 'provider_unavailable', 5000, []],
  ] as const)(
    'a gate that %s is told to those who wait, and work in the background goes on later',
    (_, problem, retryAfterMs, attempts) =>
      withHarness(async (world) => {
        const lines = captureErrorLog();
        let down = true;
        world.gate.answer = () => {
          if (!down) return undefined;
          if (problem === 'gateway_unavailable') throw new Error('gone');
          return refusal({ isBreakerOpen: true, retryAt: world.clock.now + retryAfterMs });
        };
        const waits = world.ask([enrich('a1.com')]);
        world.ask([enrich('b2.com')], { background: true, waitMs: 0 });
        await world.pass(PAUSE_MS);
        const told = [{ outcome: 'failed', problem, retryAfterMs, credits: 0 }];
        expect(waits.rows).toMatchObject(told);
        // Whoever comes now is told at once.
        expect(await world.rows([enrich('c3.com')])).toMatchObject([{ problem }]);
        expect(lines).toMatchObject(
          attempts.map((attempt) => ({ event: 'provider_throttle_unreachable', attempt })),
        );
        down = false;
        world.provider.script = ({ key }) => company(key);
        await world.pass(retryAfterMs);
        expect(world.provider.keys).toEqual(['b2.com']);
      }),
  );

  it('a gate that fails once is asked again before anyone is told', () =>
    withHarness(async (world) => {
      captureErrorLog();
      world.gate.answer = () => {
        if (world.gate.acquired.length === 1) throw new Error('evicted');
        return undefined;
      };
      const asking = world.ask([enrich('a1.com')]);
      await world.pass(PAUSE_MS);
      expect(asking.rows).toBeUndefined();
      expect(world.provider.keys).toEqual(['a1.com']);
    }));
});
