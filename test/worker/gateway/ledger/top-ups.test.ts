// Top-ups: credits beyond the team's caps, spent last and given back first.
import { describe, expect, it } from 'vitest';
import { type Books, call, hold, lines, reserve, setCaps, withLedger } from './ledger-harness.ts';

async function spend(books: Books, credits: number, token?: string): Promise<void> {
  const id = await hold(books, call(credits, token));
  books.ledger.settleMany([{ id, charged: credits }]);
}

describe('a top-up', () => {
  it('is made once by its id, and is a line', () =>
    withLedger((books) => {
      books.ledger.topUp({ id: 'may', credits: 50, note: 'Fair' });
      books.open();
      expect(books.ledger.topUp({ id: 'may', credits: 50 }).topUp).toBe(50);
      expect(books.ledger.topUp({ id: 'june', credits: 5 }).topUp).toBe(55);
      expect(lines(books)).toMatchObject([
        { kind: 'top_up', reference: 'may', credits: 50, note: 'Fair', calls: 0 },
        { kind: 'top_up', reference: 'june', credits: 5 },
      ]);
      expect(lines(books)[0]).not.toHaveProperty('token');
      expect(books.ledger.listTopUps().map(({ reference }) => reference)).toEqual(['june', 'may']);
    }));

  it('is spent only when the budget of the period is, to the last credit', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 100 });
      books.ledger.topUp({ id: 'one', credits: 30 });
      expect(books.ledger.getBudget().remaining).toBe(130);
      await spend(books, 95);
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 30, remaining: 35 });
      await spend(books, 15);
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 20, remaining: 20, spent: { day: 110 } });
      expect(await reserve(books, call(21), call(20))).toEqual(['over_budget', 'held']);
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 0, remaining: 0 });
    }));

  it('that bore a day’s excess leaves the month its budget', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10, month: 25 });
      books.ledger.topUp({ id: 'one', credits: 7 });
      await spend(books, 15);
      await books.pass(86_400_000);
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 2, remaining: 12, spent: { month: 15 } });
      await spend(books, 10);
      await books.pass(86_400_000);
      expect(books.ledger.getBudget().remaining).toBe(7);
      await spend(books, 7);
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 0, remaining: 0, spent: { month: 32 } });
    }));

  it('gets back first what ends uncharged', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      books.ledger.topUp({ id: 'one', credits: 10 });
      const [first, second] = [await hold(books, call(10)), await hold(books, call(10))];
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 0, remaining: 0 });
      books.ledger.settleMany([
        { id: first, charged: 0 },
        { id: second, charged: 10 },
      ]);
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 10, remaining: 10, spent: { day: 10 } });
    }));

  it('held yesterday is counted on today', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      books.ledger.topUp({ id: 'one', credits: 10 });
      books.clock.now = Date.UTC(2026, 8, 15, 23, 59, 59);
      const id = await hold(books, call(20));
      books.clock.now += 2000;
      expect(await reserve(books, call(21), call(20), call(10))).toEqual(['over_budget', 'wait', 'held']);
      books.ledger.settleMany([{ id, charged: 0 }]);
      expect(await reserve(books, call(10))).toEqual(['held']);
    }));

  it('bears what the provider charged beyond the price, as far as it goes', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      books.ledger.topUp({ id: 'one', credits: 3 });
      const id = await hold(books, call(10));
      books.ledger.settleMany([{ id, charged: 15 }]);
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 0, remaining: 0, spent: { day: 15 } });
    }));

  it('bears also what is beyond a cap that was lowered, before it allows more', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 100 });
      await spend(books, 50);
      setCaps(books, { day: 20 });
      books.ledger.topUp({ id: 'one', credits: 30 });
      expect(await reserve(books, call(1))).toEqual(['over_budget']);
      books.ledger.topUp({ id: 'two', credits: 5 });
      expect(await reserve(books, call(6), call(5))).toEqual(['over_budget', 'held']);
      expect(books.ledger.getBudget()).toMatchObject({ topUp: 0, remaining: 0 });
    }));
});
