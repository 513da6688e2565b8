// Leases: a token's calls are granted in blocks, never more in a window than its limit.
import { describe, expect, it } from 'vitest';
import type { LeaseRequest } from '../../../../worker/gateway/ledger/types.ts';
import { type Books, hits, NOON, setCaps, withLedger } from './ledger-harness.ts';

function granted({ ledger }: Books, wish: Partial<LeaseRequest> = {}, token = 'token'): number | string {
  const lease = ledger.lease(token, { usages: [], ...wish });
  return 'refused' in lease ? lease.refused : lease.granted;
}

describe('a lease', () => {
  it('is a fiftieth of the limit, or as many calls as are wanted', () =>
    withLedger((books) => {
      expect(books.ledger.lease('token', { usages: [] })).toEqual({
        granted: 120,
        limit: 6000,
        windowS: 60,
        endsAt: NOON + 60_000,
        remaining: 1000,
      });
      expect(granted(books, { calls: 1 })).toBe(1);
      books.ledger.setToken('slow', { ratePerMinute: 7 });
      expect(granted(books, {}, 'slow')).toBe(1);
    }));

  it('is never more than the window has left, and nothing when it is used up, until it ends', () =>
    withLedger((books) => {
      books.ledger.setToken('token', { ratePerMinute: 10 });
      expect([granted(books, { calls: 7 }), granted(books, { calls: 7 }), granted(books)]).toEqual([7, 3, 0]);
      expect(granted(books, { calls: 1 }, 'other')).toBe(1);
      books.clock.now += 59_999;
      expect(granted(books)).toBe(0);
      books.clock.now += 1;
      expect(granted(books, { calls: 11 })).toBe(10);
    }));

  it('counts on what was granted before a restart', () =>
    withLedger((books) => {
      books.ledger.setToken('token', { ratePerMinute: 10 });
      granted(books, { calls: 7 });
      books.open();
      expect(granted(books, { calls: 7 })).toBe(3);
    }));

  it('follows the rate that is set, at once', () =>
    withLedger((books) => {
      books.ledger.setToken('token', { ratePerMinute: 10 });
      granted(books, { calls: 10 });
      books.ledger.setToken('token', { ratePerMinute: 12 });
      expect(granted(books, { calls: 10 })).toBe(2);
      books.ledger.setToken('token', { ratePerMinute: 5 });
      expect(granted(books)).toBe(0);
    }));

  it('is refused to a revoked token, whose usage is taken all the same', () =>
    withLedger((books) => {
      books.ledger.setToken('token', { revoked: true });
      expect(granted(books, { usages: [hits(1, 10)] })).toBe('unauthorised');
      expect(books.ledger.getBudget().saved.day).toBe(10);
      books.ledger.setToken('token', { revoked: false });
      expect(granted(books)).toBe(120);
    }));

  it('says what its token may still spend', () =>
    withLedger((books) => {
      books.ledger.setToken('token', { caps: { month: 40 } });
      expect(books.ledger.lease('token', { usages: [] })).toMatchObject({ remaining: 40 });
      setCaps(books, {});
      expect(books.ledger.lease('other', { usages: [] })).toMatchObject({ remaining: null });
      books.ledger.setBudget({ spending: false });
      expect(books.ledger.lease('other', { usages: [] })).toMatchObject({ remaining: 0 });
    }));
});
