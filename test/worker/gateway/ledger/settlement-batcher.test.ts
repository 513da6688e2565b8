import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { SettlementBatcher } from '../../../../worker/gateway/ledger/settlement-batcher.ts';
import type { Settlement } from '../../../../worker/gateway/ledger/types.ts';
import { type Books, call, hold, withLedger } from './ledger-harness.ts';

/** Settlements that wait before the books of a test, and each time that some were booked. */
function gather({ ledger, after }: Books): { gathered: SettlementBatcher; booked: string[][] } {
  const booked: string[][] = [];
  const book = (settlements: readonly Settlement[]): void => {
    ledger.settleMany(settlements);
    booked.push(settlements.map(({ id }) => id));
  };
  return { gathered: new SettlementBatcher(book, after), booked };
}

describe('a settlement', () => {
  it('waits for those of other calls, and all are booked in one go after a while', () =>
    withLedger(async (books) => {
      const ids = [await hold(books, call(10)), await hold(books, call(10))];
      const { gathered, booked } = gather(books);
      const told = ids.map((id) => gathered.add([{ id, charged: 10 }], false));
      expect(booked).toEqual([]);
      expect(books.timers.map(({ ms }) => ms)).toEqual([100]);
      books.timers[0]?.ring();
      await Promise.all(told);
      expect(booked).toEqual([ids]);
      expect(books.ledger.getBudget()).toMatchObject({ spent: { day: 20 }, held: 0 });
    }));

  it('is booked at once where somebody waits for it, with those that waited', () =>
    withLedger(async (books) => {
      const ids = [await hold(books, call(10)), await hold(books, call(10))];
      const { gathered, booked } = gather(books);
      const told = ids.map((id, at) => gathered.add([{ id, charged: 0 }], at === 1));
      expect(booked).toEqual([ids]);
      await Promise.all(told);
    }));

  it('that can’t be booked is told to who told it, and keeps nobody else from the books', async () => {
    const gathered = new SettlementBatcher(
      () => {
        throw new Error('the books are closed');
      },
      () => new Promise(() => {}),
    );
    const told = gathered.add([{ id: 'one', charged: 10 }], false);
    expect(() => gathered.flush()).not.toThrow();
    await expect(told).rejects.toThrow('the books are closed');
  });
});

describe('the ledger', () => {
  const newTeam = (): string => `gathered-${crypto.randomUUID()}`;

  it('shows nobody its books without what it was told, whatever is asked first', async () => {
    const ledger = getLedger(env, newTeam());
    const asked = [call(10), call(10), call(10)];
    await ledger.reserveMany(asked, 0);
    const told: Promise<void>[] = [];
    const settle = (at: number): void => {
      told.push(ledger.settleMany([{ id: asked[at]?.id ?? '', charged: 10 }]));
    };
    settle(0);
    expect(await ledger.getBudget()).toMatchObject({ spent: { day: 10 }, held: 20 });
    settle(1);
    expect(await ledger.listEntries({ limit: 10 })).toHaveLength(2);
    settle(2);
    expect((await ledger.getTokenBudget('token')).spent.day).toBe(30);
    await Promise.all(told);
  });

  it('books what it was told before it holds what comes next: the credits that are given back are there', async () => {
    const ledger = getLedger(env, newTeam());
    await ledger.setBudget({ caps: { day: 10 } });
    const first = call(10);
    await ledger.reserveMany([first], 0);
    const told = ledger.settleMany([{ id: first.id, charged: 0 }]);
    expect((await ledger.reserveMany([call(10)], 0)).outcomes).toEqual(['held']);
    await told;
  });
});
