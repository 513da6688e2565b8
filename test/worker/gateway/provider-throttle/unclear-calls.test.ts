// Unclear calls with random providers and restarts: a charged call is never resolved as not charged.
import fc from 'fast-check';
import { expect } from 'vitest';
import { START, type ThrottleBench, throttleTest } from './throttle-harness.ts';

const PRICE = 10;
const PURCHASE = 5_000;
/** Timeout of a call. */
const TIMEOUT_MS = 10_000;

/** A simulated call. */
interface SimulatedCall {
  /** Milliseconds after the previous call. */
  gap: number;
  charged: boolean;
  /** How long the provider takes to charge a call that timed out. */
  chargedAfter: number;
  answeredAfter: number;
  /** `silent`: the response has no balance. `lost`: the call is never reported. */
  answer: 'told' | 'silent' | 'unclear' | 'lost';
  bought: boolean;
  restart: boolean;
}

const rarely = fc.integer({ min: 0, max: 30 }).map((chance) => chance === 0);
const simulatedCall: fc.Arbitrary<SimulatedCall> = fc.record({
  gap: fc.constantFrom(1, 300, 2_000, 20_000, 70_000, 70_000),
  charged: fc.boolean(),
  chargedAfter: fc.integer({ min: 1, max: 18_000 }),
  answeredAfter: fc.integer({ min: 1, max: 1_000 }),
  answer: fc.oneof(
    { weight: 20, arbitrary: fc.constant('told' as const) },
    { weight: 4, arbitrary: fc.constant('unclear' as const) },
    { weight: 1, arbitrary: fc.constant('silent' as const) },
    { weight: 1, arbitrary: fc.constant('lost' as const) },
  ),
  bought: rarely,
  restart: rarely,
});

interface Event {
  at: number;
  happen: () => Promise<void> | void;
}

/** Lists the events of a call. `account` is the provider's. */
function listEvents(
  simulated: SimulatedCall,
  id: string,
  at: number,
  account: { balance: number },
  bench: ThrottleBench,
): Event[] {
  const unclear = simulated.answer === 'unclear';
  const answeredAt = at + (unclear ? TIMEOUT_MS : simulated.answeredAfter);
  const call = { grantedAt: at, balance: 0 };
  const events: Event[] = [
    {
      at,
      happen: async () => {
        if (simulated.restart) bench.restart();
        if (simulated.bought) account.balance += PURCHASE;
        call.grantedAt = await bench.send();
      },
    },
    {
      // An answered call was charged before.
      at: unclear ? at + simulated.chargedAfter : answeredAt - 0.5,
      happen: () => {
        if (simulated.charged) account.balance -= PRICE;
        call.balance = account.balance;
      },
    },
  ];
  if (simulated.answer === 'lost') return events;
  const report = unclear
    ? { charged: 0, unclear: PRICE, unclearReservations: [{ team: 'team', id, credits: PRICE }] }
    : { charged: simulated.charged ? PRICE : 0 };
  const sendReport = (): void => {
    bench.report({
      ...report,
      grantedAt: call.grantedAt,
      ...(simulated.answer === 'told' ? { balance: call.balance } : {}),
    });
  };
  return [...events, { at: answeredAt, happen: sendReport }];
}

/** A period ends with a resolution, another call becomes unclear, and the throttle restarts before it would save the period. */
const restartAfterResolution: SimulatedCall[] = (
  [
    [1, false, 'told', true],
    [1, true, 'told', true],
    [1, false, 'unclear', true],
    [70_000, false, 'told', true],
    [1, false, 'told', false],
    [1, true, 'unclear', false],
    [70_000, false, 'silent', true],
    [1, false, 'told', true],
  ] as const
).map(([gap, charged, answer, restart], at) => ({
  gap,
  charged,
  answer,
  restart,
  chargedAfter: 1,
  answeredAfter: at === 3 ? 2 : 1,
  bought: at !== 1 && at !== 2 && at !== 3 && at !== 4,
}));

throttleTest('never resolves a charged call as not charged', 1_000, async (bench) => {
  const resolutions = { charged: 0, not_charged: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(simulatedCall, { minLength: 15, maxLength: 40 }), async (simulatedCalls) => {
      for (const table of ['balance', 'unclear']) bench.storage.sql.exec(`DELETE FROM ${table}`);
      bench.clock.now = START;
      bench.restart();
      const account = { balance: 1_000_000 };
      let at = START;
      const events = simulatedCalls.flatMap((simulated, number) => {
        at += simulated.gap;
        return listEvents(simulated, String(number), at, account, bench);
      });
      for (const event of events.sort((a, b) => a.at - b.at)) {
        bench.clock.now = Math.ceil(event.at);
        await event.happen();
        const { resolved } = bench.throttle.getState();
        for (const { id, resolved: result } of resolved) {
          resolutions[result] += 1;
          if (result === 'not_charged') expect(simulatedCalls[Number(id)]?.charged).toBe(false);
        }
        bench.throttle.acknowledge(resolved);
      }
    }),
    { numRuns: 150, examples: [[restartAfterResolution]] },
  );
  expect(resolutions.charged).toBeGreaterThan(10);
  expect(resolutions.not_charged).toBeGreaterThan(10);
});
