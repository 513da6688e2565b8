// From the reservation to the settlement of a call, whichever step fails.
import { describe, expect, it } from 'vitest';
import { type CallState, transition } from '../../../../worker/gateway/single-flight/calls/call-state.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import {
  buildPageCall,
  buildPayer,
  companyResponse,
  enrichCall,
  notFoundResponse,
  respondWithCompany,
} from './builders.ts';
import type { Loss } from './fakes.ts';
import { withHarness } from './harness.ts';

// The diagram of docs/consistency.md, "Single flight".
it.each<[CallState, CallState[]]>([
  ['queued', ['permitted', 'answered', 'refused', 'cancelled']],
  ['permitted', ['queued', 'reserved', 'refused', 'cancelled']],
  ['reserved', ['queued', 'sent', 'refused', 'cancelled']],
  ['sent', ['queued', 'answered', 'unclear']],
  ['answered', []],
  ['unclear', []],
])('a %s call can only become %o', (from, allowed) => {
  const states = ['queued', 'permitted', 'reserved', 'sent', 'answered', 'unclear', 'refused', 'cancelled'];
  for (const to of states as CallState[]) {
    if (allowed.includes(to)) expect(transition(from, to)).toBe(to);
    else expect(() => transition(from, to)).toThrow(`${from} → ${to}`);
  }
});

describe('the price of a call', () => {
  it('is reserved before the call is sent, and settled by what the provider charges', () =>
    withHarness(async (harness) => {
      harness.provider.script = ({ key }) => {
        const reserved = [...harness.ledgers.reservations.values()].map(({ credits }) => credits);
        expect(reserved).toEqual([10, 10]);
        return key === 'a1.com' ? companyResponse(key) : notFoundResponse();
      };
      const rows = await harness.fetch([enrichCall('a1.com'), enrichCall('none.com')]);
      expect(rows.map(({ credits }) => credits)).toEqual([10, 0]);
      await harness.expectSettled(10);
      expect([...harness.ledgers.settled.values()].toSorted()).toEqual([0, 10]);
    }));

  it('is reserved with the payer, the operation and the HMAC of the key', () =>
    withHarness(async (harness) => {
      harness.provider.script = respondWithCompany;
      await harness.fetch([enrichCall('secret1.com')], { payer: buildPayer('team', 'token') });
      const [reservation] = harness.ledgers.reservations.values();
      const expected = { team: 'team', token: 'token', operation: 'enrich', family: 'company_clean' };
      expect(reservation).toMatchObject(expected);
      expect(reservation?.subject).toMatch(/^[0-9a-f]{64}$/);
      expect(JSON.stringify(harness.throttle.reports)).not.toContain('secret1');
    }));

  it.each<[Loss[], boolean]>([
    [['before'], true],
    [['after'], true],
    [['before', 'before'], false],
    [['after', 'after'], false],
    [['after', 'before'], false],
  ])('is reserved once or returned if the ledger is lost %o its work', (losses, isSent) =>
    withHarness(async (harness) => {
      const lines = captureErrorLog();
      harness.provider.script = respondWithCompany;
      harness.ledgers.losses.reserve = [...losses];
      const [row] = await harness.fetch([enrichCall('a1.com')]);
      const failed = { outcome: 'failed', problem: 'gateway_unavailable', credits: 0 };
      expect(row).toMatchObject(isSent ? { outcome: 'fetched', credits: 10 } : failed);
      expect(harness.provider.sent).toHaveLength(isSent ? 1 : 0);
      expect(lines).toMatchObject(
        losses.map((_, at) => ({ event: 'reservation_failed', attempt: at + 1, error: 'Error' })),
      );
      expect(harness.ledgers.reservations.size).toBeLessThanOrEqual(1);
      await harness.expectSettled(isSent ? 10 : 0);
    }),
  );

  it('is settled together with the next reservation of the team, if that comes first', () =>
    withHarness(async (harness) => {
      harness.provider.script = respondWithCompany;
      await harness.fetch([enrichCall('a1.com')]);
      await harness.fetch([enrichCall('b2.com')]);
      expect(harness.ledgers.settled.size).toBe(1);
      expect(harness.ledgers.requests).toEqual({ reserve: 2, settle: 0 });
      await harness.expectSettled(20);
      expect(harness.ledgers.requests).toEqual({ reserve: 2, settle: 1 });
    }));

  it('is not reserved while D1 cannot provide pseudonyms, and the object recovers', () =>
    withHarness(async (harness) => {
      harness.provider.script = respondWithCompany;
      await harness.fetch([enrichCall('a.com')], { waitMs: 0 });
      harness.isD1Down = true;
      const calls = Array.from({ length: 12 }, (_, at) => enrichCall(`a${at}.com`));
      const failed = await harness.fetch(calls);
      expect(failed).toMatchObject(calls.map(() => ({ problem: 'gateway_unavailable' })));
      harness.isD1Down = false;
      await harness.advance(3001);
      expect(await harness.fetch(calls)).toMatchObject(calls.map(() => ({ outcome: 'fetched' })));
      await harness.expectSettled(120);
    }));
});

describe('a response', () => {
  const cutOff = () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"id":1,'));
          controller.error(new Error('cut off'));
        },
      }),
    );

  it.each<[string, () => Response | Promise<Response>]>([
    ['that is cut off', cutOff],
    ['that is not JSON', () => new Response('<html>')],
    ['that is a list', () => Response.json([1])],
    ['that never comes', () => Promise.reject(new DOMException('', 'TimeoutError'))],
    ['whose connection breaks', () => Promise.reject(new Error('Network connection lost.'))],
  ])('%s is unclear: it counts as charged and is not retried', (_, script) =>
    withHarness(async (harness) => {
      harness.provider.script = script;
      const unclear = { outcome: 'failed', problem: 'provider_unclear' };
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ ...unclear, credits: 10 }]);
      await harness.expectSettled(10);
      expect([...harness.ledgers.settled.values()]).toEqual(['unclear']);
      const unclearReservations = [{ team: 'team', id: 'reservation-0', credits: 10 }];
      const report = { outcome: 'failed', charged: 0, unclear: 10, unclearReservations };
      expect(harness.throttle.reports).toMatchObject([report]);
      harness.provider.script = respondWithCompany;
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ ...unclear, credits: 0 }]);
      expect(harness.provider.sent).toHaveLength(1);
    }),
  );

  it('that failed without a charge is retried twice, with full jitter', () =>
    withHarness(async (harness) => {
      harness.random = 0.5;
      harness.provider.script = () => new Response('', { status: 503 });
      const request = harness.request([enrichCall('a1.com')]);
      for (const [ms, sent] of [
        [0, 1],
        [400, 2],
        [799, 2],
        [1, 3],
      ] as const) {
        await harness.advance(ms);
        expect(harness.provider.sent).toHaveLength(sent);
      }
      expect(request.rows).toMatchObject([{ problem: 'provider_unavailable', credits: 0 }]);
      await harness.expectSettled(0);
    }));

  it('with Retry-After is not retried sooner, and not at all if that is too late', () =>
    withHarness(async (harness) => {
      let after = '3';
      harness.provider.script = () => new Response('', { status: 503, headers: { 'retry-after': after } });
      const request = harness.request([enrichCall('a1.com')]);
      await harness.advance(2999);
      expect(harness.provider.sent).toHaveLength(1);
      after = '60';
      await harness.advance(1);
      expect(harness.provider.sent).toHaveLength(2);
      expect(request.rows).toMatchObject([{ problem: 'provider_unavailable', retryAfterMs: 60_000 }]);
    }));

  it('with status 429 is retried whenever the throttle grants a permit', () =>
    withHarness(async (harness) => {
      let refusals = 6;
      harness.provider.script = ({ key }) => {
        refusals -= 1;
        return refusals < 0 ? companyResponse(key) : Response.json({ message: 'too fast' }, { status: 429 });
      };
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ outcome: 'fetched' }]);
      await harness.expectSettled(10);
      const outcomes = harness.throttle.reports.map(({ outcome }) => outcome);
      expect(outcomes).toEqual([...Array(6).fill('rate_limited'), 'answered']);
    }));

  it('that cannot be stored leaves the call unclear, and the object recovers', () =>
    withHarness(async (harness) => {
      const { finishCall } = harness.store;
      harness.store.finishCall = () => {
        harness.store.finishCall = finishCall;
        throw new Error('the disk is full');
      };
      harness.provider.script = respondWithCompany;
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ problem: 'internal' }]);
      expect(await harness.fetch([enrichCall('b2.com')])).toMatchObject([{ outcome: 'fetched' }]);
      await harness.advance(6000);
      expect([...harness.ledgers.settled.values()]).toEqual(['unclear', 10]);
    }));
});

it('sends nothing if the provider has changed', () =>
  withHarness(async (harness) => {
    harness.upstreamIdentity = 'another';
    expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ problem: 'pending' }]);
    expect(harness.provider.sent).toEqual([]);
    await harness.expectSettled(0);
  }));

describe('a free call', () => {
  const search = buildPageCall('search');

  it('needs no reservation, and is sent again after a crash', () =>
    withHarness(async (harness) => {
      harness.request([search]);
      await harness.flush();
      harness.crash();
      harness.provider.script = () => Response.json([1, 2]);
      expect(await harness.fetch([search])).toMatchObject([{ outcome: 'fetched', credits: 0 }]);
      expect(harness.provider.sent).toHaveLength(2);
      expect(harness.ledgers.requests).toEqual({ reserve: 0, settle: 0 });
    }));

  it('fails, and is not unclear, if its response is unreadable', () =>
    withHarness(async (harness) => {
      harness.provider.script = () => new Response('<html>');
      const failed = { problem: 'provider_unavailable', credits: 0 };
      expect(await harness.fetch([search])).toMatchObject([failed]);
    }));
});
