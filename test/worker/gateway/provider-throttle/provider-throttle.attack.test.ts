// Attacks on the provider throttle: a token that stops the calls of others.
import { expect, it } from 'vitest';
import { lookup } from '../../../../worker/gateway/lookup.ts';
import { fetchPage } from '../../../../worker/gateway/search-pages.ts';
import { buildPageRequest, buildWebsiteLookup, GatewayHarness } from '../harness.ts';
import { buildPayer, enrichCall, respondWithCompany } from '../single-flight/builders.ts';
import { withHarness } from '../single-flight/harness.ts';
import { buildReportedCall, START, throttleTest } from './throttle-harness.ts';

/** Sends so many different searches of a team, which the provider answers with a status, one after the other. */
async function attackBySearch(status: number, searches: number): Promise<GatewayHarness> {
  const harness = new GatewayHarness((url) =>
    url.pathname.endsWith('/search/es_dsl')
      ? // A late Retry-After prevents retries.
        Response.json({ message: 'no' }, { status, headers: { 'retry-after': '60' } })
      : Response.json({ id: 1, name: 'One' }),
  );
  for (let search = 0; search < searches; search += 1) {
    const body = JSON.stringify({ query: { match: { name: `attack ${search}` } } });
    await fetchPage(buildPageRequest('search', '', body), harness.createContext('attacker'));
  }
  return harness;
}

it.each([
  [403, 12],
  [503, 12],
])(
  'a token repeats searches that the provider answers with %i: its team and others still buy records',
  async (status, searches) => {
    const harness = await attackBySearch(status, searches);
    for (const team of ['colleague', 'attacker']) {
      const keys = [`${team}1.com`, `${team}2.com`];
      const { rows } = await lookup(buildWebsiteLookup(keys), harness.createContext(team));
      expect(rows).toMatchObject([{ status: 'fetched' }, { status: 'fetched' }]);
    }
    const search = buildPageRequest('search', '', '{"query":{"match_all":{}}}');
    const result = await fetchPage(search, harness.createContext('colleague'));
    // The provider was asked: the failure is its own answer.
    expect(result).toMatchObject({ outcome: 'failed', answer: { status } });
  },
);

throttleTest(
  'a token repeats one question that fails: no circuit breaker opens',
  100,
  async ({ acquire, report, send, throttle }) => {
    const grantedAt = await send(50);
    for (let call = 0; call < 50; call += 1) {
      report({ grantedAt, outcome: 'failed', call: buildReportedCall('the same') });
    }
    expect(throttle.getState().breaker.state).toBe('closed');
    for (const team of ['team', 'other']) expect(await acquire({ team })).toMatchObject({ granted: 1 });
  },
);

throttleTest(
  'a token sends different purchases that fail, also as probes: other teams and its team’s searches go on',
  100,
  async ({ acquire, report, send, clock }) => {
    const grantedAt = await send(10);
    for (let call = 0; call < 10; call += 1) {
      report({ grantedAt, outcome: 'failed', call: buildReportedCall(call) });
    }
    for (let probe = 0; probe < 5; probe += 1) {
      expect(await acquire()).toMatchObject({ granted: 0, isBreakerOpen: true });
      expect(await acquire({ purpose: 'search' })).toMatchObject({ granted: 1 });
      expect(await acquire({ team: 'other', calls: 10 })).toMatchObject({ granted: 10 });
      await clock.pass(60_000);
      const failed = { outcome: 'failed', call: buildReportedCall(`probe ${probe}`) } as const;
      report({ grantedAt: await send(), ...failed });
    }
  },
);

throttleTest(
  'a token collects refusals with 403 for every family: only its own calls of that kind are blocked',
  100,
  async ({ acquire, report, send }) => {
    for (const area of ['company_clean', 'company_base', 'employee_clean', 'job_base']) {
      const call = buildReportedCall(area, { purpose: 'search', area });
      report({ grantedAt: await send(), accessRefused: 'call', call });
    }
    const blocked = {
      granted: 0,
      isBreakerOpen: false,
      blockedBy: 'provider_refused',
      retryAt: START + 3_000,
    };
    expect(await acquire({ purpose: 'search' })).toEqual(blocked);
    expect(await acquire()).toMatchObject({ granted: 1 });
    expect(await acquire({ team: 'other', purpose: 'search' })).toMatchObject({ granted: 1 });
  },
);

it.each([
  ['is stopped by its circuit breaker', { isBreakerOpen: true }],
  ['is blocked', { isBreakerOpen: false, blockedBy: 'provider_refused' }],
] as const)(
  'a token whose team %s asks for a record: another team that asks for the same one gets it',
  (_, refusal) =>
    withHarness(async (harness) => {
      const permit = Promise.withResolvers<undefined>();
      harness.throttle.decide = async ({ team }) => {
        await permit.promise;
        return team === 'attacker' ? { granted: 0, retryAt: START + 5_000, ...refusal } : undefined;
      };
      harness.provider.script = respondWithCompany;
      const attacker = harness.request([enrichCall('a1.com')], { payer: buildPayer('attacker') });
      await harness.flush();
      const waiting = harness.request([enrichCall('a1.com')], { payer: buildPayer('colleague') });
      await harness.flush();
      permit.resolve(undefined);
      await harness.advance(1_000);
      expect(attacker.rows).toMatchObject([{ outcome: 'failed', credits: 0 }]);
      expect(waiting.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      await harness.fetch([enrichCall('b2.com')], { payer: buildPayer('attacker') });
      const later = await harness.fetch([enrichCall('b2.com')], { payer: buildPayer('colleague') });
      expect(later).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      expect(harness.ledgers.payers).toEqual(['colleague', 'colleague']);
    }),
);

throttleTest(
  'two teams send purchases that fail: a third team waits for three probes, and is not refused',
  100,
  async ({ acquire, report, send, clock }) => {
    for (const team of ['one', 'two']) {
      const grantedAt = await send(10, { team });
      for (let call = 0; call < 10; call += 1) {
        report({ grantedAt, outcome: 'failed', call: buildReportedCall(`${team} ${call}`, { team }) });
      }
    }
    for (let probe = 0; probe < 3; probe += 1) {
      const { granted, grantedAt } = await acquire({ team: 'three', calls: 20 });
      expect(granted).toBe(1);
      expect(await acquire({ team: 'three' })).toMatchObject({ granted: 0, isBreakerOpen: false });
      await clock.pass(100);
      const call = buildReportedCall(`probe ${probe}`, { team: 'three' });
      report({ ...(grantedAt === undefined ? {} : { grantedAt }), outcome: 'answered', call });
    }
    expect(await acquire({ team: 'three', calls: 20 })).toMatchObject({ granted: 20 });
  },
);

it('a token whose team is stopped asks for a record in the background: another team that waits for it gets it', () =>
  withHarness(async (harness) => {
    harness.throttle.decide = ({ team }) =>
      team === 'attacker' ? { granted: 0, retryAt: START + 60_000, isBreakerOpen: true } : undefined;
    harness.provider.script = respondWithCompany;
    harness.request([enrichCall('a1.com')], {
      payer: buildPayer('attacker'),
      background: true,
      waitMs: 0,
    });
    await harness.flush();
    const waiting = harness.request([enrichCall('a1.com')], { payer: buildPayer('colleague') });
    await harness.advance(1_000);
    expect(waiting.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
  }));
