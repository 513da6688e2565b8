// The account on a Durable Object's real storage, with the clock in the test's hands.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Account } from '../../../../worker/sandbox/account/account.ts';
import type { Call, Fault } from '../../../../worker/sandbox/account/faults.ts';
import { assumptions } from '../../../../worker/sandbox/api/assumptions.ts';

const collect: Call = {
  name: 'collect',
  family: 'company_base',
  path: '/v2/company_base/collect/1',
  credits: 10,
};
const search: Call = {
  name: 'search',
  family: 'job_base',
  path: '/v2/job_base/search/filter',
  credits: 0,
};

/** Runs a test on an account of its own; `open` opens it anew, as after a restart. */
async function withAccount(
  test: (account: Account, clock: { now: number }, open: () => Account) => void,
): Promise<void> {
  const stub = env.SANDBOX_ACCOUNT.getByName(crypto.randomUUID());
  await runInDurableObject(stub, (_instance, state) => {
    const clock = { now: Date.UTC(2026, 8, 1) };
    const open = () => new Account(state.storage, () => clock.now);
    test(open(), clock, open);
  });
}

describe('the balance', () => {
  it('is not touched by a charge that it does not cover, and covers one to the last credit', () =>
    withAccount((account) => {
      account.applyControl({ balance: 25 });
      expect([account.charge(26), account.charge(25), account.charge(1)]).toEqual([
        { paid: false, balance: 25 },
        { paid: true, balance: 0 },
        { paid: false, balance: 0 },
      ]);
    }));

  it('pays a charge with a name once, and not at all as long as it is too low', () =>
    withAccount((account, _clock, open) => {
      account.applyControl({ balance: 5 });
      expect(account.charge(8, 'request')).toEqual({ paid: false, balance: 5 });
      account.applyControl({ balance: 20 });
      expect(account.charge(8, 'request')).toEqual({ paid: true, balance: 12 });
      expect(open().charge(8, 'request')).toEqual({ paid: true, balance: 12 });
      expect(account.charge(8, 'another')).toEqual({ paid: true, balance: 4 });
    }));
});

describe('the rate', () => {
  it(assumptions.rateWindow, () =>
    withAccount((account, clock) => {
      account.applyControl({ rate_per_s: 2 });
      const remaining = () => account.admit(search).rate.remaining;
      clock.now += 999;
      expect([remaining(), remaining(), remaining()]).toEqual([1, 0, 0]);
      expect(account.admit(search).refusal).toBe('rate');
      account.applyControl({ rate_per_s: 4 });
      expect(account.admit(search)).toMatchObject({ refusal: undefined, rate: { remaining: 1 } });
      account.applyControl({ rate_per_s: 2 });
      clock.now += 1;
      expect(account.admit(search)).toMatchObject({ refusal: undefined, rate: { limit: 2, remaining: 1 } });
      account.applyControl({ clock_offset_s: 1 });
      expect(account.admit(search).rate.remaining).toBe(1);
    }),
  );
});

describe('the clock', () => {
  it('is this machine’s, set off by whole or broken seconds', () =>
    withAccount((account, clock) => {
      expect(account.getClock()).toEqual({ now: clock.now, runMs: 2_000 });
      account.applyControl({ clock_offset_s: -1.5, run_ms: 0 });
      expect(account.getClock()).toEqual({ now: clock.now - 1_500, runMs: 0 });
      expect(account.admit(search).clockOffsetMs).toBe(-1_500);
    }));
});

/** Which of so many calls run into a fault. */
function struck(account: Account, calls: readonly Call[]): number[] {
  return calls.flatMap((call, at) => (account.admit(call).fault === undefined ? [] : [at]));
}

describe('a fault', () => {
  const six = Array.from({ length: 6 }, () => collect);

  it.each<[string, Fault, number[]]>([
    ['strikes every call', { status: 500 }, [0, 1, 2, 3, 4, 5]],
    ['strikes each second call', { status: 500, every: 2 }, [1, 3, 5]],
    ['strikes so many times and is gone', { status: 500, times: 2 }, [0, 1]],
    ['strikes each second call so many times', { status: 500, every: 2, times: 2 }, [1, 3]],
    ['strikes a family', { status: 500, family: 'company_base' }, [0, 1, 2, 3, 4, 5]],
    ['leaves other families alone', { status: 500, family: 'job_base' }, []],
    ['leaves other operations alone', { status: 500, operation: 'enrich' }, []],
    ['strikes paths that begin so', { status: 500, path: '/v2/company' }, [0, 1, 2, 3, 4, 5]],
    ['needs all its conditions', { status: 500, path: '/v2/company', operation: 'search' }, []],
  ])('%s', (_, fault, expected) =>
    withAccount((account) => {
      account.applyControl({ faults: [fault] });
      expect(struck(account, six)).toEqual(expected);
    }),
  );

  it('counts only calls that it could strike, also over a restart', () =>
    withAccount((account, _clock, open) => {
      account.applyControl({ faults: [{ status: 500, operation: 'collect', every: 2, times: 1 }] });
      expect(struck(account, [collect, search, search])).toEqual([]);
      const reopened = open();
      expect(struck(reopened, [search, collect, collect, collect])).toEqual([1]);
      expect(reopened.getState().faults).toEqual([]);
    }));

  it('that is first in the list strikes before others, which still count the call', () =>
    withAccount((account) => {
      account.applyControl({
        faults: [
          { status: 500, times: 1 },
          { status: 503, every: 2 },
        ],
      });
      const statuses = six.map((call) => account.admit(call).fault?.status);
      expect(statuses).toEqual([500, 503, undefined, 503, undefined, 503]);
    }));

  it('is not used up by calls that are refused', () =>
    withAccount((account) => {
      account.applyControl({ faults: [{ status: 500, times: 1 }], balance: 0 });
      expect(account.admit(collect).fault).toBeUndefined();
      account.applyControl({ balance: 10, rate_per_s: 0 });
      expect(account.admit(collect).fault).toBeUndefined();
      account.applyControl({ rate_per_s: 10 });
      expect(account.admit(collect).fault?.status).toBe(500);
    }));
});
