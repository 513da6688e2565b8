// Whatever providers, callers and restarts do: no call that was charged is said not to have been.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GateBench, START, withGate } from './throttle-harness.ts';

const PRICE = 10;
const BOUGHT = 5_000;
/** When a flight gives a call up. */
const GIVEN_UP_MS = 10_000;

/** What becomes of a call, and what happens when it is sent. */
interface Fate {
  /** Milliseconds after the call before. */
  gap: number;
  charged: boolean;
  /** How long the provider takes to charge a call that was given up. */
  chargedAfter: number;
  answeredAfter: number;
  /** `silent`: the answer says nothing of the balance. `lost`: nobody reports the call. */
  answer: 'told' | 'silent' | 'unclear' | 'lost';
  bought: boolean;
  restart: boolean;
}

const seldom = fc.integer({ min: 0, max: 30 }).map((chance) => chance === 0);
const fate: fc.Arbitrary<Fate> = fc.record({
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
  bought: seldom,
  restart: seldom,
});

interface Event {
  at: number;
  happen: () => Promise<void> | void;
}

/** The events of one call; `account` is the provider's. */
function eventsOf(
  one: Fate,
  id: string,
  at: number,
  account: { balance: number },
  bench: GateBench,
): Event[] {
  const unclear = one.answer === 'unclear';
  const answeredAt = at + (unclear ? GIVEN_UP_MS : one.answeredAfter);
  const call = { grantedAt: at, balance: 0 };
  const events: Event[] = [
    {
      at,
      happen: async () => {
        if (one.restart) bench.restart();
        if (one.bought) account.balance += BOUGHT;
        call.grantedAt = await bench.send();
      },
    },
    {
      // A call that is answered was charged before.
      at: unclear ? at + one.chargedAfter : answeredAt - 0.5,
      happen: () => {
        if (one.charged) account.balance -= PRICE;
        call.balance = account.balance;
      },
    },
  ];
  if (one.answer === 'lost') return events;
  const report = unclear
    ? { charged: 0, unclear: PRICE, unclearReservations: [{ team: 'team', id, credits: PRICE }] }
    : { charged: one.charged ? PRICE : 0 };
  const tell = (): void => {
    bench.tell({
      ...report,
      grantedAt: call.grantedAt,
      ...(one.answer === 'told' ? { balance: call.balance } : {}),
    });
  };
  return [...events, { at: answeredAt, happen: tell }];
}

it('no call that was charged is said not to have been', () =>
  withGate(1_000, async (bench) => {
    const told = { charged: 0, not_charged: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { minLength: 15, maxLength: 40 }), async (fates) => {
        for (const table of ['balance', 'unclear']) bench.storage.sql.exec(`DELETE FROM ${table}`);
        bench.clock.now = START;
        bench.restart();
        const account = { balance: 1_000_000 };
        let at = START;
        const events = fates.flatMap((one, number) => {
          at += one.gap;
          return eventsOf(one, String(number), at, account, bench);
        });
        for (const event of events.sort((a, b) => a.at - b.at)) {
          bench.clock.now = Math.ceil(event.at);
          await event.happen();
          const { resolved } = bench.gate.getState();
          for (const { id, resolved: result } of resolved) {
            told[result] += 1;
            if (result === 'not_charged') expect(fates[Number(id)]?.charged).toBe(false);
          }
          bench.gate.acknowledge(resolved);
        }
      }),
      { numRuns: 400 },
    );
    expect(told.charged).toBeGreaterThan(30);
    expect(told.not_charged).toBeGreaterThan(30);
  }));
