// Issue: "Only calls whose price exceeds the known balance may be refused without asking; a 402 bars nothing else."
import { describe, expect, it } from 'vitest';
import { START, watch, withGate } from './throttle-harness.ts';

const blocked = {
  granted: 0,
  isBreakerOpen: false,
  blockedBy: 'provider_out_of_credits',
  retryAt: START + 3_000,
};

describe('a call that the provider’s account could not pay for', () => {
  it.each([
    ['does not say what is left', {}, [0, 1, 9], [10, 20]],
    ['says that 5 are left', { balance: 5 }, [0, 1, 5], [6, 10, 20]],
    ['says that nothing is left', { balance: 0 }, [0], [1, 10, 20]],
    ['says that more is left than it costs', { balance: 15 }, [0, 10, 15], [16, 20]],
  ])('and of which the answer %s bars only what costs more', (_, said, granted, refused) =>
    withGate(100, async ({ ask, send, tell }) => {
      tell({ grantedAt: await send(), unpaidCredits: 10, ...said });
      for (const credits of granted) expect(await ask({ credits })).toMatchObject({ granted: 1 });
      for (const credits of refused) expect(await ask({ credits, waitMs: 60_000 })).toEqual(blocked);
    }),
  );

  it('bars nothing where it was free', () =>
    withGate(100, async ({ ask, send, tell }) => {
      tell({ grantedAt: await send(), unpaidCredits: 0 });
      for (const credits of [0, 1, 20]) expect(await ask({ credits })).toMatchObject({ granted: 1 });
    }));

  it('sends those away at once who wait with such a call; the others keep their places', () =>
    withGate(1, async ({ ask, send, tell, clock }) => {
      const grantedAt = await send();
      const paid = watch(ask({ credits: 10, waitMs: 60_000 }));
      const free = watch(ask({ credits: 0, waitMs: 60_000 }));
      const covered = watch(ask({ team: 'other', credits: 1, waitMs: 60_000 }));
      await clock.pass(100);
      tell({ grantedAt, unpaidCredits: 10 });
      await clock.pass(0);
      expect(paid.permit).toMatchObject({ blockedBy: 'provider_out_of_credits' });
      expect([free.permit, covered.permit]).toEqual([undefined, undefined]);
      await clock.pass(2_000);
      expect([free.permit, covered.permit]).toMatchObject([{ granted: 1 }, { granted: 1 }]);
    }));

  it('is asked again after three seconds, whatever was last said of the balance', () =>
    withGate(100, async ({ ask, send, tell, clock }) => {
      tell({ grantedAt: await send(), unpaidCredits: 10, balance: 0 });
      await clock.pass(2_999);
      expect(await ask({ credits: 10 })).toEqual(blocked);
      await clock.pass(1);
      expect(await ask({ credits: 10 })).toMatchObject({ granted: 1 });
    }));
});

describe('a key that the provider refuses', () => {
  it('bars every call for three seconds, free ones too', () =>
    withGate(100, async ({ ask, send, tell, clock }) => {
      tell({ grantedAt: await send(), keyRefused: true });
      const away = {
        granted: 0,
        isBreakerOpen: false,
        blockedBy: 'provider_refused',
        retryAt: START + 3_000,
      };
      for (const credits of [0, 1, 20]) expect(await ask({ credits, waitMs: 60_000 })).toEqual(away);
      await clock.pass(3_000);
      expect(await ask({ credits: 0 })).toMatchObject({ granted: 1 });
    }));
});
