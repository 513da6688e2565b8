// Properties of the ledger under random operations and restarts: budgets are kept, nobody waits in vain, and the entries add up
// to the totals.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Caps, ReserveResult } from '../../../../worker/gateway/ledger/types.ts';
import { call, createLedgerBench, type LedgerBench, listEntries, withLedger } from './ledger-harness.ts';

const TOKENS = ['one', 'two'];
/** Evening, so that days and months change while reservations are open. */
const EVENING = Date.UTC(2026, 8, 30, 23, 58);

const token = fc.constantFrom(...TOKENS);
const cap = fc.option(fc.integer({ min: 0, max: 40 }), { nil: null });
const caps = fc.record({ day: cap, month: cap });
/** Selects one of the calls so far, and the charged share of its price. */
const nth = fc.nat({ max: 1000 });
const charged = fc.oneof(
  fc.constant('unclear' as const),
  fc.constantFrom(0, 0, 0.5, 1, 1, 1),
  fc.constant('more' as const),
);

type Step =
  | { do: 'reserve'; token: string; prices: number[]; wait: boolean }
  | { do: 'settle'; nth: number; charged: number | 'unclear' | 'more' }
  | { do: 'reconcile'; nth: number; charged: boolean }
  | { do: 'pass'; ms: number }
  | { do: 'top_up'; id: string; credits: number }
  | { do: 'caps'; caps: Caps }
  | { do: 'token_caps'; token: string; caps: Caps }
  | { do: 'spending'; spending: boolean }
  | { do: 'revoke'; token: string; revoked: boolean }
  | { do: 'time_out' }
  | { do: 'kill' };

const prices = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 4 });
const reserveStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('reserve'),
  token,
  prices,
  wait: fc.boolean(),
});
const settleStep: fc.Arbitrary<Step> = fc.record({ do: fc.constant('settle'), nth, charged });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: reserveStep },
  { weight: 8, arbitrary: settleStep },
  fc.record({ do: fc.constant('reconcile'), nth, charged: fc.boolean() }),
  fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(1000, 30_000, 61_000, 40_000_000) }),
  fc.record({
    do: fc.constant('top_up'),
    id: fc.constantFrom('a', 'b', 'c'),
    credits: fc.integer({ min: 1, max: 30 }),
  }),
  fc.record({ do: fc.constant('caps'), caps }),
  fc.record({ do: fc.constant('token_caps'), token, caps }),
  fc.record({ do: fc.constant('spending'), spending: fc.boolean() }),
  fc.record({ do: fc.constant('revoke'), token, revoked: fc.boolean() }),
  fc.record({ do: fc.constant('time_out') }),
  fc.record({ do: fc.constant('kill') }),
);

/** State of a test run. */
interface Run {
  bench: LedgerBench;
  reserved: { id: string; price: number }[];
  waiting: Set<Promise<ReserveResult>>;
}

/** Computes by how much each account exceeds its cap and top-ups, by period. */
function computeExcess({ bench }: Run): Map<string, number> {
  const { ledger, sql } = bench;
  const toppedUp = sumCredits(listEntries(bench, 'top_up'));
  const rows = sql.exec<{ account: string; period: string; used: number }>(
    `SELECT account, substr(day, 1, length.value) AS period, sum(credits) AS used FROM (
       SELECT account, day, spent AS credits FROM totals
       UNION ALL SELECT account.value, date(at / 1000, 'unixepoch'), credits
         FROM reservations, json_each(json_array('', token)) AS account WHERE state = 'open'),
       json_each('[7, 10]') AS length GROUP BY account, period`,
  );
  const excessByPeriod = new Map<string, number>();
  for (const { account, period, used } of rows) {
    const caps = account === '' ? ledger.getBudget().caps : ledger.getTokenBudget(account).caps;
    const limit = period.length === 10 ? caps.day : caps.month;
    const beyond = used - (limit ?? Number.POSITIVE_INFINITY) - (account === '' ? toppedUp : 0);
    excessByPeriod.set(`${account} ${period}`, Math.max(0, beyond));
  }
  return excessByPeriod;
}

async function execute(run: Run, action: Step): Promise<void> {
  const { bench, reserved } = run;
  const { ledger } = bench;
  switch (action.do) {
    case 'reserve': {
      const reservations = action.prices.map((price) => call(price, action.token));
      const answer = ledger.reserveMany(reservations, action.wait ? 5000 : 0).then((result) => {
        result.outcomes.forEach((outcome, at) => {
          const { id, credits: price } = reservations[at] ?? call(0);
          if (outcome === 'reserved' && price > 0) reserved.push({ id, price });
        });
        run.waiting.delete(answer);
        return result;
      });
      run.waiting.add(answer);
      break;
    }
    case 'settle': {
      const reservation = reserved[action.nth % (reserved.length || 1)];
      if (reservation === undefined) break;
      const { charged: share } = action;
      const credits =
        share === 'unclear'
          ? share
          : share === 'more'
            ? reservation.price + 3
            : Math.floor(share * reservation.price);
      ledger.settleMany([{ id: reservation.id, charged: credits }]);
      break;
    }
    case 'reconcile': {
      const reservation = reserved[action.nth % (reserved.length || 1)];
      if (reservation !== undefined) ledger.reconcile([reservation.id], action.charged);
      break;
    }
    case 'pass':
      await bench.advance(action.ms);
      break;
    case 'top_up':
      ledger.topUp(action);
      break;
    case 'caps':
      ledger.setBudget({ caps: action.caps });
      break;
    case 'token_caps':
      ledger.setToken(action.token, { caps: action.caps });
      break;
    case 'spending':
      ledger.setBudget({ spending: action.spending });
      break;
    case 'revoke':
      ledger.setToken(action.token, { revoked: action.revoked });
      break;
    case 'time_out':
      for (const { fire } of [...bench.timers]) fire();
      break;
    case 'kill':
      run.waiting.clear();
      bench.timers.splice(0);
      bench.restart();
  }
  // Lets pending promises resolve.
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

/**
 * Returns whether an action may leave an account over its cap: the admin lowers the cap, or the provider charges more than
 * the price, or a call that was reconciled as free.
 */
function mayExceed({ bench, reserved }: Run, action: Step): boolean {
  if (action.do === 'caps' || action.do === 'token_caps') return true;
  if (action.do !== 'settle') return false;
  const id = reserved[action.nth % (reserved.length || 1)]?.id ?? '';
  const reconciled = bench.sql
    .exec("SELECT 1 FROM reservations WHERE state = 'reconciled' AND id = ?", id)
    .toArray();
  return action.charged === 'more' || reconciled.length > 0;
}

function sumCredits(rows: readonly { credits: number }[]): number {
  return rows.reduce((sum, { credits }) => sum + credits, 0);
}

/** Checks that entries and totals agree for each account, day and month. */
function check(run: Run): void {
  const { bench } = run;
  const { ledger, sql } = bench;
  const spending = listEntries(bench).filter(({ kind }) =>
    ['charge', 'unclear', 'correction'].includes(kind),
  );
  const openRows = sql.exec<{ state: string; credits: number; charged: number | null }>(
    'SELECT state, credits, charged FROM reservations',
  );
  const reservations = openRows.toArray();
  const rows = sql.exec<{ account: string; day: string; spent: number }>(
    'SELECT account, day, spent FROM totals',
  );
  for (const { account, day, spent } of rows) {
    const booked = spending.filter((line) => line.day === day && (account === '' || line.token === account));
    expect([account, day, spent]).toEqual([account, day, sumCredits(booked)]);
  }
  expect(sumCredits(spending)).toBe(reservations.reduce((sum, each) => sum + (each.charged ?? 0), 0));
  const used = sql.exec<{ credits: number }>('SELECT credits FROM usage').toArray();
  expect(sumCredits(used)).toBe(sumCredits(spending));
  const budget = ledger.getBudget();
  expect(budget.reserved).toBe(sumCredits(reservations.filter(({ state }) => state === 'open')));
  expect(budget.unclear).toBe(sumCredits(reservations.filter(({ state }) => state === 'unclear')));
  const totals = sql
    .exec<{ from_top_ups: number }>("SELECT from_top_ups FROM totals WHERE account = ''")
    .toArray();
  const bought = sumCredits(listEntries(bench, 'top_up'));
  expect(budget.topUp).toBe(bought - totals.reduce((sum, row) => sum + row.from_top_ups, 0));
  expect(budget.topUp).toBeGreaterThanOrEqual(0);
  // A request waits only for an open reservation.
  if (run.waiting.size > 0) expect(budget.reserved).toBeGreaterThan(0);
  // A settlement or the alarm ends every open reservation.
  if (budget.reserved > 0) expect(bench.alarm.at).toBeLessThanOrEqual(bench.clock.now + 60_000);
}

it('keeps entries, totals and caps consistent after every action', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const name = `property-${crypto.randomUUID()}`;
      const stub = env.LEDGER.getByName(name);
      await runInDurableObject(stub, async (_instance, state) => {
        const bench = createLedgerBench(state);
        bench.clock.now = EVENING;
        bench.ledger.setBudget({ caps: { day: 30, month: 50 } });
        const run: Run = { bench, reserved: [], waiting: new Set() };
        for (const action of steps) {
          const isExcused = mayExceed(run, action);
          const before = computeExcess(run);
          await execute(run, action);
          if (!isExcused) {
            for (const [name, over] of computeExcess(run))
              expect(over).toBeLessThanOrEqual(before.get(name) ?? 0);
          }
          check(run);
        }
      });
    }),
    { numRuns: 25 },
  );
});

it('reserves what fits, lets wait what could fit, and refuses the rest', async () => {
  const price = fc.integer({ min: 1, max: 12 });
  // Reservations of data requests last for hours, so they count as spent.
  const reservationArbitrary = fc.record({ price, token, share: charged, isDataRequest: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(reservationArbitrary, { maxLength: 12 }),
      caps,
      caps,
      fc.nat({ max: 20 }),
      fc.integer({ min: 1, max: 40 }),
      async (earlier, teamCaps, tokenCaps, toppedUp, price) => {
        await withLedger(async (bench) => {
          const { ledger } = bench;
          ledger.setBudget({ caps: teamCaps });
          ledger.setToken('one', { caps: tokenCaps });
          if (toppedUp > 0) ledger.topUp({ id: 'a', credits: toppedUp });
          const used = { one: { spent: 0, reserved: 0 }, all: { spent: 0, reserved: 0 } };
          for (const [at, previous] of earlier.entries()) {
            const { isDataRequest } = previous;
            const reservation = {
              ...call(previous.price, previous.token),
              ...(isDataRequest && { operation: 'bulk' as const }),
            };
            const { outcomes } = await ledger.reserveMany([reservation], 0);
            if (outcomes[0] !== 'reserved') continue;
            const { share } = previous;
            const isOpen = at % 2 === 0 || share === 'more';
            const spent = isOpen
              ? 0
              : share === 'unclear'
                ? reservation.credits
                : Math.floor(share * reservation.credits);
            if (!isOpen)
              ledger.settleMany([{ id: reservation.id, charged: share === 'unclear' ? share : spent }]);
            for (const account of previous.token === 'one' ? [used.one, used.all] : [used.all]) {
              account.spent += isOpen && isDataRequest ? reservation.credits : spent;
              account.reserved += isOpen && !isDataRequest ? reservation.credits : 0;
            }
          }
          const lowest = ({ day, month }: Caps): number =>
            Math.min(day ?? Number.POSITIVE_INFINITY, month ?? Number.POSITIVE_INFINITY);
          const fits = (reserved: number): boolean =>
            used.one.spent + used.one.reserved * reserved + price <= lowest(tokenCaps) &&
            used.all.spent + used.all.reserved * reserved + price <= lowest(teamCaps) + toppedUp;
          const expected = fits(1) ? 'reserved' : fits(0) ? 'wait' : 'over_budget';
          const { outcomes } = await ledger.reserveMany([call(price, 'one')], 0);
          expect(outcomes).toEqual([expected]);
        });
      },
    ),
    { numRuns: 25 },
  );
});
