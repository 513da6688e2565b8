// Metrics: the data points of requests, provider calls, data requests, jobs and the cron.
import { createExecutionContext, createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createApp } from '../../../worker/app.ts';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import { getProviderThrottle } from '../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import {
  labelColumns,
  MAX_POINTS,
  type MetricsPoint,
  valueColumns,
  writeMetrics,
} from '../../../worker/http/metrics.ts';
import { consumeJobs, runCron } from '../../../worker/jobs/run-jobs.ts';
import { respond, ServiceHarness } from '../data-requests/service-harness.ts';
import { buildCompanyResponse, buildTeamRequest, createGateway } from '../harness.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { openBreaker } from '../operations/permit.ts';
import { dataPoints, interceptCalls, metricsDataset, testPlatform } from '../platform.ts';

const bindings: DevelopmentEnv = Object.assign({ ...env }, { METRICS: metricsDataset });

/** Reads points by the names of their columns, without empty columns. @param event - only these events */
function readPoints(event: MetricsPoint['event']): Record<string, unknown>[] {
  return dataPoints
    .map(({ indexes = [], blobs = [], doubles = [] }) => {
      expect([blobs.length, doubles.length]).toEqual([labelColumns.length, valueColumns.length]);
      const labels = labelColumns.map(({ name }, at) => [name, blobs[at]] as const);
      const values = valueColumns.map(({ name }, at) => [name, doubles[at]] as const);
      const columns = [['team', indexes[0]] as const, ...labels, ...values];
      return Object.fromEntries(columns.filter(([, value]) => value !== '' && value !== 0));
    })
    .filter((point) => point.event === event);
}

it('a request is a point with the facts of its log line, and without a line there is no point', async () => {
  const VERSION = { id: 'id', tag: 'tag', timestamp: '' };
  const settings = { REQUEST_LOG: 'notable', VERSION };
  const { request } = createGateway(buildCompanyResponse, undefined, undefined, settings);
  const ask = (path: string, apikey = env.TEAM_TOKEN) =>
    request(`/cdapi/v2/${path}`, { headers: { apikey } });
  await ask('company_clean/enrich?website=m1.example');
  await ask('company_clean/enrich?website=m1.example');
  await ask('company_clean/collect/7', 'wrong');
  const common = { event: 'request', method: 'GET', family: 'company_clean', count: 1, version: 'tag' };
  const enrich = { ...common, team: 'team', route: '/cdapi/v2/company_clean/enrich', operation: 'enrich' };
  const points = readPoints('request').map(({ ms: _, upstream_ms: __, ...point }) => point);
  expect(points).toEqual([
    { ...enrich, outcome: 'ok', status: 200, cache: 'miss', rows: 1, credits: 10 },
    {
      ...common,
      team: 'none',
      route: '/cdapi/v2/company_clean/collect/{key}',
      operation: 'collect',
      outcome: 'refused',
      status: 401,
      problem: 'unauthorised',
    },
  ]);
});

it('a lookup counts its rows and those that were cached', async () => {
  const { lookup, request } = createGateway(buildCompanyResponse);
  const body = { family: 'company_clean', by: 'website' } as const;
  await lookup({ ...body, keys: ['m2.example'] });
  await lookup({ ...body, keys: ['m2.example', 'm3.example', 'no website'] });
  await request('/sheets/v1/search', buildTeamRequest({ family: 'company_clean', filters: { nothing: 1 } }));
  expect(readPoints('request').slice(1)).toMatchObject([
    {
      route: '/sheets/v1/lookup',
      family: 'company_clean',
      cache: 'mixed',
      rows: 3,
      cached_rows: 1,
      credits: 10,
    },
    { route: '/sheets/v1/search', outcome: 'refused', problem: 'invalid_request' },
  ]);
});

it('a provider call is a point with its charge, and one that opens the circuit breaker another', async () => {
  const { lookup } = createGateway((key) =>
    key === 'm4.example' ? buildCompanyResponse(key) : new Response('', { status: 504 }),
  );
  await lookup({ family: 'company_clean', by: 'website', keys: ['m4.example', 'm5.example'] });
  const common = { event: 'provider_call', team: 'team', family: 'company_clean', operation: 'enrich' };
  // Calls are reported a moment later.
  await expect
    .poll(() => readPoints('provider_call'))
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...common, outcome: 'answered', credits: 10 }),
        expect.objectContaining({ ...common, outcome: 'unclear', credits: 10 }),
      ]),
    );
  await openBreaker(getProviderThrottle(env, crypto.randomUUID()));
  expect(readPoints('breaker')).toMatchObject([
    { event: 'breaker', outcome: 'open', team: 'none', count: 1 },
  ]);
});

it('a data request is a point when it has ended, with its charge', async () => {
  const harness = new ServiceHarness();
  await harness.runSteps((await harness.createRequest()).id);
  const common = { event: 'data_request', team: 'team', family: 'company_clean', kind: 'ids' };
  expect(readPoints('data_request')).toMatchObject([{ ...common, outcome: 'ready', rows: 2, credits: 20 }]);
  const calls = readPoints('provider_call');
  expect(calls.map(({ operation, outcome }) => [operation, outcome])).toEqual(
    harness.calls.map(() => ['bulk', 'answered']),
  );
  dataPoints.length = 0;
  const refused = new ServiceHarness({ create: respond(402) });
  await refused.runSteps((await refused.createRequest({ keys: ['m6', 'm7'] })).id);
  expect(readPoints('data_request')).toMatchObject([
    { ...common, outcome: 'failed', problem: 'provider_out_of_credits' },
  ]);
});

it('a job and a run of the cron are points', async () => {
  captureErrorLog();
  const context = { env: bindings, platform: testPlatform, waitUntil: () => {} };
  const message = (kind: string, id: string) => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 1,
    body: { kind, id },
  });
  const failAt = (table: string): typeof context => {
    const DB = interceptCalls(env.DB, (method, [sql]) => {
      if (method === 'prepare' && String(sql).includes(table)) throw new Error('D1 is down');
    });
    return { ...context, env: { ...bindings, DB } };
  };
  await consumeJobs(createMessageBatch('cdapi-jobs', [message('push', 'none')]), context);
  await consumeJobs(createMessageBatch('cdapi-jobs', [message('alert', 'none')]), failAt(''));
  expect(readPoints('job')).toMatchObject([
    { kind: 'push', outcome: 'done', team: 'none' },
    { kind: 'alert', outcome: 'failed' },
  ]);
  await runCron(context);
  await runCron(failAt('from "jobs"'));
  const [done, ...failed] = readPoints('cron');
  expect(done).toMatchObject({ outcome: 'done' });
  expect(failed).toContainEqual(expect.objectContaining({ outcome: 'failed', kind: 'jobs' }));
});

it('points beyond the limit of an invocation are merged: sums stay exact', () => {
  const points = Array.from({ length: 50 }, (_, at): MetricsPoint => {
    const [team, ms] = at < 10 ? ['one', 100] : ['two', at];
    return { event: 'provider_call', team, family: 'job', outcome: 'answered', ms, credits: 2 };
  });
  writeMetrics(bindings, points);
  const common = { event: 'provider_call', family: 'job', outcome: 'answered', version: 'development' };
  expect(readPoints('provider_call')).toEqual([
    { ...common, team: 'one', count: 10, ms: 100, credits: 20 },
    { ...common, team: 'two', count: 40, ms: 29.5, credits: 80 },
  ]);
  dataPoints.length = 0;
  writeMetrics(
    bindings,
    points.map((point, at) => ({ ...point, team: `team-${at}` })),
  );
  expect(dataPoints).toHaveLength(MAX_POINTS);
});

it('a deployment without metrics, or whose dataset fails, answers as ever', async () => {
  const errors = captureErrorLog();
  const app = createApp(testPlatform);
  const METRICS = {
    writeDataPoint: () => {
      throw new Error('too many');
    },
  };
  for (const dataset of [{}, { METRICS }]) {
    const { METRICS: _, ...others } = bindings;
    const response = await app.request('/health', {}, { ...others, ...dataset }, createExecutionContext());
    expect(response.status).toBe(200);
  }
  expect(errors).toMatchObject([{ event: 'metrics_write_failed' }]);
  expect(dataPoints).toEqual([]);
});
