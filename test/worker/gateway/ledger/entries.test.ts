// The lines of a ledger: in order, in pages, by what was asked, and never changed.
import { describe, expect, it } from 'vitest';
import { call, hits, hold, lines, withLedger } from './ledger-harness.ts';

describe('entries', () => {
  it('are read in pages, by number, oldest first', () =>
    withLedger((books) => {
      for (let number = 1; number <= 5; number += 1) books.ledger.topUp({ id: `${number}`, credits: number });
      const page = (after?: number) =>
        books.ledger
          .listEntries({ limit: 2, ...(after === undefined ? {} : { after }) })
          .map(({ number }) => number);
      expect([page(), page(2), page(4), page(5)]).toEqual([[1, 2], [3, 4], [5], []]);
    }));

  it('tell of what was set, and by no token', () =>
    withLedger((books) => {
      books.ledger.setBudget({ caps: { day: 5 }, spending: false });
      books.ledger.setToken('jo', { caps: { month: 7 }, ratePerMinute: 60 });
      expect(lines(books)).toMatchObject([
        { kind: 'budget', credits: 0, note: '{"caps":{"day":5},"spending":false}' },
        { kind: 'budget', credits: 0, note: '{"token":"jo","caps":{"month":7},"ratePerMinute":60}' },
      ]);
      expect(books.ledger.getBudget().caps).toEqual({ day: 5, month: null });
      expect(books.ledger.getTokenBudget('jo').caps).toEqual({ day: null, month: 7 });
    }));

  it('tell what was saved, one line for each handed over that saved something', () =>
    withLedger((books) => {
      books.ledger.recordUsage([
        { ...hits(3, 30), outcomes: { hit: 1, stale: 1, coalesced: 1, fetched: 5, failed: 2 } },
        hits(2, 0),
      ]);
      expect(lines(books)).toMatchObject([
        { kind: 'saved', token: 'token', operation: 'enrich', saved: 30, credits: 0, calls: 3 },
      ]);
      expect(books.ledger.getBudget().saved).toEqual({ day: 30, month: 30 });
    }));

  it('are found by what was asked, newest first', () =>
    withLedger(async (books) => {
      const ids: string[] = [];
      for (const subject of ['a', 'b', 'a']) ids.push(await hold(books, { ...call(10), subject }));
      books.ledger.settleMany(ids.map((id) => ({ id, charged: 10 })));
      expect(books.ledger.listEntriesBySubject('a').map(({ number }) => number)).toEqual([3, 1]);
      expect(books.ledger.listEntriesBySubject('c')).toEqual([]);
    }));
});
