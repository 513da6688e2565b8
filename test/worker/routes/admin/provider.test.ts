// The provider's status, and reconciliation of unclear calls.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../../shared/api/admin-endpoints.ts';
import type { ProviderView } from '../../../../shared/api/admin-records.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { getProviderThrottle } from '../../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { createRemoteUpstream } from '../../../../worker/gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../../../worker/http/problem-error.ts';
import { call } from '../../gateway/ledger/ledger-harness.ts';
import { admin } from './harness.ts';

describe('the provider', () => {
  it('is shown with the throttle of the sandbox', async () => {
    const { ok } = admin();
    const view = await ok<ProviderView>('GET', '/provider');
    expect(view).toEqual({
      mode: 'sandbox',
      identity: 'admin-tests',
      key_set: false,
      problem: null,
      throttle: expect.objectContaining({ waiting: 0, open: 0, balance: null }),
    });
    expect(view.throttle?.breaker.state).toBe('closed');
    expect(view.throttle?.pace.per_s).toBeGreaterThan(0);
  });

  it('is shown without its key', async () => {
    const settings = {
      CDAPI_BASE_URL: 'https://api.example.com/cdapi',
      CDAPI_KEY: crypto.randomUUID().replaceAll('-', ''),
    };
    const upstream = () => createRemoteUpstream(settings.CDAPI_BASE_URL, settings.CDAPI_KEY);
    const { identity } = await upstream();
    await getProviderThrottle(env, identity).acquire({
      team: 'team',
      purpose: 'purchase',
      lane: 'formula',
      calls: 1,
      credits: 0,
      waitMs: 0,
    });
    const report = { outcome: 'answered', limitPerS: 18, balance: 990, charged: 10, unclear: 0 } as const;
    await getProviderThrottle(env, identity).report([report]);

    const { call, ok } = admin(settings, upstream);
    expect(await (await call('GET', '/provider')).text()).not.toContain(settings.CDAPI_KEY);
    expect(await ok('GET', '/provider')).toMatchObject({
      mode: 'live',
      identity,
      key_set: true,
      problem: null,
      throttle: {
        pace: { per_s: 18, reported: true },
        balance: { reported: 990, drift: 0, unclear: 0, reported_at: expect.stringMatching(/Z$/) },
      },
    });
  });

  it('is shown as a state if it is not configured', async () => {
    const missing = () => Promise.reject(new ProblemError('not_configured', 'Set both, or neither.'));
    expect(await admin({ CDAPI_KEY: 'half' }, missing).ok('GET', '/provider')).toEqual({
      mode: 'none',
      identity: null,
      key_set: true,
      problem: 'Set both, or neither.',
      throttle: null,
    });
  });
});

describe('reconcile', () => {
  it('resolves unclear calls', async () => {
    const { ok, team, token } = admin();
    const { id } = await team({ budget: { day: 100 } });
    const payer = (await token(id)).id;
    const ledger = getLedger(env, id);
    const names = ['one', 'two', 'three'];
    await ledger.reserveMany(
      names.map((name) => call(10, payer, name)),
      0,
    );
    await ledger.settleMany(names.map((name) => ({ id: name, charged: 'unclear' })));
    expect(await ok('GET', `/teams/${id}/budget`)).toMatchObject({ unclear: 30, spent: { day: 30 } });
    const list = async () => {
      const { calls, more } = await ok<AdminResponse<'listUnclearCalls'>>(
        'GET',
        `/teams/${id}/unclear-calls`,
      );
      expect(more).toBe(false);
      return calls.map(({ reference }) => reference).toSorted();
    };
    expect(await list()).toEqual(['one', 'three', 'two']);

    const reconcile = (references: string[], charged: boolean) =>
      ok('POST', '/provider/reconcile', { team: id, references, charged });
    expect(await reconcile(['one', 'never heard of'], false)).toEqual({ reconciled: 1 });
    expect(await reconcile(['two'], true)).toEqual({ reconciled: 1 });
    expect(await reconcile(['one', 'two'], false)).toEqual({ reconciled: 0 });
    expect(await ok('GET', `/teams/${id}/budget`)).toMatchObject({ unclear: 10, spent: { day: 20 } });
    expect(await list()).toEqual(['three']);
  });

  it('returns 404 for an unknown team', async () => {
    const body = { team: 'nobody', references: ['one'], charged: true };
    expect(await admin().problem('POST', '/provider/reconcile', { body })).toMatchObject({
      code: 'not_found',
    });
    expect(await admin().problem('GET', '/teams/nobody/unclear-calls')).toMatchObject({ code: 'not_found' });
  });
});
