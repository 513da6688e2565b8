// The throttle's Durable Object: RPC, eviction, configuration.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  getProviderThrottle,
  ProviderThrottleObject,
} from '../../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { ConfigurationError } from '../../../../worker/gateway/upstream/configured-upstream.ts';
import { Clock, START } from './throttle-harness.ts';

describe('ProviderThrottleObject', () => {
  it('answers over RPC', async () => {
    const throttle = getProviderThrottle(env, 'wire');
    const permit = await throttle.acquire({ team: 'team', lane: 'bulk', calls: 2, credits: 0, waitMs: 0 });
    expect(permit).toMatchObject({ granted: 2, isBreakerOpen: false });
    expect(await throttle.getState()).toMatchObject({
      open: 2,
      waiting: 0,
      breaker: { state: 'closed' },
      resolved: [],
    });
    const { grantedAt = 0 } = permit;
    expect(
      await throttle.report([{ outcome: 'answered', grantedAt, balance: 100, charged: 10, unclear: 0 }]),
    ).toEqual({ resolved: [] });
    await throttle.acknowledge([{ team: 'team', id: 'unknown' }]);
    expect(await throttle.getState()).toMatchObject({
      open: 1,
      balance: { reported: 100, expected: 100, drift: 0 },
    });
  });

  it('keeps the reported pace and balance after an eviction, and drops calls in flight', async () => {
    const throttle = getProviderThrottle(env, 'evicted');
    await throttle.report([{ outcome: 'answered', limitPerS: 9, balance: 70, charged: 0, unclear: 0 }]);
    await throttle.acquire({ team: 'team', lane: 'formula', calls: 9, credits: 0, waitMs: 0 });
    await evictDurableObject(throttle);
    expect(await throttle.getState()).toMatchObject({
      pace: { perS: 9, learnt: true },
      open: 0,
      balance: { reported: 70, expected: 70 },
    });
  });

  it('reads its pace from the settings, and rejects an invalid one', () =>
    runInDurableObject(getProviderThrottle(env, 'configured'), async (_instance, state) => {
      const clock = new Clock();
      const platform = { now: () => clock.now, after: (ms: number) => clock.after(ms), random: () => 0.5 };
      const throttle = new ProviderThrottleObject(state, { ...env, PROVIDER_RATE_PER_S: '2' }, platform);
      const ask = { team: 'team', lane: 'formula', calls: 5, credits: 0, waitMs: 0 } as const;
      expect(await throttle.acquire(ask)).toMatchObject({ granted: 2, grantedAt: START });
      expect(await throttle.acquire(ask)).toEqual({
        granted: 0,
        retryAt: START + 1_000,
        isBreakerOpen: false,
      });
      expect(
        () => new ProviderThrottleObject(state, { ...env, PROVIDER_RATE_PER_S: 'fast' }, platform),
      ).toThrow(ConfigurationError);
    }));
});
