// The provider throttle in tests: a request for a permit, and failures that open its circuit breaker.
import { expect } from 'vitest';
import type { getProviderThrottle } from '../../../worker/gateway/provider-throttle/provider-throttle-object.ts';

export const permit = {
  team: 'team',
  purpose: 'purchase',
  lane: 'formula',
  calls: 1,
  credits: 1,
  waitMs: 0,
} as const;

/** Reports failed calls of several teams until the circuit breaker is open. */
export async function openBreaker(throttle: ReturnType<typeof getProviderThrottle>): Promise<void> {
  for (let number = 0; (await throttle.getState()).breaker.state !== 'open'; number += 1) {
    expect(number).toBeLessThan(100);
    const team = `team-${number % 3}`;
    const { granted } = await throttle.acquire({ ...permit, team, waitMs: 1_000 });
    expect(granted).toBe(1);
    const call = { team, purpose: 'purchase', area: 'company', question: `${number}` } as const;
    await throttle.report([{ call, outcome: 'failed', charged: 0, unclear: 0 }]);
  }
}
