// A call on its way: held, sent, heard and settled, whichever of them fails.
import { describe, expect, it } from 'vitest';
import { captureErrorLog } from '../../logged-errors.ts';
import type { Loss } from './fakes.ts';
import { company, enrich, missing, payer, type SingleFlightHarness, withHarness } from './harness.ts';

/** What a call's end must look like when everything has been told. */
async function ends(
  world: SingleFlightHarness,
): Promise<{ spent: number; unsettled: number; out: number; busy: boolean }> {
  await world.pass(6000);
  const { ledgers, gate, store } = world;
  return { spent: ledgers.spent, unsettled: ledgers.unsettled, out: gate.out, busy: store.hasPendingWork() };
}

const done = (spent: number) => ({ spent, unsettled: 0, out: 0, busy: false });

describe('the price of a call', () => {
  it('is held before it is sent, and settled by what the provider charges', () =>
    withHarness(async (world) => {
      const script = { 'a1.com': company('a1.com'), 'none.com': missing() } as const;
      world.provider.script = ({ key }) => {
        const reserved = [...world.ledgers.holds.values()].map(({ credits }) => credits);
        expect(reserved).toEqual([10, 10]);
        return key === 'a1.com' ? script['a1.com'] : script['none.com'];
      };
      const rows = await world.rows([enrich('a1.com'), enrich('none.com')]);
      expect(rows.map(({ credits }) => credits)).toEqual([10, 0]);
      expect(await ends(world)).toEqual(done(10));
      expect([...world.ledgers.posted.values()].toSorted()).toEqual([0, 10]);
    }));

  it('names who pays and what is asked, the key as an HMAC only', () =>
    withHarness(async (world) => {
      world.provider.script = ({ key }) => company(key);
      await world.rows([enrich('secret1.com')], { payer: payer('team', 'token') });
      const [held] = world.ledgers.holds.values();
      expect(held).toMatchObject({
        team: 'team',
        token: 'token',
        operation: 'enrich',
        family: 'company_clean',
      });
      expect(held?.subject).toMatch(/^[0-9a-f]{64}$/);
      expect(JSON.stringify(world.gate.reports)).not.toContain('secret1');
    }));

  it.each<[string, Loss[], boolean]>([
    ['was lost before it was made', ['before'], true],
    ['was made and its answer lost', ['after'], true],
    ['was lost twice before it was made', ['before', 'before'], false],
    ['was made, and its answer lost twice', ['after', 'after'], false],
    ['was made and lost, then lost before', ['after', 'before'], false],
  ])('whose reservation %s is held once, or given back and nothing sent', (_, losses, sends) =>
    withHarness(async (world) => {
      const lines = captureErrorLog();
      world.provider.script = ({ key }) => company(key);
      world.ledgers.losses.reserve = [...losses];
      const [row] = await world.rows([enrich('a1.com')]);
      if (sends) expect(row).toMatchObject({ outcome: 'fetched', credits: 10 });
      else expect(row).toMatchObject({ outcome: 'failed', problem: 'gateway_unavailable', credits: 0 });
      expect(world.provider.sent).toHaveLength(sends ? 1 : 0);
      expect(lines).toMatchObject(
        losses.map((_, at) => ({ event: 'reservation_failed', attempt: at + 1, error: 'Error' })),
      );
      expect(world.ledgers.holds.size).toBeLessThanOrEqual(1);
      expect(await ends(world)).toEqual(done(sends ? 10 : 0));
    }),
  );

  it('is settled with the next reservation of the team, where that comes first', () =>
    withHarness(async (world) => {
      world.provider.script = ({ key }) => company(key);
      await world.rows([enrich('a1.com')]);
      await world.rows([enrich('b2.com')]);
      expect(world.ledgers.posted.size).toBe(1);
      expect(world.ledgers.calls).toEqual({ reserve: 2, settle: 0 });
      expect(await ends(world)).toEqual(done(20));
      expect(world.ledgers.calls).toEqual({ reserve: 2, settle: 1 });
    }));

  it('is not held while D1 can’t say how to name what is asked: the row fails, and the flight goes on', () =>
    withHarness(async (world) => {
      world.provider.script = ({ key }) => company(key);
      await world.rows([enrich('free')], { waitMs: 0 });
      world.d1 = 'down';
      const calls = Array.from({ length: 12 }, (_, at) => enrich(`a${at}.com`));
      const rows = await world.rows(calls);
      expect(new Set(rows.map((row) => ('problem' in row ? row.problem : row.outcome)))).toEqual(
        new Set(['gateway_unavailable']),
      );
      world.d1 = 'up';
      await world.pass(3001);
      expect((await world.rows(calls)).every(({ outcome }) => outcome === 'fetched')).toBe(true);
      expect(await ends(world)).toEqual(done(120));
    }));
});

describe('an answer', () => {
  const cut = () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"id":1,'));
          controller.error(new Error('cut'));
        },
      }),
    );

  it.each<[string, () => Response | Promise<Response>]>([
    ['that is cut', cut],
    ['that is no JSON', () => new Response('<html>')],
    ['that is a list', () => Response.json([1])],
    ['that never comes', () => Promise.reject(new DOMException('', 'TimeoutError'))],
    ['whose connection breaks', () => Promise.reject(new Error('Network connection lost.'))],
  ])('%s is unclear: counted as charged, never sent again by itself', (_, script) =>
    withHarness(async (world) => {
      world.provider.script = script;
      const unclear = { outcome: 'failed', problem: 'provider_unclear' };
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ ...unclear, credits: 10 }]);
      expect(await ends(world)).toEqual(done(10));
      expect([...world.ledgers.posted.values()]).toEqual(['unclear']);
      expect(world.gate.reports).toMatchObject([
        {
          outcome: 'failed',
          charged: 0,
          unclear: 10,
          unclearReservations: [{ team: 'team', id: 'reservation-0', credits: 10 }],
        },
      ]);
      world.provider.script = ({ key }) => company(key);
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ ...unclear, credits: 0 }]);
      expect(world.provider.sent).toHaveLength(1);
    }),
  );

  it('that failed and cost nothing is asked for three times, with full jitter, in fifteen seconds', () =>
    withHarness(async (world) => {
      world.random = 0.5;
      world.provider.script = () => new Response('', { status: 503 });
      const asking = world.ask([enrich('a1.com')]);
      await world.settle();
      expect(world.provider.sent).toHaveLength(1);
      await world.pass(400);
      expect(world.provider.sent).toHaveLength(2);
      await world.pass(799);
      expect(world.provider.sent).toHaveLength(2);
      await world.pass(1);
      expect(world.provider.sent).toHaveLength(3);
      expect(asking.rows).toMatchObject([{ problem: 'provider_unavailable', credits: 0 }]);
      expect(await ends(world)).toEqual(done(0));
    }));

  it('with Retry-After is not asked for sooner, and not at all where that is too late', () =>
    withHarness(async (world) => {
      let after = '3';
      world.provider.script = () => new Response('', { status: 503, headers: { 'retry-after': after } });
      const asking = world.ask([enrich('a1.com')]);
      await world.pass(2999);
      expect(world.provider.sent).toHaveLength(1);
      after = '60';
      await world.pass(1);
      expect(world.provider.sent).toHaveLength(2);
      expect(asking.rows).toMatchObject([{ problem: 'provider_unavailable', retryAfterMs: 60_000 }]);
    }));

  it('of 429 is asked for again when the gate lets it, as often as it takes', () =>
    withHarness(async (world) => {
      let refusals = 6;
      world.provider.script = ({ key }) => {
        refusals -= 1;
        return refusals < 0 ? company(key) : Response.json({ message: 'too fast' }, { status: 429 });
      };
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ outcome: 'fetched' }]);
      expect(world.gate.reports).toEqual([]);
      await world.pass(1000);
      expect(world.gate.reports.map(({ outcome }) => outcome)).toEqual([
        ...Array.from({ length: 6 }, () => 'rate_limited'),
        'answered',
      ]);
      expect(await ends(world)).toEqual(done(10));
    }));

  it('of a provider that is another one by now is not asked for', () =>
    withHarness(async (world) => {
      world.replaceProvider('another');
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ problem: 'pending' }]);
      expect(world.provider.sent).toEqual([]);
      expect(await ends(world)).toEqual(done(0));
    }));

  it('that can’t be written down leaves the call unclear, and the flight goes on', () =>
    withHarness(async (world) => {
      const { finishCall } = world.store;
      let broken = 1;
      world.store.finishCall = (...args) => {
        broken -= 1;
        if (broken >= 0) throw new Error('the disk is full');
        finishCall.apply(world.store, args);
      };
      world.provider.script = ({ key }) => company(key);
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ problem: 'internal' }]);
      expect(await world.rows([enrich('b2.com')])).toMatchObject([{ outcome: 'fetched' }]);
      await world.pass(6000);
      expect([...world.ledgers.posted.values()]).toEqual(['unclear', 10]);
    }));
});

describe('a free call', () => {
  const search = {
    name: 'search:team:company_clean:hash',
    operation: 'search',
    family: 'company_clean',
    method: 'POST',
    path: '/v2/company_clean/search/es_dsl',
    body: '{}',
    credits: 0,
    since: 0,
  } as const;

  it('is held by no ledger, and asked for again after the object ended in the middle', () =>
    withHarness(async (world) => {
      world.ask([search]);
      await world.settle();
      world.kill();
      world.provider.script = () => Response.json([1, 2]);
      expect(await world.rows([search])).toMatchObject([{ outcome: 'fetched', credits: 0 }]);
      expect(world.provider.sent).toHaveLength(2);
      expect(world.ledgers.calls).toEqual({ reserve: 0, settle: 0 });
    }));

  it('whose answer can’t be read has only failed', () =>
    withHarness(async (world) => {
      world.provider.script = () => new Response('<html>');
      expect(await world.rows([search])).toMatchObject([{ problem: 'provider_unavailable', credits: 0 }]);
    }));
});
