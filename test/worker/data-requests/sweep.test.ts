// The minute cron with many open data requests, and the instances that continue them, within the limits of an invocation.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { continueInNextInstance } from '../../../worker/data-requests/workflow-instances.ts';
import { runSweeps } from '../../../worker/jobs/job-consumer.ts';
import { clock, testPlatform } from '../platform.ts';
import { insertDataRequest, newId } from '../routes/sheets/fixtures.ts';
import { StrictRuntime } from '../strict/index.ts';

const OPEN = 300;
const EXPIRED = 100;

/** A Workflow whose instances have all ended, which takes the most calls. It has the platform's class name. */
class WorkflowImpl {
  readonly created: string[] = [];
  async create({ id = '' }: WorkflowInstanceCreateOptions<unknown>): Promise<object> {
    this.created.push(id);
    return {};
  }
  async get(): Promise<object> {
    return { status: async () => ({ status: 'complete' }) };
  }
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
  await env.DB.batch(['request_files', 'requests'].map((name) => env.DB.prepare(`DELETE FROM ${name}`)));
});

it('300 open data requests are woken within minutes, each minute with fewer than 1,000 calls', async () => {
  clock.now = new Date().setUTCHours(6, 0, 0, 0);
  const open = { phase: 'running', charged: null, endedAt: null, dueAt: clock.now - 1 } as const;
  await copyRequest(await insertDataRequest('team', open), OPEN - 1);
  const monthAgo = clock.now - 31 * 86_400_000;
  await copyRequest(await insertDataRequest('team', { createdAt: monthAgo }), EXPIRED - 1);
  const workflow = new WorkflowImpl();
  const woken = new Set<string>();
  let minutes = 0;
  for (; woken.size < OPEN; minutes += 1) {
    expect(minutes).toBeLessThan(10);
    const runtime = new StrictRuntime({ clock: () => clock.now });
    const invocation = runtime.wrapBindings(Object.assign({ ...env }, { REQUESTS: workflow }));
    await runSweeps({ env: invocation.env, platform: testPlatform, waitUntil: () => {} });
    expect(invocation.listViolations()).toEqual([]);
    expect(invocation.countCalls()).toBeLessThan(1_000);
    for (const id of workflow.created.splice(0)) woken.add(id);
    // A woken data request moves on.
    await env.DB.prepare('UPDATE requests SET due_at = NULL WHERE run > 0').run();
    clock.now += 60_000;
  }
  expect(minutes).toBe(5);
});

it('an instance that has made many calls is followed by one other instance', async () => {
  const id = await insertDataRequest('team', { phase: 'ingesting', charged: null, endedAt: null, dueAt: 1 });
  const workflow = new WorkflowImpl();
  const bindings = Object.assign({ ...env }, { REQUESTS: workflow });
  const readRun = async () =>
    (await env.DB.prepare('SELECT run FROM requests WHERE id = ?').bind(id).first())?.run;
  await continueInNextInstance(bindings, id, `${id}-0`);
  expect([workflow.created, await readRun()]).toEqual([[`${id}-1`], 1]);
  // The platform repeats a step whose result is lost.
  await continueInNextInstance(bindings, id, `${id}-0`);
  expect([new Set(workflow.created).size, await readRun()]).toEqual([1, 1]);
  await continueInNextInstance(bindings, id, `${id}-1`);
  await continueInNextInstance(bindings, id, `${id}-0`);
  expect([workflow.created.at(-1), await readRun()]).toEqual([`${id}-2`, 2]);
  await env.DB.prepare('UPDATE requests SET due_at = NULL').run();
  await continueInNextInstance(bindings, id, `${id}-2`);
  expect(await readRun()).toBe(2);
});
