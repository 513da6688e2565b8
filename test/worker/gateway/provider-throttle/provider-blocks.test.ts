// Issue: "Only calls whose price exceeds the known balance may be refused without asking; a 402 bars nothing else."
import { describe, expect, it } from 'vitest';
import { START, watch, withThrottle } from './throttle-harness.ts';

const blocked = {
  granted: 0,
  isBreakerOpen: false,
  blockedBy: 'provider_out_of_credits',
  retryAt: START + 3_000,
};

describe('a call that the account can’t pay for', () => {
  it.each([
    ['without a balance', {}, [0, 1, 9], [10, 20]],
    ['with a balance of 5', { balance: 5 }, [0, 1, 5], [6, 10, 20]],
    ['with a balance of 0', { balance: 0 }, [0], [1, 10, 20]],
    ['with a balance above its price', { balance: 15 }, [0, 10, 15], [16, 20]],
  ])('%s blocks only more expensive calls', (_, said, granted, refused) =>
    withThrottle(100, async ({ acquire, send, report }) => {
      report({ grantedAt: await send(), unpaidCredits: 10, ...said });
      for (const credits of granted) expect(await acquire({ credits })).toMatchObject({ granted: 1 });
      for (const credits of refused) expect(await acquire({ credits, waitMs: 60_000 })).toEqual(blocked);
    }),
  );

  it('blocks nothing if it was free', () =>
    withThrottle(100, async ({ acquire, send, report }) => {
      report({ grantedAt: await send(), unpaidCredits: 0 });
      for (const credits of [0, 1, 20]) expect(await acquire({ credits })).toMatchObject({ granted: 1 });
    }));

  it('refuses waiting calls that cost as much, and keeps the others', () =>
    withThrottle(1, async ({ acquire, send, report, clock }) => {
      const grantedAt = await send();
      const paid = watch(acquire({ credits: 10, waitMs: 60_000 }));
      const free = watch(acquire({ credits: 0, waitMs: 60_000 }));
      const covered = watch(acquire({ team: 'other', credits: 1, waitMs: 60_000 }));
      await clock.pass(100);
      report({ grantedAt, unpaidCredits: 10 });
      await clock.pass(0);
      expect(paid.permit).toMatchObject({ blockedBy: 'provider_out_of_credits' });
      expect([free.permit, covered.permit]).toEqual([undefined, undefined]);
      await clock.pass(2_000);
      expect([free.permit, covered.permit]).toMatchObject([{ granted: 1 }, { granted: 1 }]);
    }));

  it('is sent again after three seconds', () =>
    withThrottle(100, async ({ acquire, send, report, clock }) => {
      report({ grantedAt: await send(), unpaidCredits: 10, balance: 0 });
      await clock.pass(2_999);
      expect(await acquire({ credits: 10 })).toEqual(blocked);
      await clock.pass(1);
      expect(await acquire({ credits: 10 })).toMatchObject({ granted: 1 });
    }));
});

describe('a refused API key', () => {
  it('blocks every call for three seconds', () =>
    withThrottle(100, async ({ acquire, send, report, clock }) => {
      report({ grantedAt: await send(), keyRefused: true });
      const away = {
        granted: 0,
        isBreakerOpen: false,
        blockedBy: 'provider_refused',
        retryAt: START + 3_000,
      };
      for (const credits of [0, 1, 20]) expect(await acquire({ credits, waitMs: 60_000 })).toEqual(away);
      await clock.pass(3_000);
      expect(await acquire({ credits: 0 })).toMatchObject({ granted: 1 });
    }));
});
