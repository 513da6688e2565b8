// Cancellation: calls that were not sent are withdrawn and cost nothing; calls that were sent are stated in the answer.
import { describe, expect, it } from 'vitest';
import { company, enrich, payer, withHarness } from './harness.ts';

const ID = '0d2f7a0e-7a51-4b1f-9d3c-0c6a3b6f1c11';
const cancellable = { cancelId: ID, waitMs: 4000 };

/** As many calls as a shard sends at once, and one that waits for a connection. */
const six = ['a1.com', 'a2.com', 'a3.com', 'a4.com', 'a5.com', 'a6.com'].map((website) => enrich(website));

describe('a cancelled request', () => {
  it('is charged for the calls that were sent, and for no other', () =>
    withHarness(async (world) => {
      const asking = world.ask(six, cancellable);
      await world.settle();
      expect(world.provider.keys).toHaveLength(5);
      expect(world.flight.cancelCalls('team', ID)).toBe(1);
      for (const key of [...world.provider.keys]) world.provider.of(key).answer(company(key));
      await world.settle();
      expect(asking.rows?.map(({ outcome }) => outcome)).toEqual([...Array(5).fill('fetched'), 'pending']);
      await world.pass(60_000);
      expect(world.provider.keys).toHaveLength(5);
      expect([world.ledgers.spent, world.ledgers.unsettled, world.gate.out]).toEqual([50, 0, 0]);
    }));

  it('buys nothing if the cancellation arrives before its calls', () =>
    withHarness(async (world) => {
      expect(world.flight.cancelCalls('team', ID)).toBe(0);
      const asking = world.ask([enrich('a1.com')], cancellable);
      await world.settle();
      expect(asking.rows).toMatchObject([{ outcome: 'unknown', credits: 0 }]);
      expect(world.provider.keys).toEqual([]);
    }));

  it('buys nothing if the cancellation arrives while its keys are compared with the erased ones', () =>
    withHarness(async (world) => {
      const asking = world.ask([enrich('a1.com')], cancellable);
      world.flight.cancelCalls('team', ID);
      await world.settle();
      expect(asking.rows).toMatchObject([{ outcome: 'unknown', credits: 0 }]);
      expect(world.provider.keys).toEqual([]);
    }));

  it('releases the credits of a call whose reservation was under way', () =>
    withHarness(async (world) => {
      const { promise, resolve: reserve } = Promise.withResolvers<void>();
      world.ledgers.delay = promise;
      const asking = world.ask([enrich('a1.com')], cancellable);
      await world.settle();
      world.flight.cancelCalls('team', ID);
      reserve();
      await world.pass(1000);
      expect(asking.rows).toMatchObject([{ outcome: 'pending', credits: 0 }]);
      expect(world.provider.keys).toEqual([]);
      expect([world.ledgers.spent, world.ledgers.unsettled, world.gate.out]).toEqual([0, 0, 0]);
    }));

  it('leaves a call to the team that still waits for it, which then pays', () =>
    withHarness(async (world) => {
      const { promise, resolve: reserve } = Promise.withResolvers<void>();
      world.ledgers.delay = promise;
      world.ask([enrich('a1.com')], cancellable);
      await world.settle();
      const other = world.ask([enrich('a1.com')], { payer: payer('other') });
      await world.settle();
      world.flight.cancelCalls('team', ID);
      reserve();
      await world.settle();
      world.provider.of('a1.com').answer(company('a1.com'));
      await world.pass(1000);
      expect(other.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      const charges = [...world.ledgers.holds].map(([id, { team }]) => [team, world.ledgers.posted.get(id)]);
      expect(charges).toEqual([
        ['team', 0],
        ['other', 10],
      ]);
    }));

  it('of another team, or with another id, goes on', () =>
    withHarness(async (world) => {
      const asking = world.ask(six, cancellable);
      await world.settle();
      expect(world.flight.cancelCalls('other', ID)).toBe(0);
      expect(world.flight.cancelCalls('team', ID.replace('0', '1'))).toBe(0);
      world.provider.script = ({ key }) => company(key);
      for (const key of [...world.provider.keys]) world.provider.of(key).answer(company(key));
      await world.settle();
      expect(asking.rows?.every(({ outcome }) => outcome === 'fetched')).toBe(true);
    }));
});

describe('a request that can be cancelled', () => {
  it('withdraws what was not sent when its answer is due, and waits for what was sent', () =>
    withHarness(async (world) => {
      const asking = world.ask(six, cancellable);
      await world.pass(5000);
      expect(asking.rows).toBeUndefined();
      for (const key of [...world.provider.keys]) world.provider.of(key).answer(company(key));
      await world.settle();
      expect(asking.rows?.map(({ credits }) => credits)).toEqual([10, 10, 10, 10, 10, 0]);
      await world.pass(900_000);
      expect(world.provider.keys).toHaveLength(5);
    }));
});
