// Settlements: charges, releases, unclear calls, corrections and their entries.
import { describe, expect, it } from 'vitest';
import { captureErrorLog } from '../../logged-errors.ts';
import { call, ledgerTest, listEntries, NOON, reserveOne, setCaps, withLedger } from './ledger-harness.ts';

describe('settleMany', () => {
  ledgerTest('changes nothing if a part of it fails', async (bench) => {
    setCaps(bench, { day: 100 });
    const settlement = { id: await reserveOne(bench, call(10)), charged: 10 };
    const settle = () => bench.ledger.reserveMany([], 0, [settlement]);
    bench.sql.exec('ALTER TABLE usage RENAME TO unavailable');
    await expect(settle()).rejects.toThrow('no such table');
    bench.sql.exec('ALTER TABLE unavailable RENAME TO usage');
    expect(bench.ledger.getBudget()).toMatchObject({ spent: { day: 0 }, reserved: 10, remaining: 90 });
    await settle();
    expect(bench.ledger.getBudget()).toMatchObject({ spent: { day: 10 }, reserved: 0, remaining: 90 });
  });

  ledgerTest('books what the provider charged: the price or less; more is disputed', async (bench) => {
    setCaps(bench, { day: 100 });
    const ids = [
      await reserveOne(bench, call(10)),
      await reserveOne(bench, call(10)),
      await reserveOne(bench, call(10)),
    ];
    bench.ledger.settleMany([10, 4, 13].map((charged, at) => ({ id: ids[at] ?? '', charged })));
    expect(bench.ledger.getBudget()).toMatchObject({
      spent: { day: 24, month: 24 },
      reserved: 0,
      remaining: 76,
      disputed: 3,
    });
    expect(bench.ledger.getTokenBudget('token').spent).toEqual({ day: 24, month: 24 });
  });

  ledgerTest('bounds corrections of unclear calls by the reservation, too', async (bench) => {
    const id = await reserveOne(bench, call(10));
    bench.ledger.settleMany([{ id, charged: 'unclear' }]);
    bench.ledger.settleMany([{ id, charged: 1_000_000 }]);
    bench.restart().settleMany([{ id, charged: 1_000_000, disputed: 5 }]);
    expect(bench.ledger.getBudget()).toMatchObject({ spent: { day: 10 }, unclear: 0, disputed: 999_990 });
    expect(listEntries(bench).map(({ kind, credits }) => [kind, credits])).toEqual([
      ['unclear', 10],
      ['correction', 0],
      ['disputed', 0],
    ]);
  });

  ledgerTest('books accepted disputes above the caps, drops rejected ones, each once', async (bench) => {
    setCaps(bench, { day: 20 });
    const accepted = await reserveOne(bench, call(10));
    const rejected = await reserveOne(bench, call(10));
    bench.ledger.settleMany([
      { id: accepted, charged: 25 },
      { id: rejected, charged: 10, disputed: 40 },
    ]);
    // Disputed reservations are kept until they are settled.
    await bench.advance(40 * 86_400_000);
    expect(bench.ledger.listDisputed(9)).toMatchObject([
      { id: accepted, charged: 10, credits: 15 },
      { id: rejected, charged: 10, credits: 40 },
    ]);
    const settle = (id: string, isAccepted: boolean) => bench.ledger.resolveDispute(id, isAccepted);
    expect([settle(accepted, true), settle(accepted, true), settle('unknown', true)]).toEqual([15, 0, 0]);
    expect([settle(rejected, false), settle(rejected, true)]).toEqual([40, 0]);
    expect(bench.ledger.getBudget().disputed).toBe(0);
    expect(
      listEntries(bench)
        .filter(({ kind }) => kind !== 'budget')
        .map(({ kind, day, credits, note }) => [kind, day, credits, note]),
    ).toEqual([
      ['charge', '2026-09-15', 10, undefined],
      ['disputed', '2026-09-15', 0, '15 credits beyond the reservation'],
      ['charge', '2026-09-15', 10, undefined],
      ['disputed', '2026-09-15', 0, '40 credits beyond the reservation'],
      ['correction', '2026-09-15', 15, 'disputed credits, accepted'],
      ['disputed', '2026-09-15', 0, '40 credits, rejected'],
    ]);
  });

  ledgerTest('appends one entry with caller, call, time and credits', async (bench) => {
    const id = await reserveOne(bench, call(10, 'jo'));
    bench.clock.now += 1500;
    bench.ledger.settleMany([{ id, charged: 10 }]);
    expect(listEntries(bench)).toEqual([
      {
        number: 1,
        at: NOON + 1500,
        day: '2026-09-15',
        kind: 'charge',
        token: 'jo',
        operation: 'enrich',
        family: 'company_clean',
        subject: 'hmac-of-a',
        reference: id,
        credits: 10,
        saved: 0,
        calls: 1,
      },
    ]);
  });

  ledgerTest('books a reservation once, whatever is settled later, even after a restart', async (bench) => {
    const id = await reserveOne(bench, call(10));
    bench.ledger.settleMany([
      { id, charged: 10 },
      { id, charged: 10 },
    ]);
    bench.restart().settleMany([
      { id, charged: 0 },
      { id, charged: 'unclear' },
    ]);
    await bench.advance(120_000);
    expect(bench.ledger.getBudget()).toMatchObject({ spent: { day: 10 }, unclear: 0, reserved: 0 });
    expect(listEntries(bench)).toHaveLength(1);
  });

  ledgerTest('books to the day and month of the reservation', async (bench) => {
    setCaps(bench, { day: 10, month: 10 });
    bench.clock.now = Date.UTC(2026, 8, 30, 23, 59, 59);
    const id = await reserveOne(bench, call(10));
    bench.clock.now = Date.UTC(2026, 9, 1, 0, 0, 1);
    const today = await reserveOne(bench, call(10));
    expect(bench.ledger.getBudget()).toMatchObject({
      reserved: 20,
      spent: { day: 0, month: 0 },
      remaining: 0,
    });
    bench.ledger.settleMany([
      { id, charged: 10 },
      { id: today, charged: 0 },
    ]);
    expect(bench.ledger.getBudget()).toMatchObject({
      spent: { day: 0, month: 0 },
      reserved: 0,
      remaining: 10,
    });
    expect(listEntries(bench, 'charge')).toMatchObject([{ day: '2026-09-30', at: bench.clock.now }]);
    bench.clock.now = Date.UTC(2026, 8, 30, 12);
    expect(bench.ledger.getBudget().spent).toEqual({ day: 10, month: 10 });
  });

  ledgerTest('logs an unknown reservation and books nothing', async (bench) => {
    const lines = captureErrorLog();
    bench.ledger.settleMany([
      { id: 'nobody’s', charged: 0 },
      { id: 'nobody’s', charged: 5 },
    ]);
    expect(listEntries(bench)).toEqual([]);
    expect(lines).toEqual([{ event: 'unknown_settlement', reservation: 'nobody’s', charged: 5 }]);
  });
});

describe('an unclear call', () => {
  ledgerTest(
    'results from a reservation that is not settled within 60 seconds, even after a restart',
    async (bench) => {
      const early = await reserveOne(bench, call(10));
      bench.clock.now += 20_000;
      await reserveOne(bench, call(5));
      expect(bench.alarm.at).toBe(NOON + 60_000);
      bench.alarm.at = undefined;
      bench.restart();
      await bench.advance(39_999);
      expect(bench.ledger.getBudget()).toMatchObject({ reserved: 15, unclear: 0 });
      await bench.advance(1);
      expect(bench.ledger.getBudget()).toMatchObject({ reserved: 5, unclear: 10, spent: { day: 10 } });
      expect(listEntries(bench)).toMatchObject([
        { kind: 'unclear', reference: early, note: 'not settled in time' },
      ]);
      await bench.advance(20_000);
      expect(bench.ledger.getBudget()).toMatchObject({ reserved: 0, unclear: 15, spent: { day: 15 } });
    },
  );

  it.each([
    [10, 0],
    [0, -10],
    [7, -3],
  ])('is corrected on the day of its reservation if %i credits were charged', (charged, credits) =>
    withLedger(async (bench) => {
      const id = await reserveOne(bench, call(10));
      await bench.advance(86_400_000);
      bench.ledger.settleMany([{ id, charged }]);
      bench.ledger.settleMany([{ id, charged: 3 }]);
      expect(bench.ledger.getBudget()).toMatchObject({ spent: { day: 0, month: charged }, unclear: 0 });
      expect(listEntries(bench)).toMatchObject([
        { kind: 'unclear', credits: 10 },
        {
          kind: 'correction',
          credits,
          reference: id,
          token: 'token',
          subject: 'hmac-of-a',
          calls: 0,
          day: '2026-09-15',
        },
      ]);
    }),
  );
});

describe('a reservation of a data request', () => {
  ledgerTest('never expires', async (bench) => {
    const lasting = await reserveOne(bench, { ...call(30), operation: 'bulk' });
    await reserveOne(bench, call(10));
    await bench.advance(5 * 3_600_000);
    expect(bench.ledger.getBudget()).toMatchObject({ reserved: 30, unclear: 10, spent: { day: 10 } });
    bench.restart();
    await bench.advance(5 * 3_600_000);
    expect(bench.ledger.getBudget()).toMatchObject({ reserved: 30 });
    bench.ledger.settleMany([{ id: lasting, charged: 20 }]);
    expect(bench.ledger.getBudget()).toMatchObject({ reserved: 0, spent: { month: 30 } });
    expect(listEntries(bench, 'charge')).toMatchObject([{ credits: 20, operation: 'bulk' }]);
  });
});

describe('reconcile', () => {
  ledgerTest('resolves unclear calls and no others', async (bench) => {
    const ids: string[] = [];
    for (const credits of [1, 2, 4, 8]) ids.push(await reserveOne(bench, call(credits)));
    const [charged = '', free = '', settled = '', open = ''] = ids;
    bench.ledger.settleMany([
      { id: charged, charged: 'unclear' },
      { id: free, charged: 'unclear' },
      { id: settled, charged: 4 },
    ]);
    expect(bench.ledger.reconcile([charged, settled, open, 'unknown'], true)).toBe(1);
    expect(bench.ledger.reconcile([free, settled, free, open, charged], false)).toBe(1);
    expect(bench.ledger.getBudget()).toMatchObject({ spent: { day: 5 }, reserved: 8, unclear: 0 });
    expect(listEntries(bench, 'correction')).toMatchObject([
      { reference: charged, credits: 0 },
      { reference: free, credits: -2 },
    ]);
  });

  ledgerTest('is overridden by a later settlement', async (bench) => {
    const id = await reserveOne(bench, call(10));
    bench.ledger.settleMany([{ id, charged: 'unclear' }]);
    bench.ledger.reconcile([id], false);
    bench.ledger.settleMany([{ id, charged: 10 }]);
    expect(bench.ledger.getBudget()).toMatchObject({ spent: { day: 10 }, unclear: 0 });
    expect(listEntries(bench).map(({ credits }) => credits)).toEqual([10, -10, 10]);
    expect(bench.ledger.reconcile([id], false)).toBe(0);
  });
});
