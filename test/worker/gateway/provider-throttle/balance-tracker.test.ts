// Balance tracking: drift, purchases, and the resolution of unclear calls.
import { describe, expect } from 'vitest';
import type { Report } from '../../../../worker/gateway/provider-throttle/types.ts';
import { type ThrottleBench, throttleTest } from './throttle-harness.ts';

const MINUTE_MS = 60_000;

const reservation = (id: string, credits = 10) => ({ team: 'team', id, credits });

/** Sends one call and reports it a little later. */
async function sendOne(bench: ThrottleBench, report: Partial<Report>): Promise<void> {
  bench.clock.now += 1_000;
  const grantedAt = await bench.send();
  bench.clock.now += 100;
  bench.report({ ...report, grantedAt });
}

/** Reports two balances that match our count, so that the count is known to be exact. */
async function begin(bench: ThrottleBench, balance: number): Promise<void> {
  await sendOne(bench, { balance: balance + 10 });
  await sendOne(bench, { charged: 10, balance });
}

const unclear = (id: string): Partial<Report> => ({
  outcome: 'failed',
  unclear: 10,
  unclearReservations: [reservation(id)],
});

const getBalance = ({ throttle }: ThrottleBench) => throttle.getState().balance;

describe('the balance', () => {
  throttleTest('expects the balance to fall by the known charges', 5, async (bench) => {
    await sendOne(bench, { charged: 10, balance: 1_000 });
    await sendOne(bench, { charged: 10, balance: 990 });
    await sendOne(bench, { charged: 20, balance: 970 });
    expect(getBalance(bench)).toEqual({
      reported: 970,
      reportedAt: bench.clock.now,
      expected: 970,
      drift: 0,
      unclear: 0,
    });
  });

  throttleTest('reports spending by others as drift', 5, async (bench) => {
    await begin(bench, 1_000);
    await sendOne(bench, { charged: 10, balance: 960 });
    expect(getBalance(bench)).toMatchObject({ reported: 960, expected: 990, drift: 30 });
    await sendOne(bench, { charged: 10, balance: 945 });
    expect(getBalance(bench)).toMatchObject({ reported: 945, expected: 980, drift: 35 });
  });

  throttleTest(
    'shows no drift for concurrent calls, in whatever order they are answered',
    5,
    async (bench) => {
      await begin(bench, 1_000);
      bench.clock.now += 1_000;
      const grantedAt = await bench.send(3);
      const drifts = [980, 970, 990].map((balance) => {
        bench.clock.now += 10;
        bench.report({ grantedAt, charged: 10, balance });
        return getBalance(bench)?.drift;
      });
      expect(drifts).toEqual([0, 0, 0]);
      expect(getBalance(bench)).toMatchObject({ reported: 970, expected: 970, unclear: 0 });
    },
  );
});

describe('a purchase of credits', () => {
  throttleTest('restarts the count without drift', 5, async (bench) => {
    await begin(bench, 1_000);
    await sendOne(bench, { balance: 950 });
    await sendOne(bench, { charged: 10, balance: 10_940 });
    expect(getBalance(bench)).toMatchObject({ reported: 10_940, expected: 10_940, drift: 0 });
    await sendOne(bench, { charged: 10, balance: 10_930 });
    expect(getBalance(bench)).toMatchObject({ reported: 10_930, expected: 10_930, drift: 0 });
  });
});

describe('an unclear call', () => {
  throttleTest('is not charged if the balance matches the known charges', 5, async (bench) => {
    await begin(bench, 1_000);
    await sendOne(bench, unclear('a'));
    expect(getBalance(bench)?.unclear).toBe(10);
    bench.clock.now += MINUTE_MS;
    await sendOne(bench, { charged: 10, balance: 990 });
    expect(bench.throttle.getState()).toMatchObject({
      balance: { reported: 990, expected: 990, drift: 0, unclear: 0 },
      resolved: [{ team: 'team', id: 'a', credits: 10, resolved: 'not_charged' }],
    });
  });

  throttleTest('is charged if its credits are missing', 5, async (bench) => {
    await begin(bench, 1_000);
    await sendOne(bench, unclear('a'));
    await sendOne(bench, unclear('b'));
    bench.clock.now += MINUTE_MS;
    await sendOne(bench, { charged: 10, balance: 970 });
    expect(bench.throttle.getState()).toMatchObject({
      balance: { reported: 970, expected: 970, drift: 0, unclear: 0 },
      resolved: [
        { id: 'a', resolved: 'charged' },
        { id: 'b', resolved: 'charged' },
      ],
    });
  });

  throttleTest('stays unresolved and visible if the balance shows neither', 5, async (bench) => {
    await begin(bench, 1_000);
    await sendOne(bench, unclear('a'));
    await sendOne(bench, unclear('b'));
    bench.clock.now += MINUTE_MS;
    await sendOne(bench, { charged: 10, balance: 980 });
    await sendOne(bench, { charged: 10, balance: 970 });
    expect(bench.throttle.getState()).toMatchObject({
      balance: { reported: 970, expected: 980, drift: 10, unclear: 20 },
      resolved: [],
    });
    await sendOne(bench, unclear('c'));
    bench.clock.now += MINUTE_MS;
    await sendOne(bench, { balance: 970 });
    expect(bench.throttle.getState()).toMatchObject({
      balance: { drift: 10, unclear: 20 },
      resolved: [{ id: 'c', resolved: 'not_charged' }],
    });
  });

  throttleTest("stays unresolved if the provider's count was never exact", 5, async (bench) => {
    await sendOne(bench, { balance: 1_000 });
    await sendOne(bench, unclear('a'));
    bench.clock.now += MINUTE_MS;
    await sendOne(bench, { charged: 10, balance: 990 });
    expect(bench.throttle.getState()).toMatchObject({ resolved: [], balance: { drift: 0, unclear: 10 } });
  });

  throttleTest('is reported until it is acknowledged, even after a restart', 5, async (bench) => {
    await begin(bench, 1_000);
    await sendOne(bench, unclear('a'));
    await sendOne(bench, unclear('b'));
    bench.clock.now += MINUTE_MS;
    await sendOne(bench, { charged: 10, balance: 990 });
    bench.restart();
    expect(bench.report().resolved.map(({ id }) => id)).toEqual(['a', 'b']);
    bench.throttle.acknowledge([{ team: 'team', id: 'a' }, reservation('unknown')]);
    expect(bench.throttle.getState().resolved.map(({ id }) => id)).toEqual(['b']);
    bench.restart();
    expect(bench.report().resolved.map(({ id }) => id)).toEqual(['b']);
  });

  throttleTest('is stored at most a thousand times', 5, async (bench) => {
    const rows = () =>
      bench.storage.sql.exec<{ rows: number }>('SELECT count(*) AS rows FROM unclear').one().rows;
    for (const round of ['a', 'b', 'c']) {
      await begin(bench, 100_000);
      const ids = Array.from({ length: 1_500 }, (_, number) => reservation(`${round}-${number}`));
      await sendOne(bench, { outcome: 'failed', unclear: 15_000, unclearReservations: ids });
      expect(rows()).toBeLessThanOrEqual(2_000);
      bench.clock.now += MINUTE_MS;
      await sendOne(bench, { balance: 100_000 });
      expect(rows()).toBe(1_000);
    }
    expect(bench.throttle.getState().resolved).toHaveLength(100);
    expect(bench.throttle.getState().resolved[0]?.id).toBe('c-0');
  });
});
