// Whatever is reserved, settled, left to expire, topped up and set, in any order and with a kill at any step: nothing is
// spent beyond what was allowed, nobody waits for nothing, and the lines add up to the totals.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Caps, ReserveResult } from '../../../../worker/gateway/ledger/types.ts';
import { type Books, call, lines, openBooks, withLedger } from './ledger-harness.ts';

const TOKENS = ['one', 'two'];
/** Evening, so that days and months change while holds are open. */
const EVENING = Date.UTC(2026, 8, 30, 23, 58);

const token = fc.constantFrom(...TOKENS);
const cap = fc.option(fc.integer({ min: 0, max: 40 }), { nil: null });
const caps = fc.record({ day: cap, month: cap });
/** Of the calls so far, which one; and what part of its price was charged. */
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
const reserving: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('reserve'),
  token,
  prices,
  wait: fc.boolean(),
});
const settling: fc.Arbitrary<Step> = fc.record({ do: fc.constant('settle'), nth, charged });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: reserving },
  { weight: 8, arbitrary: settling },
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

/** What the test knows of the calls, from what it was told. */
interface Run {
  books: Books;
  held: { id: string; price: number }[];
  waiting: Set<Promise<ReserveResult>>;
}

/** By how much each account is over its cap and the top-ups, in each period; 0 where it is not. */
function excess({ books }: Run): Map<string, number> {
  const { ledger, sql } = books;
  const toppedUp = sumOf(lines(books, 'top_up'));
  const rows = sql.exec<{ account: string; period: string; used: number }>(
    'SELECT account, period, spent + held AS used FROM totals',
  );
  const over = new Map<string, number>();
  for (const { account, period, used } of rows) {
    const allowed = account === '' ? ledger.getBudget().caps : ledger.getTokenBudget(account).caps;
    const limit = period.length === 10 ? allowed.day : allowed.month;
    const beyond = used - (limit ?? Number.POSITIVE_INFINITY) - (account === '' ? toppedUp : 0);
    over.set(`${account} ${period}`, Math.max(0, beyond));
  }
  return over;
}

async function take(run: Run, taken: Step): Promise<void> {
  const { books, held } = run;
  const { ledger } = books;
  switch (taken.do) {
    case 'reserve': {
      const asked = taken.prices.map((price) => call(price, taken.token));
      const answer = ledger.reserveMany(asked, taken.wait ? 5000 : 0).then((reserved) => {
        reserved.outcomes.forEach((outcome, at) => {
          const { id, credits: price } = asked[at] ?? call(0);
          if (outcome === 'held' && price > 0) held.push({ id, price });
        });
        run.waiting.delete(answer);
        return reserved;
      });
      run.waiting.add(answer);
      break;
    }
    case 'settle': {
      const one = held[taken.nth % (held.length || 1)];
      if (one === undefined) break;
      const { charged: said } = taken;
      const credits =
        said === 'unclear' ? said : said === 'more' ? one.price + 3 : Math.floor(said * one.price);
      ledger.settleMany([{ id: one.id, charged: credits }]);
      break;
    }
    case 'reconcile': {
      const one = held[taken.nth % (held.length || 1)];
      if (one !== undefined) ledger.reconcile([one.id], taken.charged);
      break;
    }
    case 'pass':
      await books.pass(taken.ms);
      break;
    case 'top_up':
      ledger.topUp(taken);
      break;
    case 'caps':
      ledger.setBudget({ caps: taken.caps });
      break;
    case 'token_caps':
      ledger.setToken(taken.token, { caps: taken.caps });
      break;
    case 'spending':
      ledger.setBudget({ spending: taken.spending });
      break;
    case 'revoke':
      ledger.setToken(taken.token, { revoked: taken.revoked });
      break;
    case 'time_out':
      for (const { ring } of [...books.timers]) ring();
      break;
    case 'kill':
      run.waiting.clear();
      books.timers.splice(0);
      books.open();
  }
  // Answers reach their askers.
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

/**
 * Steps that may leave an account over its cap: the admin lowers it, the provider charges more than its price, or turns
 * out to have charged what the admin said it had not.
 */
function mayExceed({ books, held }: Run, taken: Step): boolean {
  if (taken.do === 'caps' || taken.do === 'token_caps') return true;
  if (taken.do !== 'settle') return false;
  const id = held[taken.nth % (held.length || 1)]?.id ?? '';
  const reconciled = books.sql
    .exec("SELECT 1 FROM holds WHERE state = 'reconciled' AND id = ?", id)
    .toArray();
  return taken.charged === 'more' || reconciled.length > 0;
}

function sumOf(rows: readonly { credits: number }[]): number {
  return rows.reduce((sum, { credits }) => sum + credits, 0);
}

/** Lines and totals tell the same, to the credit, for each account, day and month. */
function check(run: Run): void {
  const { books } = run;
  const { ledger, sql } = books;
  const spending = lines(books).filter(({ kind }) => ['charge', 'unclear', 'correction'].includes(kind));
  const open = sql.exec<{ state: string; credits: number; charged: number | null }>(
    'SELECT state, credits, charged FROM holds',
  );
  const holds = open.toArray();
  const rows = sql.exec<{ account: string; period: string; spent: number; held: number }>(
    'SELECT account, period, spent, held FROM totals',
  );
  for (const { account, period, spent } of rows) {
    const booked = spending.filter(
      (line) => line.day.startsWith(period) && (account === '' || line.token === account),
    );
    expect([account, period, spent]).toEqual([account, period, sumOf(booked)]);
  }
  expect(sumOf(spending)).toBe(holds.reduce((sum, hold) => sum + (hold.charged ?? 0), 0));
  const used = sql.exec<{ credits: number }>('SELECT credits FROM usage').toArray();
  expect(sumOf(used)).toBe(sumOf(spending));
  const budget = ledger.getBudget();
  expect(budget.held).toBe(sumOf(holds.filter(({ state }) => state === 'held')));
  expect(budget.unclear).toBe(sumOf(holds.filter(({ state }) => state === 'unclear')));
  const topped = sql
    .exec<{ topped: number }>("SELECT topped FROM totals WHERE account = '' AND length(period) = 10")
    .toArray();
  const bought = sumOf(lines(books, 'top_up'));
  expect(budget.topUp).toBe(bought - topped.reduce((sum, row) => sum + row.topped, 0));
  expect(budget.topUp).toBeGreaterThanOrEqual(0);
  // Who waits, waits for an open hold.
  if (run.waiting.size > 0) expect(budget.held).toBeGreaterThan(0);
  // Open holds end: by a settlement, or by the alarm.
  if (budget.held > 0) expect(books.alarm.at).toBeLessThanOrEqual(books.clock.now + 60_000);
}

it('the books are right after every step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const name = `property-${crypto.randomUUID()}`;
      const stub = env.LEDGER.getByName(name);
      await runInDurableObject(stub, async (_instance, { storage }) => {
        const books = openBooks(storage, name);
        books.clock.now = EVENING;
        books.ledger.setBudget({ caps: { day: 30, month: 50 } });
        const run: Run = { books, held: [], waiting: new Set() };
        for (const taken of steps) {
          const excused = mayExceed(run, taken);
          const before = excess(run);
          await take(run, taken);
          if (!excused) {
            for (const [name, over] of excess(run)) expect(over).toBeLessThanOrEqual(before.get(name) ?? 0);
          }
          check(run);
        }
      });
    }),
    { numRuns: 120 },
  );
});

it('an answer is right: what is held fits, what waits would fit if open holds ended free, the rest never would', async () => {
  const price = fc.integer({ min: 1, max: 12 });
  // A hold of a data request lasts for hours: nobody waits for it, so it counts as spent.
  const holding = fc.record({ price, token, settled: charged, lasting: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(holding, { maxLength: 12 }),
      caps,
      caps,
      fc.nat({ max: 20 }),
      fc.integer({ min: 1, max: 40 }),
      async (earlier, teamCaps, tokenCaps, toppedUp, price) => {
        await withLedger(async (books) => {
          const { ledger } = books;
          ledger.setBudget({ caps: teamCaps });
          ledger.setToken('one', { caps: tokenCaps });
          if (toppedUp > 0) ledger.topUp({ id: 'a', credits: toppedUp });
          const used = { one: { spent: 0, held: 0 }, all: { spent: 0, held: 0 } };
          for (const [at, earlierOne] of earlier.entries()) {
            const { lasting } = earlierOne;
            const asked = {
              ...call(earlierOne.price, earlierOne.token),
              ...(lasting && { operation: 'bulk' as const }),
            };
            const { outcomes } = await ledger.reserveMany([asked], 0);
            if (outcomes[0] !== 'held') continue;
            const { settled } = earlierOne;
            const open = at % 2 === 0 || settled === 'more';
            const spent = open
              ? 0
              : settled === 'unclear'
                ? asked.credits
                : Math.floor(settled * asked.credits);
            if (!open)
              ledger.settleMany([{ id: asked.id, charged: settled === 'unclear' ? settled : spent }]);
            for (const account of earlierOne.token === 'one' ? [used.one, used.all] : [used.all]) {
              account.spent += open && lasting ? asked.credits : spent;
              account.held += open && !lasting ? asked.credits : 0;
            }
          }
          const lowest = ({ day, month }: Caps): number =>
            Math.min(day ?? Number.POSITIVE_INFINITY, month ?? Number.POSITIVE_INFINITY);
          const fits = (held: number): boolean =>
            used.one.spent + used.one.held * held + price <= lowest(tokenCaps) &&
            used.all.spent + used.all.held * held + price <= lowest(teamCaps) + toppedUp;
          const expected = fits(1) ? 'held' : fits(0) ? 'wait' : 'over_budget';
          const { outcomes } = await ledger.reserveMany([call(price, 'one')], 0);
          expect(outcomes).toEqual([expected]);
        });
      },
    ),
    { numRuns: 100 },
  );
});
