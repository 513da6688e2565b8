// The count of the provider's balance: drift, purchases, and what became of unclear calls.
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../../worker/gateway/provider-throttle/types.ts';
import { type GateBench, withGate } from './throttle-harness.ts';

const MINUTE_MS = 60_000;

const reservation = (id: string, credits = 10) => ({ team: 'team', id, credits });

/** One call after the other, each alone: sent, and reported a little later. */
async function one(bench: GateBench, report: Partial<Report>): Promise<void> {
  bench.clock.now += 1_000;
  const grantedAt = await bench.send();
  bench.clock.now += 100;
  bench.tell({ ...report, grantedAt });
}

/** Hears a first balance, and one more that matches, so that the count is known to be exact. */
async function begin(bench: GateBench, balance: number): Promise<void> {
  await one(bench, { balance: balance + 10 });
  await one(bench, { charged: 10, balance });
}

const unclear = (id: string): Partial<Report> => ({
  outcome: 'failed',
  unclear: 10,
  unclearReservations: [reservation(id)],
});

const balanceOf = ({ gate }: GateBench) => gate.getState().balance;

describe('the balance', () => {
  it('is expected to fall by what we know was charged, from the first that was told', () =>
    withGate(5, async (bench) => {
      await one(bench, { charged: 10, balance: 1_000 });
      await one(bench, { charged: 10, balance: 990 });
      await one(bench, { charged: 20, balance: 970 });
      expect(balanceOf(bench)).toEqual({
        reported: 970,
        reportedAt: bench.clock.now,
        expected: 970,
        drift: 0,
        unclear: 0,
      });
    }));

  it('shows what somebody else spent as drift', () =>
    withGate(5, async (bench) => {
      await begin(bench, 1_000);
      await one(bench, { charged: 10, balance: 960 });
      expect(balanceOf(bench)).toMatchObject({ reported: 960, expected: 990, drift: 30 });
      await one(bench, { charged: 10, balance: 945 });
      expect(balanceOf(bench)).toMatchObject({ reported: 945, expected: 980, drift: 35 });
    }));

  it('shows no drift for calls at the same time, in whatever order they are answered', () =>
    withGate(5, async (bench) => {
      await begin(bench, 1_000);
      bench.clock.now += 1_000;
      const grantedAt = await bench.send(3);
      const drifts = [980, 970, 990].map((balance) => {
        bench.clock.now += 10;
        bench.tell({ grantedAt, charged: 10, balance });
        return balanceOf(bench)?.drift;
      });
      expect(drifts).toEqual([0, 0, 0]);
      expect(balanceOf(bench)).toMatchObject({ reported: 970, expected: 970, unclear: 0 });
    }));
});

describe('credits that were bought', () => {
  it('begin a new count, without the drift of the old one', () =>
    withGate(5, async (bench) => {
      await begin(bench, 1_000);
      await one(bench, { balance: 950 });
      await one(bench, { charged: 10, balance: 10_940 });
      expect(balanceOf(bench)).toMatchObject({ reported: 10_940, expected: 10_940, drift: 0 });
      await one(bench, { charged: 10, balance: 10_930 });
      expect(balanceOf(bench)).toMatchObject({ reported: 10_930, expected: 10_930, drift: 0 });
    }));
});

describe('an unclear call', () => {
  it('was not charged if the balance shows nothing missing', () =>
    withGate(5, async (bench) => {
      await begin(bench, 1_000);
      await one(bench, unclear('a'));
      expect(balanceOf(bench)?.unclear).toBe(10);
      bench.clock.now += MINUTE_MS;
      await one(bench, { charged: 10, balance: 990 });
      expect(bench.gate.getState()).toMatchObject({
        balance: { reported: 990, expected: 990, drift: 0, unclear: 0 },
        resolved: [{ team: 'team', id: 'a', credits: 10, resolved: 'not_charged' }],
      });
    }));

  it('was charged if its credits are missing, together with the others', () =>
    withGate(5, async (bench) => {
      await begin(bench, 1_000);
      await one(bench, unclear('a'));
      await one(bench, unclear('b'));
      bench.clock.now += MINUTE_MS;
      await one(bench, { charged: 10, balance: 970 });
      expect(bench.gate.getState()).toMatchObject({
        balance: { reported: 970, expected: 970, drift: 0, unclear: 0 },
        resolved: [
          { id: 'a', resolved: 'charged' },
          { id: 'b', resolved: 'charged' },
        ],
      });
    }));

  it('stays open and is shown if the balance says neither', () =>
    withGate(5, async (bench) => {
      await begin(bench, 1_000);
      await one(bench, unclear('a'));
      await one(bench, unclear('b'));
      bench.clock.now += MINUTE_MS;
      await one(bench, { charged: 10, balance: 980 });
      await one(bench, { charged: 10, balance: 970 });
      expect(bench.gate.getState()).toMatchObject({
        balance: { reported: 970, expected: 980, drift: 10, unclear: 20 },
        resolved: [],
      });
      await one(bench, unclear('c'));
      bench.clock.now += MINUTE_MS;
      await one(bench, { balance: 970 });
      expect(bench.gate.getState()).toMatchObject({
        balance: { drift: 10, unclear: 20 },
        resolved: [{ id: 'c', resolved: 'not_charged' }],
      });
    }));

  it('is not taken for free by a provider whose count was never exact, such as one that counts late', () =>
    withGate(5, async (bench) => {
      await one(bench, { balance: 1_000 });
      await one(bench, unclear('a'));
      bench.clock.now += MINUTE_MS;
      await one(bench, { charged: 10, balance: 990 });
      expect(bench.gate.getState()).toMatchObject({ resolved: [], balance: { drift: 0, unclear: 10 } });
    }));

  it('is told of until it is acknowledged, also after a restart', () =>
    withGate(5, async (bench) => {
      await begin(bench, 1_000);
      await one(bench, unclear('a'));
      await one(bench, unclear('b'));
      bench.clock.now += MINUTE_MS;
      await one(bench, { charged: 10, balance: 990 });
      bench.restart();
      expect(bench.tell().resolved.map(({ id }) => id)).toEqual(['a', 'b']);
      bench.gate.acknowledge([{ team: 'team', id: 'a' }, reservation('unknown')]);
      expect(bench.gate.getState().resolved.map(({ id }) => id)).toEqual(['b']);
      bench.restart();
      expect(bench.tell().resolved.map(({ id }) => id)).toEqual(['b']);
    }));

  it('is kept a thousand times at most', () =>
    withGate(5, async (bench) => {
      const rows = () =>
        bench.storage.sql.exec<{ rows: number }>('SELECT count(*) AS rows FROM unclear').one().rows;
      for (const round of ['a', 'b', 'c']) {
        await begin(bench, 100_000);
        const ids = Array.from({ length: 1_500 }, (_, number) => reservation(`${round}-${number}`));
        await one(bench, { outcome: 'failed', unclear: 15_000, unclearReservations: ids });
        expect(rows()).toBeLessThanOrEqual(2_000);
        bench.clock.now += MINUTE_MS;
        await one(bench, { balance: 100_000 });
        expect(rows()).toBe(1_000);
      }
      expect(bench.gate.getState().resolved).toHaveLength(100);
      expect(bench.gate.getState().resolved[0]?.id).toBe('c-0');
    }));
});
