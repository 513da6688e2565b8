// Reservations: granted, refused, or waiting for open ones.
import { describe, expect, it } from 'vitest';
import type { ReserveResult } from '../../../../worker/gateway/ledger/types.ts';
import {
  call,
  type LedgerBench,
  ledgerTest,
  reserve,
  reserveOne,
  setCaps,
  withLedger,
} from './ledger-harness.ts';

describe('a new ledger', () => {
  ledgerTest('allows 1,000 credits a day until the admin sets a budget', async (bench) => {
    expect(bench.ledger.getBudget()).toEqual({
      caps: { day: 1000, month: null },
      spending: true,
      spent: { day: 0, month: 0 },
      reserved: 0,
      topUp: 0,
      unclear: 0,
      disputed: 0,
      saved: { day: 0, month: 0 },
      remaining: 1000,
    });
    expect(await reserve(bench, call(1001), call(1000))).toEqual(['over_budget', 'reserved']);
  });
});

describe('reserveMany', () => {
  ledgerTest('refuses revoked tokens always, and paid calls while spending is off', async (bench) => {
    bench.ledger.setToken('revoked', { revoked: true });
    expect(bench.ledger.setBudget({ spending: false }).remaining).toBe(0);
    const free = [call(0, 'revoked'), call(0)];
    expect(await reserve(bench, ...free, call(1))).toEqual(['unauthorised', 'reserved', 'spending_off']);
    bench.ledger.setBudget({ spending: true });
    expect(await reserve(bench, call(1, 'revoked'), call(1))).toEqual(['unauthorised', 'reserved']);
  });

  ledgerTest('stores nothing for a free call', async (bench) => {
    setCaps(bench, { day: 0 });
    const before = bench.alarm.at;
    expect(await reserve(bench, call(0), call(1))).toEqual(['reserved', 'over_budget']);
    expect(bench.sql.exec('SELECT * FROM reservations').toArray()).toEqual([]);
    expect(bench.alarm.at).toBe(before);
  });

  ledgerTest(
    'confirms an existing reservation again, even after settlement, revocation and restart',
    async (bench) => {
      setCaps(bench, { day: 10 });
      const same = call(10);
      expect(await reserve(bench, same, same, call(1))).toEqual(['reserved', 'reserved', 'wait']);
      expect(bench.ledger.getBudget().reserved).toBe(10);
      bench.ledger.settleMany([{ id: same.id, charged: 10 }]);
      bench.ledger.setToken('token', { revoked: true });
      bench.restart();
      expect(await reserve(bench, same, call(1))).toEqual(['reserved', 'unauthorised']);
      expect(bench.ledger.getBudget()).toMatchObject({ reserved: 0, spent: { day: 10 } });
    },
  );

  ledgerTest('counts caps by UTC day and month', async (bench) => {
    setCaps(bench, { day: 10, month: 15 });
    bench.clock.now = Date.UTC(2026, 8, 29, 23, 59, 59, 999);
    bench.ledger.settleMany([{ id: await reserveOne(bench, call(10)), charged: 10 }]);
    expect(await reserve(bench, call(1))).toEqual(['over_budget']);
    bench.clock.now += 1;
    expect(await reserve(bench, call(6), call(5))).toEqual(['over_budget', 'reserved']);
    bench.clock.now = Date.UTC(2026, 9, 1);
    expect(await reserve(bench, call(10))).toEqual(['reserved']);
  });
});

/** Reserves with a waiting time of five seconds. */
function reservePatiently(
  { ledger }: Parameters<typeof reserve>[0],
  ...prices: Parameters<typeof call>[0][]
) {
  const state: { reserved?: ReserveResult } = {};
  const done = ledger
    .reserveMany(
      prices.map((credits) => call(credits)),
      5000,
    )
    .then((reserved) => {
      state.reserved = reserved;
    });
  return { state, done };
}

describe('a waiting reservation', () => {
  it.each<[string, (bench: LedgerBench, id: string) => void | Promise<void>, string]>([
    ['a reservation is released', ({ ledger }, id) => ledger.settleMany([{ id, charged: 0 }]), 'reserved'],
    ['a reservation is charged', ({ ledger }, id) => ledger.settleMany([{ id, charged: 10 }]), 'over_budget'],
    ['a reservation expires', ({ advance }) => advance(60_000), 'over_budget'],
    ['an unclear call was free', ({ ledger }) => void ledger.reconcile(['unclear'], false), 'reserved'],
    ['the budget rises', ({ ledger }) => void ledger.setBudget({ caps: { day: 30 } }), 'reserved'],
    ['credits are topped up', ({ ledger }) => void ledger.topUp({ id: 'one', credits: 10 }), 'reserved'],
    ['spending is switched off', ({ ledger }) => void ledger.setBudget({ spending: false }), 'spending_off'],
    [
      'the token is revoked',
      ({ ledger }) => void ledger.setToken('token', { revoked: true }),
      'unauthorised',
    ],
  ])('is decided when %s', (_, change, outcome) =>
    withLedger(async (bench) => {
      setCaps(bench, { day: 20 });
      bench.ledger.settleMany([
        { id: await reserveOne(bench, call(10, 'token', 'unclear')), charged: 'unclear' },
      ]);
      const id = await reserveOne(bench, call(10));
      const { state, done } = reservePatiently(bench, 10);
      await Promise.resolve();
      expect(state.reserved).toBeUndefined();
      await change(bench, id);
      await done;
      expect(state.reserved?.outcomes).toEqual([outcome]);
      expect(bench.timers).toEqual([]);
    }),
  );

  ledgerTest('is refused for its own budget only, not for that of another waiter', async (bench) => {
    const pay = (account: string) => ({ ...call(10), budget: { account, month: 10 } });
    setCaps(bench, { day: 20 });
    const [first, other] = [pay('first'), call(10)];
    expect(await reserve(bench, first, other)).toEqual(['reserved', 'reserved']);
    const waiting = ['first', 'second'].map((account) => bench.ledger.reserveMany([pay(account)], 5000));
    bench.ledger.settleMany([
      { id: first.id, charged: 10 },
      { id: other.id, charged: 0 },
    ]);
    expect((await Promise.all(waiting)).map(({ outcomes }) => outcomes)).toEqual([
      ['over_budget'],
      ['reserved'],
    ]);
  });

  ledgerTest('states what each token may still spend', async (bench) => {
    bench.ledger.setToken('capped', { caps: { day: 10 } });
    const { remaining } = await bench.ledger.reserveMany([call(4), call(4, 'capped')], 0);
    expect(remaining).toEqual({ token: 992, capped: 6 });
  });

  ledgerTest('returns `wait` when its time is over', async (bench) => {
    setCaps(bench, { day: 10 });
    await reserveOne(bench, call(10));
    const { state, done } = reservePatiently(bench, 10);
    expect(bench.timers.map(({ ms }) => ms)).toEqual([5000]);
    bench.timers[0]?.fire();
    await done;
    expect(state.reserved).toEqual({ outcomes: ['wait'], remaining: { token: 0 } });
  });

  ledgerTest('does not wait if a part was reserved or everything is decided', async (bench) => {
    setCaps(bench, { day: 10 });
    await reserveOne(bench, call(5));
    expect(await bench.ledger.reserveMany([call(10), call(5), call(11)], 5000)).toEqual({
      outcomes: ['wait', 'reserved', 'over_budget'],
      remaining: { token: 0 },
    });
    expect((await bench.ledger.reserveMany([call(11)], 5000)).outcomes).toEqual(['over_budget']);
    expect((await bench.ledger.reserveMany([], 5000)).outcomes).toEqual([]);
  });

  ledgerTest('is served first in, first out', async (bench) => {
    setCaps(bench, { day: 10 });
    const id = await reserveOne(bench, call(10));
    const waiters = [reservePatiently(bench, 6), reservePatiently(bench, 6), reservePatiently(bench, 4)];
    bench.ledger.settleMany([{ id, charged: 0 }]);
    await Promise.all([waiters[0]?.done, waiters[2]?.done]);
    expect(waiters.map(({ state }) => state.reserved?.outcomes)).toEqual([
      ['reserved'],
      undefined,
      ['reserved'],
    ]);
  });

  ledgerTest('reserves nothing after its caller has settled it', async (bench) => {
    setCaps(bench, { day: 10 });
    const id = await reserveOne(bench, call(10));
    const [cancelled, kept] = [call(10), call(10)];
    const cancelledResult = bench.ledger.reserveMany([cancelled], 5000);
    const waiting = bench.ledger.reserveMany([kept], 5000);
    bench.ledger.settleMany([{ id: cancelled.id, charged: 0 }]);
    expect((await cancelledResult).outcomes).toEqual(['wait']);
    bench.ledger.settleMany([{ id, charged: 0 }]);
    expect((await waiting).outcomes).toEqual(['reserved']);
  });

  ledgerTest('reserves a repeated id once', async (bench) => {
    setCaps(bench, { day: 10 });
    const id = await reserveOne(bench, call(10));
    const reservation = call(10);
    const results = [
      bench.ledger.reserveMany([reservation], 5000),
      bench.ledger.reserveMany([reservation], 5000),
    ];
    bench.ledger.settleMany([{ id, charged: 0 }]);
    expect((await Promise.all(results)).map(({ outcomes }) => outcomes)).toEqual([
      ['reserved'],
      ['reserved'],
    ]);
    expect(bench.ledger.getBudget().reserved).toBe(10);
  });
});
