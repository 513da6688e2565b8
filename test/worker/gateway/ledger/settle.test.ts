// What came of holds: charges, releases, unclear calls and their corrections, and the lines that tell of them.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call, hold, lines, NOON, setCaps, withLedger } from './ledger-harness.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a settled call', () => {
  it('costs what the provider charged, whether that is what was held, less or more', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 100 });
      const ids = [await hold(books, call(10)), await hold(books, call(10)), await hold(books, call(10))];
      books.ledger.settleMany([10, 4, 13].map((charged, at) => ({ id: ids[at] ?? '', charged })));
      expect(books.ledger.getBudget()).toMatchObject({
        spent: { day: 27, month: 27 },
        held: 0,
        remaining: 73,
      });
      expect(books.ledger.getTokenBudget('token').spent).toEqual({ day: 27, month: 27 });
    }));

  it('is one line that says who, what, when and how much', () =>
    withLedger(async (books) => {
      const id = await hold(books, call(10, 'jo'));
      books.clock.now += 1500;
      books.ledger.settleMany([{ id, charged: 10 }]);
      expect(lines(books)).toEqual([
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
    }));

  it('is posted once, whatever is said of it later and by whichever life of the ledger it is heard', () =>
    withLedger(async (books) => {
      const id = await hold(books, call(10));
      books.ledger.settleMany([
        { id, charged: 10 },
        { id, charged: 10 },
      ]);
      books.open().settleMany([
        { id, charged: 0 },
        { id, charged: 'unclear' },
      ]);
      await books.pass(120_000);
      expect(books.ledger.getBudget()).toMatchObject({ spent: { day: 10 }, unclear: 0, held: 0 });
      expect(lines(books)).toHaveLength(1);
    }));

  it('is booked to the day and month of its reservation', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10, month: 10 });
      books.clock.now = Date.UTC(2026, 8, 30, 23, 59, 59);
      const id = await hold(books, call(10));
      books.clock.now = Date.UTC(2026, 9, 1, 0, 0, 1);
      const today = await hold(books, call(10));
      expect(books.ledger.getBudget()).toMatchObject({ held: 20, spent: { day: 0, month: 0 }, remaining: 0 });
      books.ledger.settleMany([
        { id, charged: 10 },
        { id: today, charged: 0 },
      ]);
      expect(books.ledger.getBudget()).toMatchObject({ spent: { day: 0, month: 0 }, held: 0, remaining: 10 });
      expect(lines(books, 'charge')).toMatchObject([{ day: '2026-09-30', at: books.clock.now }]);
      books.clock.now = Date.UTC(2026, 8, 30, 12);
      expect(books.ledger.getBudget().spent).toEqual({ day: 10, month: 10 });
    }));

  it('that nobody reserved is left out, and logged without saying what it was about', () =>
    withLedger(async (books) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {});
      books.ledger.settleMany([
        { id: 'nobody’s', charged: 0 },
        { id: 'nobody’s', charged: 5 },
      ]);
      expect(lines(books)).toEqual([]);
      expect(log.mock.calls).toEqual([
        [JSON.stringify({ event: 'unknown_settlement', reservation: 'nobody’s', charged: 5 })],
      ]);
    }));
});

describe('an unclear call', () => {
  it('is what becomes of a hold that nobody settles within 60 seconds, by the alarm', () =>
    withLedger(async (books) => {
      const early = await hold(books, call(10));
      books.clock.now += 20_000;
      await hold(books, call(5));
      expect(books.alarm.at).toBe(NOON + 60_000);
      await books.pass(39_999);
      expect(books.ledger.getBudget()).toMatchObject({ held: 15, unclear: 0 });
      await books.pass(1);
      expect(books.ledger.getBudget()).toMatchObject({ held: 5, unclear: 10, spent: { day: 10 } });
      expect(lines(books)).toMatchObject([
        { kind: 'unclear', reference: early, note: 'not settled in time' },
      ]);
      await books.pass(20_000);
      expect(books.ledger.getBudget()).toMatchObject({ held: 0, unclear: 15, spent: { day: 15 } });
    }));

  it('expires also after a restart', () =>
    withLedger(async (books) => {
      await hold(books, call(10));
      books.alarm.at = undefined;
      books.open();
      await books.pass(60_000);
      expect(books.ledger.getBudget()).toMatchObject({ held: 0, unclear: 10 });
    }));

  it.each([
    [10, 0],
    [0, -10],
    [7, -3],
    [12, 2],
  ])('is corrected when it is heard late that %i were charged', (charged, credits) =>
    withLedger(async (books) => {
      const id = await hold(books, call(10));
      await books.pass(60_000);
      books.ledger.settleMany([{ id, charged }]);
      books.ledger.settleMany([{ id, charged: 3 }]);
      expect(books.ledger.getBudget()).toMatchObject({ spent: { day: charged, month: charged }, unclear: 0 });
      expect(lines(books)).toMatchObject([
        { kind: 'unclear', credits: 10 },
        { kind: 'correction', credits, reference: id, token: 'token', subject: 'hmac-of-a', calls: 0 },
      ]);
    }),
  );

  it('is corrected on the day of its reservation', () =>
    withLedger(async (books) => {
      const id = await hold(books, call(10));
      await books.pass(86_400_000);
      books.ledger.settleMany([{ id, charged: 0 }]);
      expect(books.ledger.getBudget().spent).toEqual({ day: 0, month: 0 });
      expect(lines(books, 'correction')).toMatchObject([{ day: '2026-09-15', at: NOON + 86_400_000 }]);
      books.clock.now = NOON;
      expect(books.ledger.getBudget().spent).toEqual({ day: 0, month: 0 });
    }));
});

describe('a hold', () => {
  it('of a data request is not taken for unclear, however long it takes, also where others are', () =>
    withLedger(async (books) => {
      const lasting = await hold(books, { ...call(30), operation: 'bulk' });
      await hold(books, call(10));
      await books.pass(5 * 3_600_000);
      expect(books.ledger.getBudget()).toMatchObject({ held: 30, unclear: 10, spent: { day: 10 } });
      books.open();
      await books.pass(5 * 3_600_000);
      expect(books.ledger.getBudget()).toMatchObject({ held: 30 });
      books.ledger.settleMany([{ id: lasting, charged: 20 }]);
      expect(books.ledger.getBudget()).toMatchObject({ held: 0, spent: { month: 30 } });
      expect(lines(books, 'charge')).toMatchObject([{ credits: 20, operation: 'bulk' }]);
    }));
});

describe('reconciling', () => {
  it('resolves unclear calls one way or the other, and no others', () =>
    withLedger(async (books) => {
      const ids: string[] = [];
      for (const credits of [1, 2, 4, 8]) ids.push(await hold(books, call(credits)));
      const [charged = '', free = '', settled = '', open = ''] = ids;
      books.ledger.settleMany([
        { id: charged, charged: 'unclear' },
        { id: free, charged: 'unclear' },
        { id: settled, charged: 4 },
      ]);
      expect(books.ledger.reconcile([charged, settled, open, 'unknown'], true)).toBe(1);
      expect(books.ledger.reconcile([free, settled, free, open, charged], false)).toBe(1);
      expect(books.ledger.getBudget()).toMatchObject({ spent: { day: 5 }, held: 8, unclear: 0 });
      expect(lines(books, 'correction')).toMatchObject([
        { reference: charged, credits: 0 },
        { reference: free, credits: -2 },
      ]);
    }));

  it('is overruled by what the provider turns out to have charged', () =>
    withLedger(async (books) => {
      const id = await hold(books, call(10));
      books.ledger.settleMany([{ id, charged: 'unclear' }]);
      books.ledger.reconcile([id], false);
      books.ledger.settleMany([{ id, charged: 10 }]);
      expect(books.ledger.getBudget()).toMatchObject({ spent: { day: 10 }, unclear: 0 });
      expect(lines(books).map(({ credits }) => credits)).toEqual([10, -10, 10]);
      expect(books.ledger.reconcile([id], false)).toBe(0);
    }));
});
