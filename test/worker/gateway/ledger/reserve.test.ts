// Reservations: what is held, what is refused for good, and what waits until open holds are resolved.
import { describe, expect, it } from 'vitest';
import type { ReserveResult } from '../../../../worker/gateway/ledger/types.ts';
import { type Books, call, hold, reserve, setCaps, withLedger } from './ledger-harness.ts';

describe('a new ledger', () => {
  it('spends up to 1,000 credits a day until the admin says otherwise', () =>
    withLedger(async (books) => {
      expect(books.ledger.getBudget()).toEqual({
        caps: { day: 1000, month: null },
        spending: true,
        spent: { day: 0, month: 0 },
        held: 0,
        topUp: 0,
        unclear: 0,
        saved: { day: 0, month: 0 },
        remaining: 1000,
      });
      expect(await reserve(books, call(1001), call(1000))).toEqual(['over_budget', 'held']);
    }));
});

describe('a reservation', () => {
  it('of a revoked token is refused at once, also a free one', () =>
    withLedger(async (books) => {
      books.ledger.setToken('token', { revoked: true });
      expect(await reserve(books, call(1), call(0), call(1, 'other'))).toEqual([
        'unauthorised',
        'unauthorised',
        'held',
      ]);
    }));

  it('that costs something is refused while spending is off, a free one is let through', () =>
    withLedger(async (books) => {
      expect(books.ledger.setBudget({ spending: false }).remaining).toBe(0);
      expect(await reserve(books, call(1), call(0))).toEqual(['spending_off', 'held']);
      books.ledger.setBudget({ spending: true });
      expect(await reserve(books, call(1))).toEqual(['held']);
    }));

  it('that is free leaves nothing behind, whatever is spent', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 0 });
      expect(await reserve(books, call(0), call(1))).toEqual(['held', 'over_budget']);
      expect(books.sql.exec('SELECT * FROM holds').toArray()).toEqual([]);
      expect(books.alarm.at).toBeUndefined();
    }));

  it('that was held is answered so again and held once, whatever has happened since', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      const same = call(10);
      expect(await reserve(books, same, same, call(1))).toEqual(['held', 'held', 'wait']);
      expect(books.ledger.getBudget().held).toBe(10);
      books.ledger.settleMany([{ id: same.id, charged: 10 }]);
      books.ledger.setToken('token', { revoked: true });
      books.open();
      expect(await reserve(books, same, call(1))).toEqual(['held', 'unauthorised']);
      expect(books.ledger.getBudget()).toMatchObject({ held: 0, spent: { day: 10 } });
    }));

  it('can be the first of a new day or month', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10, month: 15 });
      books.clock.now = Date.UTC(2026, 8, 29, 23, 59, 59, 999);
      books.ledger.settleMany([{ id: await hold(books, call(10)), charged: 10 }]);
      expect(await reserve(books, call(1))).toEqual(['over_budget']);
      books.clock.now += 1;
      expect(await reserve(books, call(6), call(5))).toEqual(['over_budget', 'held']);
      books.clock.now = Date.UTC(2026, 9, 1);
      expect(await reserve(books, call(10))).toEqual(['held']);
    }));
});

/** Asks with patience. */
function patient({ ledger }: Parameters<typeof reserve>[0], ...asked: Parameters<typeof call>[0][]) {
  const state: { reserved?: ReserveResult } = {};
  const done = ledger
    .reserveMany(
      asked.map((credits) => call(credits)),
      5000,
    )
    .then((reserved) => {
      state.reserved = reserved;
    });
  return { state, done };
}

describe('waiting', () => {
  it.each<[string, (books: Books, id: string) => void | Promise<void>, string]>([
    ['a hold that is released', ({ ledger }, id) => ledger.settleMany([{ id, charged: 0 }]), 'held'],
    ['a hold that is spent', ({ ledger }, id) => ledger.settleMany([{ id, charged: 10 }]), 'over_budget'],
    ['a hold of which nobody knows whether it is spent', ({ pass }) => pass(60_000), 'over_budget'],
    ['an unclear call that was free', ({ ledger }) => void ledger.reconcile(['unclear'], false), 'held'],
    ['more budget', ({ ledger }) => void ledger.setBudget({ caps: { day: 30 } }), 'held'],
    ['a top-up', ({ ledger }) => void ledger.topUp({ id: 'one', credits: 10 }), 'held'],
    ['spending switched off', ({ ledger }) => void ledger.setBudget({ spending: false }), 'spending_off'],
    ['a revoked token', ({ ledger }) => void ledger.setToken('token', { revoked: true }), 'unauthorised'],
  ])('ends with %s', (_, change, outcome) =>
    withLedger(async (books) => {
      setCaps(books, { day: 20 });
      books.ledger.settleMany([{ id: await hold(books, call(10, 'token', 'unclear')), charged: 'unclear' }]);
      const id = await hold(books, call(10));
      const { state, done } = patient(books, 10);
      await Promise.resolve();
      expect(state.reserved).toBeUndefined();
      await change(books, id);
      await done;
      expect(state.reserved?.outcomes).toEqual([outcome]);
      expect(books.timers).toEqual([]);
    }),
  );

  it('ends when its time has passed, and says that nobody knows yet', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      await hold(books, call(10));
      const { state, done } = patient(books, 10);
      expect(books.timers.map(({ ms }) => ms)).toEqual([5000]);
      books.timers[0]?.ring();
      await done;
      expect(state.reserved).toEqual({ outcomes: ['wait'], remaining: 0 });
    }));

  it('is not for those of whom a part was held or all was decided', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      await hold(books, call(5));
      expect(await books.ledger.reserveMany([call(10), call(5), call(11)], 5000)).toEqual({
        outcomes: ['wait', 'held', 'over_budget'],
        remaining: 0,
      });
      expect((await books.ledger.reserveMany([call(11)], 5000)).outcomes).toEqual(['over_budget']);
      expect((await books.ledger.reserveMany([], 5000)).outcomes).toEqual([]);
    }));

  it('is first come, first served', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      const id = await hold(books, call(10));
      const waiters = [patient(books, 6), patient(books, 6), patient(books, 4)];
      books.ledger.settleMany([{ id, charged: 0 }]);
      await Promise.all([waiters[0]?.done, waiters[2]?.done]);
      expect(waiters.map(({ state }) => state.reserved?.outcomes)).toEqual([['held'], undefined, ['held']]);
    }));

  it('holds nothing for an asker who gave up: what it settles is no longer waited for', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      const id = await hold(books, call(10));
      const [given, kept] = [call(10), call(10)];
      const gone = books.ledger.reserveMany([given], 5000);
      const waiting = books.ledger.reserveMany([kept], 5000);
      books.ledger.settleMany([{ id: given.id, charged: 0 }]);
      expect((await gone).outcomes).toEqual(['wait']);
      books.ledger.settleMany([{ id, charged: 0 }]);
      expect((await waiting).outcomes).toEqual(['held']);
    }));

  it('does not take for two what is asked twice', () =>
    withLedger(async (books) => {
      setCaps(books, { day: 10 });
      const id = await hold(books, call(10));
      const asked = call(10);
      const twice = [books.ledger.reserveMany([asked], 5000), books.ledger.reserveMany([asked], 5000)];
      books.ledger.settleMany([{ id, charged: 0 }]);
      expect((await Promise.all(twice)).map(({ outcomes }) => outcomes)).toEqual([['held'], ['held']]);
      expect(books.ledger.getBudget().held).toBe(10);
    }));
});
