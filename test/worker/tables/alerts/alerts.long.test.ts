// Alerts: addresses, delivery, retries, dead letters and budget thresholds. The URL stays secret.
import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AdminResponse } from '../../../../shared/api/admin-endpoints.ts';
import { type Alert, type AlertBody, maxAlerts } from '../../../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import type { JobKey } from '../../../../worker/db/jobs.ts';
import { tableRuns, usageDays } from '../../../../worker/db/schema.ts';
import type { DevelopmentEnv } from '../../../../worker/env.ts';
import type { JobContext } from '../../../../worker/gateway/context.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { emptySums } from '../../../../worker/gateway/ledger/usage-report.ts';
import { retryDelaysMs } from '../../../../worker/http/send-webhook.ts';
import { consumeJobs } from '../../../../worker/jobs/run-jobs.ts';
import { sweepJobs } from '../../../../worker/queue/jobs.ts';
import { enqueueAlert } from '../../../../worker/tables/alerts/enqueue-alert.ts';
import { sendMessage } from '../../../../worker/tables/alerts/send-message.ts';
import { checkBudgets, sendWeeklySummaries } from '../../../../worker/tables/alerts/team-checks.ts';
import { createQueue, readJob } from '../../job-rows.ts';
import { clock, interceptCalls, testPlatform } from '../../platform.ts';
import { admin } from '../../routes/admin/harness.ts';
import { type ApiClient, createClient } from '../../routes/sheets/callers.ts';

const URL = 'https://hooks.example.com/services/T000/B000/secret';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Messages at the receiver. */
const received: { url: string; text: string; redirect: string }[] = [];
/** Response of the receiver; 0: no connection. */
let status = 200;
const logged: string[] = [];
const enqueued: JobKey[] = [];

beforeEach(async () => {
  await env.DB.batch(
    ['jobs', 'alert_messages', 'alerts'].map((name) => env.DB.prepare(`DELETE FROM ${name}`)),
  );
  enqueued.length = 0;
  received.length = 0;
  logged.length = 0;
  status = 200;
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void logged.push(args.join(' ')));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { text } = await request.json<{ text: string }>();
    received.push({ url: request.url, text, redirect: request.redirect });
    if (status === 0) throw new TypeError(`could not connect to ${request.url}`);
    return new Response('no matter', { status });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(logged.join('\n')).not.toContain('secret');
});

/** Creates a job context whose queue messages the test handles. */
function createContext(): JobContext<DevelopmentEnv> {
  const JOBS = createQueue((key) => enqueued.push(key));
  return { env: { ...env, JOBS }, platform: testPlatform, waitUntil: () => {} };
}

async function runQueue(): Promise<void> {
  for (const { kind, id } of enqueued.splice(0)) if (kind === 'alert') await sendMessage(createContext(), id);
}

/** Runs the minute cron and then the queue. */
async function runMinute(): Promise<void> {
  const context = createContext();
  await checkBudgets(context);
  await sendWeeklySummaries(context.env, clock.now);
  enqueued.length = 0;
  await sweepJobs(context, false);
  await runQueue();
}

let teams = 0;

interface Team {
  id: string;
  client: ApiClient;
  alert: (subject: string, text?: string, kind?: 'failure' | 'change') => Promise<void>;
}

async function newTeam(...addresses: Partial<AlertBody>[]): Promise<Team> {
  const id = `alerted-${teams++}`;
  const client = await createClient(id);
  for (const address of addresses)
    await client.ok('POST', '/alerts', { url: URL, on: ['failure'], ...address });
  const alert: Team['alert'] = (subject, text = 'It has failed.', kind = 'failure') =>
    enqueueAlert(createContext().env, { teamId: id, kind, subject, text }, clock.now);
  return { id, client, alert };
}

const getOnlyAddress = async ({ client }: Team): Promise<Alert> => {
  const { alerts } = await client.ok<SheetsResponse<'listAlerts'>>('GET', '/alerts');
  const [first] = alerts;
  if (first === undefined || alerts.length > 1) throw new Error(`${alerts.length} addresses`);
  return first;
};

describe('an alert address', () => {
  it('is created, updated and deleted, returns only its host and is hidden from other teams', async () => {
    const { client } = await newTeam();
    const created = await client.call('POST', '/alerts', { url: URL, on: ['failure', 'budget'] });
    expect(created.status).toBe(201);
    const text = await created.text();
    expect(text).not.toContain('secret');
    const { id } = JSON.parse(text);
    expect(JSON.parse(text)).toMatchObject({
      host: 'hooks.example.com',
      on: ['failure', 'budget'],
      last: null,
    });
    const changed = await client.ok<Alert>('PUT', `/alerts/${id}`, {
      url: 'https://b.example.com/x',
      on: ['change'],
    });
    expect(changed).toMatchObject({ id, host: 'b.example.com', on: ['change'] });
    const other = await newTeam();
    for (const [method, path] of [
      ['PUT', `/alerts/${id}`],
      ['DELETE', `/alerts/${id}`],
      ['POST', `/alerts/${id}/test`],
    ] as const) {
      const body = method === 'PUT' ? { url: URL, on: ['change'] } : undefined;
      expect(await other.client.problem(method, path, body)).toMatchObject({ code: 'not_found' });
    }
    await client.ok('DELETE', `/alerts/${id}`);
    expect(await client.ok('GET', '/alerts')).toEqual({ alerts: [] });
  });

  it('that is not a public https address is rejected without quoting it', async () => {
    const { client } = await newTeam();
    for (const url of [
      'http://hooks.example.com/x',
      'https://10.0.0.1/x',
      'https://[::1]/secret',
      'secret',
    ]) {
      const response = await client.call('POST', '/alerts', { url, on: ['failure'] });
      expect([url, response.status]).toEqual([url, 422]);
      expect(await response.text()).not.toContain(url);
    }
  });

  it('cannot exceed the limit, even by concurrent additions', async () => {
    const { client } = await newTeam();
    const responses = await Promise.all(
      Array.from({ length: maxAlerts + 3 }, () =>
        client.call('POST', '/alerts', { url: URL, on: ['failure'] }),
      ),
    );
    const statuses = responses.map((response) => response.status);
    expect(statuses.filter((each) => each === 201)).toHaveLength(maxAlerts);
    expect(statuses.filter((each) => each === 409)).toHaveLength(3);
  });
});

describe('an alert', () => {
  it('is sent once to each subscribed address, with the team’s name and escaped titles', async () => {
    const team = await newTeam(
      {},
      { on: ['change'] },
      { url: 'https://b.example.com/', on: ['failure', 'change'] },
    );
    await team.alert('run:1', 'The table “<https://evil.example|x> & <!here>” has failed.');
    await team.alert('run:1', 'The same again.');
    await runQueue();
    await runMinute();
    expect(received.map(({ url }) => url).toSorted()).toEqual(['https://b.example.com/', URL]);
    expect(new Set(received.map(({ text }) => text))).toEqual(
      new Set([
        `${team.id}: The table “&lt;https:\u2060/\u2060/\u2060evil.\u2060example|x&gt; &amp; &lt;!here&gt;” has failed.`,
      ]),
    );
    await team.alert('run:2');
    await runQueue();
    expect(received).toHaveLength(4);
  });

  it('is sent by the next sweep after its message was lost, and once by racing workers', async () => {
    const team = await newTeam({});
    await team.alert('run:1');
    const [message] = enqueued.splice(0);
    await Promise.all([
      sendMessage(createContext(), message?.id ?? ''),
      sendMessage(createContext(), message?.id ?? ''),
      runMinute(),
    ]);
    expect(received).toHaveLength(1);
    await team.alert('run:2');
    enqueued.length = 0;
    await runMinute();
    expect(received).toHaveLength(2);
  });

  it.each([500, 302, 0])('is retried with back-off after %i', async (failure) => {
    // The clock stands still: on a busy machine, the first back-off could pass between two calls.
    const systemClock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    onTestFinished(() => systemClock.mockRestore());
    const team = await newTeam({});
    status = failure;
    await team.alert('run:1');
    await runQueue();
    await runMinute();
    expect(received).toHaveLength(1);
    expect(await getOnlyAddress(team)).toMatchObject({ last: { delivered: false } });
    clock.now += 2_500;
    await runMinute();
    expect(received).toHaveLength(2);
    clock.now += 5_000;
    await runMinute();
    expect(received).toHaveLength(2);
    clock.now += 6_000;
    status = 200;
    await runMinute();
    expect(received).toHaveLength(3);
    expect(await getOnlyAddress(team)).toMatchObject({ last: { delivered: true } });
    clock.now += DAY;
    await runMinute();
    expect(received).toHaveLength(3);
  });

  it('becomes a dead letter after the last retry, which the admin can replay', async () => {
    const team = await newTeam({});
    const adminClient = admin();
    status = 500;
    await team.alert('run:1');
    await runQueue();
    for (let hours = 0; hours < 24; hours += 1) {
      clock.now += HOUR;
      await runMinute();
    }
    expect(received).toHaveLength(7);
    const { dead_letters: letters } = await adminClient.ok<AdminResponse<'listDeadLetters'>>(
      'GET',
      '/dead-letters',
    );
    const [letter] = letters;
    expect(letters).toHaveLength(1);
    expect(letter).toMatchObject({
      kind: 'alert',
      error: 'The receiver answered 500.',
      code: 'http_500',
      replayed_at: null,
    });
    expect(JSON.stringify(letter)).not.toContain('secret');
    status = 200;
    adminClient.clock.now = clock.now;
    await adminClient.ok('POST', `/dead-letters/${letter?.id}/replay`);
    enqueued.length = 0;
    clock.now += 1000;
    await runMinute();
    expect(received).toHaveLength(8);
    clock.now += DAY;
    await runMinute();
    expect(received).toHaveLength(8);
  });

  it('becomes one dead letter also if the database fails at every step of the last attempt', async () => {
    const team = await newTeam({});
    status = 500;
    await team.alert('run:1');
    const [key] = enqueued;
    if (key === undefined) throw new Error('no message');
    const { length } = retryDelaysMs;
    await env.DB.prepare('UPDATE jobs SET attempts = ? WHERE id = ?').bind(length, key.id).run();
    const message = { id: 'message', timestamp: new Date(clock.now), attempts: 1, body: key };
    // Nothing works; then the lease is taken, and its end can't be stored.
    for (const method of ['prepare', 'batch'] as const) {
      const context = createContext();
      const DB = interceptCalls(env.DB, (name) => {
        if (name === method) throw new Error('D1_ERROR: no connection');
      });
      await consumeJobs(createMessageBatch('cdapi-jobs', [message]), {
        ...context,
        env: { ...context.env, DB },
      });
    }
    expect(await readJob('alert', key.id)).toBeDefined();
    clock.now += HOUR;
    await runMinute();
    expect(await readJob('alert', key.id)).toBeUndefined();
    const { results } = await env.DB.prepare('SELECT code FROM dead_letters WHERE request_id = ?')
      .bind(key.id)
      .all();
    expect(results).toEqual([{ code: 'http_500' }]);
    status = 200;
  });

  it('is not sent to a deleted address or team', async () => {
    const team = await newTeam({});
    await team.alert('run:1');
    await team.client.ok('DELETE', `/alerts/${(await getOnlyAddress(team)).id}`);
    await runQueue();
    const deleted = await newTeam({});
    await deleted.alert('run:1');
    await admin().remove(`/teams/${deleted.id}`);
    await deleted.alert('run:2');
    await runQueue();
    expect(received).toEqual([]);
  });
});

describe('a budget alert', () => {
  it('is sent once per period at 80 and 100 % of the daily and monthly cap', async () => {
    clock.now = Date.UTC(2027, 2, 10, 12);
    const team = await newTeam({ on: ['budget'] });
    const ledger = getLedger(env, team.id);
    await ledger.setBudget({ caps: { day: 100, month: 200 } });
    const spend = async (credits: number): Promise<void> => {
      const id = crypto.randomUUID();
      const hold = { id, token: 'token', operation: 'preview' as const, family: 'company_base' as const };
      const { outcomes } = await ledger.reserveMany([{ ...hold, subject: 'x', credits }], 0);
      expect(outcomes).toEqual(['reserved']);
      await ledger.settleMany([{ id, charged: credits }]);
    };
    const texts = (): string[] =>
      received.splice(0).map(({ text }) => text.replace(`${team.id}: `, '').split('.')[0] ?? '');
    await spend(79);
    await runMinute();
    expect(texts()).toEqual([]);
    await spend(1);
    await runMinute();
    await runMinute();
    expect(texts()).toEqual(['80 % of the credits for today are spent: 80 of 100']);
    await spend(20);
    await runMinute();
    await runMinute();
    expect(texts()).toEqual(['100 % of the credits for today are spent: 100 of 100']);
    clock.now += DAY;
    await runMinute();
    expect(texts()).toEqual([]);
    await spend(100);
    await runMinute();
    await runMinute();
    expect(texts().toSorted()).toEqual([
      '100 % of the credits for this month are spent: 200 of 200',
      '100 % of the credits for today are spent: 100 of 100',
    ]);
    clock.now += 7 * DAY;
    await runMinute();
    expect(texts()).toEqual([]);
  });
});

it('logs a failure of D1 instead of throwing it', async () => {
  const DB = interceptCalls(env.DB, () => {
    throw new Error('D1 is down');
  });
  const broken = { ...createContext().env, DB };
  await enqueueAlert(broken, { teamId: 'x', kind: 'failure', subject: 'run:1', text: 'x' }, clock.now);
  expect(logged.join()).toContain('alert_enqueue_failed');
});

describe('the weekly summary', () => {
  const MONDAY = Date.UTC(2026, 2, 9, 7);

  it('comes once on Monday morning, and not for a week without any credits or rows', async () => {
    clock.now = MONDAY - HOUR;
    const orm = drizzle(env.DB);
    const busy = await newTeam({ on: ['summary'] });
    await newTeam({ on: ['summary'] });
    const row = {
      teamId: busy.id,
      tokenId: 'token',
      family: 'job_base',
      operation: 'collect',
      ...emptySums,
      fetched: 1,
    } as const;
    await orm.insert(usageDays).values([
      { ...row, day: '2026-03-02', credits: 1300, saved: 20 },
      { ...row, day: '2026-03-09', credits: 7, saved: 0 },
      { ...row, day: '2026-03-01', credits: 7, saved: 0 },
    ]);
    const run = { tableId: 'table', since: 0, endedAt: 1 } as const;
    await orm.insert(tableRuns).values([
      { ...run, teamId: busy.id, id: 'done', state: 'done', rows: 12, startedAt: MONDAY - DAY },
      { ...run, teamId: busy.id, id: 'failed', state: 'failed', startedAt: MONDAY - DAY },
    ]);
    await runMinute();
    expect(received).toEqual([]);
    clock.now = MONDAY;
    await runMinute();
    await runMinute();
    expect(received.map(({ text }) => text)).toEqual([
      `${busy.id}: The week from 2026-03-02 to 2026-03-08: 1,300 credits spent, 20 credits of data reused. Schedules brought 12 new or changed rows into 1 table. 1 run failed.`,
    ]);
  });
});
