// The cron and the hourly job with many data requests, within the limits of an invocation.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { JobKey } from '../../../worker/db/jobs.ts';
import { keepHouse } from '../../../worker/jobs/retention.ts';
import { runCron } from '../../../worker/jobs/run-jobs.ts';
import { planJob } from '../job-rows.ts';
import { clock, testPlatform } from '../platform.ts';
import { insertDataRequest, newId } from '../routes/sheets/fixtures.ts';
import { StrictRuntime } from '../strict/index.ts';

const OPEN = 300;
const EXPIRED = 100;

const enqueued: string[] = [];

/** A queue that records its messages. It has the platform's class name, by which the strict bindings know it. */
class WorkerQueue {
  async sendBatch(messages: Iterable<{ body: JobKey }>): Promise<QueueSendBatchResponse> {
    for (const { body } of messages) if (body.kind === 'data_request') enqueued.push(body.id);
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  }
  send = (): Promise<never> => Promise.reject(new Error('not used'));
  metrics = (): Promise<never> => Promise.reject(new Error('not used'));
}

async function copyRequest(id: string, count: number): Promise<void> {
  const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info('requests')").all();
  const columns = results.flatMap(({ name }) => (name === 'id' ? [] : [`"${name}"`])).join();
  await env.DB.prepare(
    `INSERT INTO requests (id, ${columns}) SELECT value, ${columns} FROM requests, json_each(?) WHERE requests.id = ?`,
  )
    .bind(JSON.stringify(Array.from({ length: count }, newId)), id)
    .run();
}

beforeEach(async () => {
  await env.DB.batch(
    ['request_files', 'requests', 'jobs'].map((name) => env.DB.prepare(`DELETE FROM ${name}`)),
  );
});

it('300 due data requests are enqueued by one cron, with few calls', async () => {
  const open = { phase: 'running', charged: null, endedAt: null } as const;
  await copyRequest(await insertDataRequest('team', open), OPEN - 1);
  await env.DB.prepare(
    "INSERT INTO jobs (kind, id, created_at, due_at) SELECT 'data_request', id, 0, ? FROM requests",
  )
    .bind(clock.now - 1)
    .run();
  const invocation = new StrictRuntime({ clock: () => clock.now }).wrapBindings({
    ...env,
    JOBS: new WorkerQueue(),
  });
  await runCron({ env: invocation.env, platform: testPlatform, waitUntil: () => {} });
  expect(invocation.listViolations()).toEqual([]);
  expect(invocation.countCalls()).toBeLessThan(100);
  expect(new Set(enqueued.splice(0)).size).toBe(OPEN);
});

it('100 expired data requests are deleted by repeated runs of the hourly job, each with fewer than 1,000 calls', async () => {
  const monthAgo = clock.now - 31 * 86_400_000;
  await copyRequest(await insertDataRequest('team', { createdAt: monthAgo }), EXPIRED - 1);
  await planJob('housekeeping', 'hourly', clock.now);
  const countLeft = () =>
    env.DB.prepare('SELECT count(*) AS n FROM requests WHERE cleared_at IS NULL').first<number>('n');
  let runs = 0;
  for (; (await countLeft()) !== 0; runs += 1) {
    expect(runs).toBeLessThan(20);
    const invocation = new StrictRuntime({ clock: () => clock.now }).wrapBindings({ ...env });
    await keepHouse({ env: invocation.env, platform: testPlatform, waitUntil: () => {} });
    expect(invocation.listViolations()).toEqual([]);
    expect(invocation.countCalls()).toBeLessThan(1_000);
  }
  expect(await countLeft()).toBe(0);
  expect(runs).toBeGreaterThan(1);
});
