// Concurrent requests share one call, which one of them pays, whoever leaves, fails or crashes.
import { describe, expect, it } from 'vitest';
import type { Payer } from '../../../../worker/gateway/provider-call.ts';
import { longIt } from '../../../pick-cases.ts';
import { buildPayer, buildPeerAnswer, companyResponse, enrichCall, respondWithCompany } from './builders.ts';
import { START, withHarness } from './harness.ts';

describe('a call', () => {
  it('is sent once for a thousand requests, and only the first team pays', () =>
    withHarness(async (harness) => {
      const requests = Array.from({ length: 1000 }, (_, at) =>
        harness.request([enrichCall('a1.com')], { payer: buildPayer(`team ${at % 7}`) }),
      );
      await harness.flush();
      expect(harness.provider.keys).toEqual(['a1.com']);
      harness.provider.answer('a1.com', companyResponse('a1.com'));
      await harness.flush();
      const rows = requests.flatMap((request) => request.rows ?? []);
      expect(rows).toHaveLength(1000);
      expect(rows[0]).toMatchObject({ outcome: 'fetched', credits: 10 });
      expect(new Set(rows.slice(1).map(({ outcome }) => outcome))).toEqual(new Set(['coalesced']));
      expect(rows.reduce((sum, { credits }) => sum + credits, 0)).toBe(10);
      expect(harness.ledgers.payers).toEqual(['team 0']);
      await harness.expectSettled(10);
    }));

  it('has its answer stored for ten minutes and until KV has it, also over a crash', () =>
    withHarness(async (harness) => {
      harness.kv.isDown = true;
      harness.provider.script = respondWithCompany;
      await harness.fetch([enrichCall('a1.com')]);
      harness.crash();
      harness.clock.moveTo(harness.clock.now + 3_600_000);
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ outcome: 'hit', credits: 0 }]);
      harness.kv.isDown = false;
      await harness.advance(700_000);
      expect(harness.kv.entries.size).toBe(2);
      expect(harness.store.answers.find(enrichCall('a1.com').name)).toBeUndefined();
      expect(harness.provider.keys).toEqual(['a1.com']);
    }));

  it('is answered with a stale record without a charge', () =>
    withHarness(async (harness) => {
      harness.settings = { FRESH_FOR: 'company=1m' };
      harness.crash();
      harness.provider.script = respondWithCompany;
      await harness.fetch([enrichCall('a1.com')]);
      await harness.advance(60_001);
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ outcome: 'stale', credits: 0 }]);
    }));

  it('is refused while five thousand others are in progress in the isolate', () =>
    withHarness(async (harness) => {
      harness.throttle.decide = () => new Promise(() => {});
      const calls = Array.from({ length: 5_001 }, (_, at) => enrichCall(`a${at}.com`));
      const request = harness.request(calls, { waitMs: 1000 });
      await harness.advance(1000);
      const { rows = [] } = request;
      // The calls of all objects in the isolate count together, also those of other tests.
      const pending = rows.filter(({ outcome }) => outcome === 'pending').length;
      expect(pending).toBeGreaterThan(2_500);
      expect(pending).toBeLessThanOrEqual(5_000);
      expect(rows.at(-1)).toMatchObject({ outcome: 'failed', problem: 'rate_limited' });
      const names = calls.map(({ name }) => name);
      harness.singleFlight.refuse(['pseudonym'], names);
    }));
});

describe('a failure', () => {
  it('is returned to all waiters and for three more seconds, without another call', () =>
    withHarness(async (harness) => {
      harness.provider.script = () => new Response('', { status: 503 });
      const requests = Array.from({ length: 1000 }, () => harness.request([enrichCall('a1.com')]));
      await harness.flush();
      for (const { rows } of requests) {
        expect(rows).toMatchObject([{ outcome: 'failed', problem: 'provider_unavailable', credits: 0 }]);
      }
      await harness.advance(2999);
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ outcome: 'failed', credits: 0 }]);
      expect(harness.provider.sent).toHaveLength(3);
      await harness.advance(2);
      harness.provider.script = respondWithCompany;
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ outcome: 'fetched' }]);
      await harness.expectSettled(10);
    }));

  it('is evicted from memory when the error responses become too large', () =>
    withHarness(async (harness) => {
      harness.provider.script = () => new Response('x'.repeat(60_000), { status: 400 });
      const calls = Array.from({ length: 40 }, (_, at) => enrichCall(`a${at}.com`));
      await harness.fetch(calls);
      await harness.fetch(calls.slice(-10));
      expect(harness.provider.sent).toHaveLength(40);
      await harness.fetch(calls.slice(0, 1));
      expect(harness.provider.sent).toHaveLength(41);
    }));
});

describe('a payer that may not pay', () => {
  it('leaves the call to the next team that waits for it', () =>
    withHarness(async (harness) => {
      harness.ledgers.decide = (team) => (team === 'poor' ? 'over_budget' : undefined);
      harness.provider.script = respondWithCompany;
      const [poor, poorToo, rich] = ['poor', 'poor', 'rich'].map((team) =>
        harness.request([enrichCall('a1.com')], { payer: buildPayer(team) }),
      );
      await harness.flush();
      const refused = { outcome: 'failed', problem: 'over_budget', credits: 0 };
      expect([poor?.rows, poorToo?.rows]).toMatchObject([[refused], [refused]]);
      expect(rich?.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      expect(harness.ledgers.payers).toEqual(['rich']);
      // The refusal of one team is not cached for another.
      const fetchFor = (team: string) => harness.fetch([enrichCall('b2.com')], { payer: buildPayer(team) });
      expect(await fetchFor('poor')).toMatchObject([refused]);
      expect(await fetchFor('rich')).toMatchObject([{ outcome: 'fetched' }]);
      await harness.expectSettled(20);
    }));

  it('leaves the call to another token of the same team', () =>
    withHarness(async (harness) => {
      harness.ledgers.decide = (_team, { token }) => (token === 'revoked' ? 'unauthorised' : undefined);
      harness.provider.script = respondWithCompany;
      const [revoked, valid] = ['revoked', 'valid'].map((token) =>
        harness.request([enrichCall('a1.com')], { payer: buildPayer('team', token) }),
      );
      await harness.flush();
      expect(revoked?.rows).toMatchObject([{ problem: 'unauthorised' }]);
      expect(valid?.rows).toMatchObject([{ outcome: 'fetched' }]);
    }));
});

describe('a request whose deadline has passed', () => {
  it('stays the payer of a call that was sent before, also after an alarm', () =>
    withHarness(async (harness) => {
      harness.request([enrichCall('a1.com')], { payer: buildPayer('left'), waitMs: 1000 });
      const stayed = harness.request([enrichCall('a1.com')], { payer: buildPayer('stayed') });
      await harness.advance(1000);
      void harness.singleFlight.resume(0);
      harness.provider.answer('a1.com', companyResponse('a1.com'));
      await harness.flush();
      expect(harness.ledgers.payers).toEqual(['left']);
      expect(stayed.rows).toMatchObject([{ outcome: 'coalesced', credits: 0 }]);
    }));

  it('leaves its call to those who still wait, and does not pay', () =>
    withHarness(async (harness) => {
      const permit = Promise.withResolvers<undefined>();
      harness.throttle.decide = () => permit.promise;
      harness.provider.script = respondWithCompany;
      const left = harness.request([enrichCall('a1.com')], { payer: buildPayer('left'), waitMs: 1000 });
      harness.request([enrichCall('b2.com')], { payer: buildPayer('left'), waitMs: 1000 });
      const stayed = harness.request([enrichCall('a1.com')], { payer: buildPayer('stayed') });
      await harness.advance(1000);
      expect(left.rows).toMatchObject([{ outcome: 'pending' }]);
      permit.resolve(undefined);
      await harness.flush();
      expect(stayed.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      expect(harness.ledgers.payers).toEqual(['stayed']);
      // Nobody waits for b2.com, so it is not bought.
      expect(harness.provider.keys).toEqual(['a1.com']);
      await harness.expectSettled(10);
    }));
});

describe('background calls', () => {
  it('continue after the response, resume after a crash, and are bought once', () =>
    withHarness(async (harness) => {
      const calls = Array.from({ length: 30 }, (_, at) => enrichCall(`a${at}.com`));
      const payer: Payer = { ...buildPayer('team'), source: 'formula' };
      const request = harness.request(calls, { payer, background: true, waitMs: 2000 });
      await harness.flush();
      harness.provider.answerAll(companyResponse);
      await harness.advance(2000);
      expect(request.rows?.filter(({ outcome }) => outcome === 'pending')).toHaveLength(25);
      expect(harness.provider.open).toHaveLength(5);
      harness.crash();
      harness.provider.script = respondWithCompany;
      await harness.advance(10_000);
      expect(new Set(harness.provider.keys).size).toBe(30);
      expect(harness.provider.sent).toHaveLength(30);
      const rows = await harness.fetch(calls, { waitMs: 0 });
      // The five calls in flight at the crash may have been charged, so they are not sent again.
      expect(rows.filter(({ outcome }) => outcome === 'failed')).toHaveLength(5);
      expect(rows.filter(({ outcome }) => outcome === 'hit')).toHaveLength(25);
      expect(harness.ledgers.spent).toBe(300);
      const sources = [...harness.ledgers.reservations.values()].map(({ source }) => source);
      expect(new Set(sources)).toEqual(new Set(['formula']));
    }));

  longIt('are dropped after a quarter of an hour', () =>
    withHarness(async (harness) => {
      harness.provider.script = () => Response.json({ message: 'too fast' }, { status: 429 });
      harness.throttle.decide = async () => {
        await harness.clock.after(100_000);
        return undefined;
      };
      harness.request([enrichCall('a1.com')], { background: true, waitMs: 0 });
      await harness.advance(1_000_000);
      const sent = harness.provider.sent.length;
      expect(sent).toBeGreaterThan(7);
      await harness.advance(200_000);
      expect(harness.provider.sent).toHaveLength(sent);
      await harness.expectSettled(0);
    }),
  );

  it('leave no timer and no row after ten minutes, except the index of copies in KV, which expires with them', () =>
    withHarness(async (harness) => {
      harness.provider.script = respondWithCompany;
      harness.request([enrichCall('a1.com'), enrichCall('b2.com')], { background: true });
      await harness.advance(700_000);
      const day = 86_400_000;
      expect(harness.clock.timers).toBe(0);
      expect(harness.sql.exec('SELECT name FROM copies').toArray()).toHaveLength(2);
      expect(Number(harness.alarm) - START).toBeGreaterThan(364 * day);
      for (const table of ['answers', 'answer_parts', 'purchases', 'unclear', 'background_calls']) {
        expect([table, harness.sql.exec(`SELECT * FROM ${table}`).toArray()]).toEqual([table, []]);
      }
    }));
});

describe('a crash', () => {
  it('makes a sent call unclear: counted as charged, and not sent again for ten minutes', () =>
    withHarness(async (harness) => {
      harness.request([enrichCall('a1.com')]);
      await harness.flush();
      harness.crash();
      const unclear = [{ outcome: 'failed', problem: 'provider_unclear', credits: 0 }];
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject(unclear);
      await harness.advance(1000);
      expect([...harness.ledgers.settled.values()]).toEqual(['unclear']);
      const unclearReservations = [{ team: 'team', id: 'reservation-0', credits: 10 }];
      const reports = harness.throttle.reports.filter((report) => report.unclearReservations);
      expect(reports).toMatchObject([{ unclear: 10, charged: 0, unclearReservations }]);
      await harness.advance(590_000);
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject(unclear);
      await harness.advance(20_000);
      harness.provider.script = respondWithCompany;
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([{ outcome: 'fetched' }]);
    }));
});

describe('an answer of another object', () => {
  it('is a hit for two minutes', () =>
    withHarness(async (harness) => {
      const { now } = harness.clock;
      const fetchFree = (since = 0) => harness.fetch([enrichCall('a1.com', since)], { waitMs: 0 });
      harness.singleFlight.acceptAnswer(enrichCall('a1.com').name, buildPeerAnswer(now));
      expect(await fetchFree()).toMatchObject([{ outcome: 'hit' }]);
      expect(await fetchFree(now + 1)).toMatchObject([{ outcome: 'unknown' }]);
      await harness.advance(120_001);
      expect(await fetchFree()).toMatchObject([{ outcome: 'unknown' }]);
    }));

  it('ends a queued call without a charge, unless a waiter wants a younger answer', () =>
    withHarness(async (harness) => {
      const { now } = harness.clock;
      const permit = Promise.withResolvers<undefined>();
      harness.throttle.decide = () => permit.promise;
      const waiting = harness.request([enrichCall('a1.com')]);
      const younger = harness.request([enrichCall('b2.com', now + 1)]);
      await harness.flush();
      for (const website of ['a1.com', 'b2.com']) {
        harness.singleFlight.acceptAnswer(enrichCall(website).name, buildPeerAnswer(now));
      }
      harness.provider.script = respondWithCompany;
      permit.resolve(undefined);
      await harness.advance(1);
      expect(waiting.rows).toMatchObject([{ outcome: 'coalesced', credits: 0 }]);
      expect(younger.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      expect(harness.provider.keys).toEqual(['b2.com']);
      await harness.expectSettled(10);
    }));
});
