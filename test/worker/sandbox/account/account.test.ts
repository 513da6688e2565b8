// The account: charges, rate limit, clock and faults, on a Durable Object's storage.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { SandboxAccount } from '../../../../worker/sandbox/account/account.ts';
import type { Call, Fault } from '../../../../worker/sandbox/account/faults.ts';
import { assumptions } from '../assumptions.ts';

const collect: Call = {
  name: 'collect',
  family: 'company_base',
  path: '/v2/company_base/collect/1',
  credits: 10,
};
const search: Call = { name: 'search', family: 'job_base', path: '/v2/job_base/search/filter', credits: 0 };

/** Runs a test with a new account. `restart` opens it again. */
async function withAccount(
  test: (account: SandboxAccount, clock: { now: number }, restart: () => SandboxAccount) => void,
): Promise<void> {
  const stub = env.SANDBOX_ACCOUNT.getByName(crypto.randomUUID());
  await runInDurableObject(stub, (_instance, state) => {
    const clock = { now: Date.UTC(2026, 8, 1) };
    const open = () => new SandboxAccount(state, env, () => clock.now);
    test(open(), clock, open);
  });
}

describe('charge', () => {
  it('charges only what the balance covers', () =>
    withAccount((account) => {
      account.applyControl({ balance: 25 });
      expect([account.charge(26), account.charge(25), account.charge(1)]).toEqual([
        { paid: false, balance: 25 },
        { paid: true, balance: 0 },
        { paid: false, balance: 0 },
      ]);
    }));

  it('charges a name once, also after a restart', () =>
    withAccount((account, _clock, restart) => {
      account.applyControl({ balance: 5 });
      expect(account.charge(8, 'request')).toEqual({ paid: false, balance: 5 });
      account.applyControl({ balance: 20 });
      expect(account.charge(8, 'request')).toEqual({ paid: true, balance: 12 });
      expect(restart().charge(8, 'request')).toEqual({ paid: true, balance: 12 });
      expect(account.charge(8, 'another')).toEqual({ paid: true, balance: 4 });
    }));
});

it(assumptions.rateWindow, () =>
  withAccount((account, clock) => {
    account.applyControl({ rate_per_s: 2 });
    const admitAndGetRemaining = () => account.admit(search).rate.remaining;
    clock.now += 999;
    expect([admitAndGetRemaining(), admitAndGetRemaining(), admitAndGetRemaining()]).toEqual([1, 0, 0]);
    expect(account.admit(search).refusal).toBe('rate');
    account.applyControl({ rate_per_s: 4 });
    expect(account.admit(search)).toMatchObject({ refusal: undefined, rate: { remaining: 1 } });
    account.applyControl({ rate_per_s: 2 });
    clock.now += 1;
    expect(account.admit(search)).toMatchObject({ refusal: undefined, rate: { limit: 2, remaining: 1 } });
    account.applyControl({ clock_offset_s: 1 });
    expect(admitAndGetRemaining()).toBe(1);
  }),
);

it('offsets the clock by seconds and fractions', () =>
  withAccount((account, clock) => {
    expect(account.getClock()).toEqual({ now: clock.now, runMs: 2_000 });
    account.applyControl({ clock_offset_s: -1.5, run_ms: 0 });
    expect(account.getClock()).toEqual({ now: clock.now - 1_500, runMs: 0 });
    expect(account.admit(search).clockOffsetMs).toBe(-1_500);
  }));

/** Admits calls and returns the indexes of those with a fault. */
function admitAndListFaults(account: SandboxAccount, calls: readonly Call[]): number[] {
  return calls.flatMap((call, at) => (account.admit(call).fault === undefined ? [] : [at]));
}

describe('a fault', () => {
  const calls = Array.from({ length: 6 }, () => collect);
  const every = [0, 1, 2, 3, 4, 5];

  it.each<[Partial<Fault>, number[]]>([
    [{}, every],
    [{ every: 2 }, [1, 3, 5]],
    [{ times: 2 }, [0, 1]],
    [{ every: 2, times: 2 }, [1, 3]],
    [{ family: 'company_base' }, every],
    [{ family: 'job_base' }, []],
    [{ operation: 'enrich' }, []],
    [{ path: '/v2/company' }, every],
    [{ path: '/v2/company', operation: 'search' }, []],
  ])('with %j applies to the calls %j', (conditions, expected) =>
    withAccount((account) => {
      account.applyControl({ faults: [{ status: 500, ...conditions }] });
      expect(admitAndListFaults(account, calls)).toEqual(expected);
    }),
  );

  it('counts only matching calls, also after a restart', () =>
    withAccount((account, _clock, restart) => {
      account.applyControl({ faults: [{ status: 500, operation: 'collect', every: 2, times: 1 }] });
      expect(admitAndListFaults(account, [collect, search, search])).toEqual([]);
      const reopened = restart();
      expect(admitAndListFaults(reopened, [search, collect, collect, collect])).toEqual([1]);
      expect(reopened.getState().faults).toEqual([]);
    }));

  it('precedes later faults in the list, which still count the call', () =>
    withAccount((account) => {
      account.applyControl({
        faults: [
          { status: 500, times: 1 },
          { status: 503, every: 2 },
        ],
      });
      const statuses = calls.map((call) => account.admit(call).fault?.status);
      expect(statuses).toEqual([500, 503, undefined, 503, undefined, 503]);
    }));

  it('is not used up by rejected calls', () =>
    withAccount((account) => {
      account.applyControl({ faults: [{ status: 500, times: 1 }], balance: 0 });
      expect(account.admit(collect).fault).toBeUndefined();
      account.applyControl({ balance: 10, rate_per_s: 0 });
      expect(account.admit(collect).fault).toBeUndefined();
      account.applyControl({ rate_per_s: 10 });
      expect(account.admit(collect).fault?.status).toBe(500);
    }));
});
