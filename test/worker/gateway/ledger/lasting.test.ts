// Holds of data requests: they last for hours, and nobody waits for them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../../../worker/gateway/ledger/types.ts';
import { type Books, call, hold, lines, reserve, setCaps, withLedger } from './books.ts';

const HOUR_MS = 3_600_000;

const bulk = (credits: number, token?: string): Reservation => ({
  ...call(credits, token),
  operation: 'bulk',
});

describe('a hold of a data request', () => {
  it('is not taken for unclear, however long it takes, also where others are', () =>
    withLedger(async (books) => {
      const lasting = await hold(books, bulk(30));
      await hold(books, call(10));
      await books.pass(5 * HOUR_MS);
      expect(books.ledger.budget()).toMatchObject({ held: 30, unclear: 10, spent: { day: 10 } });
      books.open();
      await books.pass(5 * HOUR_MS);
      expect(books.ledger.budget()).toMatchObject({ held: 30 });
      books.ledger.settleMany([{ id: lasting, charged: 20 }]);
      expect(books.ledger.budget()).toMatchObject({ held: 0, spent: { month: 30 } });
      expect(lines(books, 'charge')).toMatchObject([{ credits: 20, operation: 'bulk' }]);
    }));
});

interface Step {
  lasting: boolean;
  credits: number;
  token: 'one' | 'two';
  /** What is charged at once; null leaves it open. */
  charged: number | null;
  /** Hours until the next one. */
  hours: number;
}

const step = fc.record<Step>({
  lasting: fc.boolean(),
  credits: fc.integer({ min: 1, max: 40 }),
  token: fc.constantFrom('one', 'two'),
  charged: fc.option(fc.integer({ min: 0, max: 40 })),
  hours: fc.integer({ min: 0, max: 9 }),
});

/** Books steps, and leaves open what has no charge. @returns the short holds that are open */
async function book(books: Books, steps: readonly Step[]): Promise<string[]> {
  const open: string[] = [];
  for (const { lasting, credits, token, charged, hours } of steps) {
    const reservation = lasting ? bulk(credits, token) : call(credits, token);
    const [outcome] = await reserve(books, reservation);
    if (outcome === 'held') {
      if (charged !== null)
        books.ledger.settleMany([{ id: reservation.id, charged: Math.min(charged, credits) }]);
      else if (!lasting) open.push(reservation.id);
    }
    books.clock.now += hours * HOUR_MS;
  }
  return open;
}

it('who is told to wait fits once all short holds end uncharged, and who is refused does not', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 20, max: 120 }),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 60 }),
      async (steps, cap, topUp, wanted) =>
        withLedger(async (books) => {
          setCaps(books, { day: cap, month: cap * 2 });
          books.ledger.setToken('one', { caps: { day: cap } });
          if (topUp > 0) books.ledger.topUp({ id: 'top-up', credits: topUp });
          const open = await book(books, steps);
          const [outcome] = await reserve(books, call(wanted, 'one'));
          if (outcome === 'held') return;
          books.ledger.settleMany(open.map((id) => ({ id, charged: 0 })));
          const [then] = await reserve(books, call(wanted, 'one'));
          expect(then).toBe(outcome === 'wait' ? 'held' : 'over_budget');
        }),
    ),
    { numRuns: 60 },
  ));
