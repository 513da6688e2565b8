// Alerts: told once a subject, tried again, given up as dead letters that the admin replays; the address stays a secret.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeadLetterList } from '../../../../shared/api/admin-data-requests.ts';
import { type Alert, type AlertBody, type AlertList, maxAlerts } from '../../../../shared/api/schedules.ts';
import { alertKinds } from '../../../../shared/limits.ts';
import type { DevelopmentEnv } from '../../../../worker/env.ts';
import type { JobContext } from '../../../../worker/gateway/context.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { enqueueAlert } from '../../../../worker/tables/alerts/enqueue-alert.ts';
import { runAlertJob } from '../../../../worker/tables/alerts/send-message.ts';
import { sweepAlerts } from '../../../../worker/tables/alerts/sweep.ts';
import type { JobMessage } from '../../../../worker/tables/job-message.ts';
import { clock, interceptCalls, testPlatform } from '../../platform.ts';
import { admin } from '../../routes/admin/harness.ts';
import { callsWith, type TokenCalls, tokenOf } from '../../routes/sheets/callers.ts';

const URL = 'https://hooks.example.com/services/T000/B000/secret';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What the receiver heard. */
const heard: { url: string; text: string; redirect: string }[] = [];
/** What it answers. */
let status = 200;
const logged: string[] = [];
/** Messages of the queue of work. */
const told: JobMessage[] = [];

beforeEach(async () => {
  // The minute sends whatever is due, of whichever test.
  await env.DB.batch([env.DB.prepare('DELETE FROM alert_messages'), env.DB.prepare('DELETE FROM alerts')]);
  told.length = 0;
  heard.length = 0;
  logged.length = 0;
  status = 200;
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void logged.push(args.join(' ')));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { text } = await request.json<{ text: string }>();
    heard.push({ url: request.url, text, redirect: request.redirect });
    if (status === 0) throw new TypeError(`could not connect to ${request.url}`);
    return new Response('no matter', { status });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(logged.join('\n')).not.toContain('secret');
});

/** The rooms of one turn; messages of the queue are the test's to work on. */
function context(): JobContext<DevelopmentEnv> {
  const send = (body: JobMessage) => void told.push(body);
  const queue: DevelopmentEnv['JOBS'] = {
    ...env.JOBS,
    send: async (body) => {
      send(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
    sendBatch: async (messages) => {
      for (const { body } of messages) send(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
  };
  return { env: { ...env, JOBS: queue }, platform: testPlatform, waitUntil: () => {} };
}

/** Works on what the queue was told. */
async function work(): Promise<void> {
  for (const { id } of told.splice(0)) await runAlertJob(context(), id);
}

/** What the cron of a minute and the queue behind it do. */
async function minute(): Promise<void> {
  await sweepAlerts(context());
  await work();
}

let teams = 0;

interface Team {
  id: string;
  at: TokenCalls;
  tell: (subject: string, text?: string, kind?: 'failure' | 'change') => Promise<void>;
}

async function newTeam(...addresses: Partial<AlertBody>[]): Promise<Team> {
  const id = `alerted-${teams++}`;
  const at = callsWith(await tokenOf(id));
  for (const more of addresses) await at.ok('POST', '/alerts', { url: URL, on: ['failure'], ...more });
  const tell: Team['tell'] = (subject, text = 'It has failed.', kind = 'failure') =>
    enqueueAlert(context().env, { teamId: id, kind, subject, text }, clock.now);
  return { id, at, tell };
}

const only = async ({ at }: Team): Promise<Alert> => {
  const { alerts } = await at.ok<AlertList>('GET', '/alerts');
  const [first] = alerts;
  if (first === undefined || alerts.length > 1) throw new Error(`${alerts.length} addresses`);
  return first;
};

describe('an alert address', () => {
  it('is kept, changed and removed, and only its host is told', async () => {
    const { at } = await newTeam();
    const made = await at.call('POST', '/alerts', { url: URL, on: ['failure', 'budget'] });
    expect(made.status).toBe(201);
    const text = await made.text();
    expect(text).not.toContain('secret');
    const { id } = JSON.parse(text);
    expect(JSON.parse(text)).toMatchObject({
      host: 'hooks.example.com',
      on: ['failure', 'budget'],
      last: null,
    });
    const changed = await at.ok<Alert>('PUT', `/alerts/${id}`, {
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
      expect(await other.at.problem(method, path, body)).toMatchObject({ code: 'not_found' });
    }
    await at.ok('DELETE', `/alerts/${id}`);
    expect(await at.ok('GET', '/alerts')).toEqual({ alerts: [] });
  });

  it.each([
    'http://hooks.example.com/x',
    'https://127.0.0.1/x',
    'https://10.0.0.1/x',
    'https://intranet/x',
    'https://user:secret@example.com/',
    'https://[::1]/secret',
    'ftp://example.com/',
    'secret',
  ])('that is %s is refused, and not said again', async (url) => {
    const { at } = await newTeam();
    const response = await at.call('POST', '/alerts', { url, on: ['failure'] });
    expect(response.status).toBe(422);
    expect(await response.text()).not.toContain(url);
  });

  it('has room with so many others and no more, also at once', async () => {
    const { at } = await newTeam();
    const answers = await Promise.all(
      Array.from({ length: maxAlerts + 3 }, () => at.call('POST', '/alerts', { url: URL, on: ['failure'] })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(maxAlerts);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(3);
  });

  it('is whatever was sent: a right answer or a clear refusal', async () => {
    const { at } = await newTeam();
    const wild = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record(
        {
          url: fc.oneof(fc.webUrl(), fc.string(), fc.constant(URL), fc.jsonValue({ maxDepth: 1 })),
          on: fc.oneof(fc.array(fc.constantFrom(...alertKinds)), fc.jsonValue({ maxDepth: 2 })),
          more: fc.jsonValue({ maxDepth: 1 }),
        },
        { requiredKeys: [] },
      ),
      fc.record({ url: fc.constant(URL), on: fc.subarray([...alertKinds]) }),
    );
    await fc.assert(
      fc.asyncProperty(wild, async (body) => {
        const { status: got } = await at.call('POST', '/alerts', JSON.stringify(body));
        expect([201, 409, 422]).toContain(got);
      }),
      { numRuns: 80 },
    );
  });
});

describe('a happening', () => {
  it('is told once to each address that wants its kind, with the team’s name, and makes no link of a title', async () => {
    const team = await newTeam(
      {},
      { on: ['change'] },
      { url: 'https://b.example.com/', on: ['failure', 'change'] },
    );
    await team.tell('run:1', 'The table “<https://evil.example|x> & <!here>” has failed.');
    await team.tell('run:1', 'The same again.');
    await work();
    await minute();
    expect(heard.map(({ url }) => url).toSorted()).toEqual(['https://b.example.com/', URL]);
    expect(new Set(heard.map(({ text }) => text))).toEqual(
      new Set([`${team.id}: The table “&lt;https://evil.example|x&gt; &amp; &lt;!here&gt;” has failed.`]),
    );
    await team.tell('run:2');
    await work();
    expect(heard).toHaveLength(4);
  });

  it('is found by the next minute where the queue has lost it, and is sent once by two at once', async () => {
    const team = await newTeam({});
    await team.tell('run:1');
    const [message] = told.splice(0);
    await Promise.all([
      runAlertJob(context(), message?.id ?? ''),
      runAlertJob(context(), message?.id ?? ''),
      minute(),
    ]);
    expect(heard).toHaveLength(1);
    await team.tell('run:2');
    told.length = 0;
    await minute();
    expect(heard).toHaveLength(2);
  });

  it.each([500, 302, 0])('is tried again after %i with growing pauses', async (answer) => {
    const team = await newTeam({});
    status = answer;
    await team.tell('run:1');
    await work();
    await minute();
    expect(heard).toHaveLength(1);
    expect(await only(team)).toMatchObject({ last: { delivered: false } });
    clock.now += 2_500;
    await minute();
    expect(heard).toHaveLength(2);
    clock.now += 5_000;
    await minute();
    expect(heard).toHaveLength(2);
    clock.now += 6_000;
    status = 200;
    await minute();
    expect(heard).toHaveLength(3);
    expect(await only(team)).toMatchObject({ last: { delivered: true } });
    clock.now += DAY;
    await minute();
    expect(heard).toHaveLength(3);
  });

  it('that nobody takes becomes a dead letter, which the admin replays', async () => {
    const team = await newTeam({});
    const at = admin();
    status = 500;
    await team.tell('run:1');
    await work();
    for (let hours = 0; hours < 24; hours += 1) {
      clock.now += HOUR;
      await minute();
    }
    expect(heard).toHaveLength(7);
    const { dead_letters: letters } = await at.ok<DeadLetterList>('GET', '/dead-letters');
    const [letter] = letters;
    expect(letters).toHaveLength(1);
    expect(letter).toMatchObject({ kind: 'alert', error: 'The receiver answered 500.', replayed_at: null });
    expect(JSON.stringify(letter)).not.toContain('secret');
    status = 200;
    at.clock.now = clock.now;
    await at.ok('POST', `/dead-letters/${letter?.id}/replay`);
    told.length = 0;
    clock.now += 1000;
    await minute();
    expect(heard).toHaveLength(8);
    clock.now += DAY;
    await minute();
    expect(heard).toHaveLength(8);
  });

  it('is not told to an address that was removed, nor to a team that was deleted', async () => {
    const team = await newTeam({});
    await team.tell('run:1');
    await team.at.ok('DELETE', `/alerts/${(await only(team)).id}`);
    await work();
    const gone = await newTeam({});
    await gone.tell('run:1');
    await admin().remove(`/teams/${gone.id}`);
    await gone.tell('run:2');
    await work();
    expect(heard).toEqual([]);
  });
});

describe('a budget', () => {
  it('is told of at 80 and 100 % of the day and of the month, each once in its period', async () => {
    clock.now = Date.UTC(2027, 2, 10, 12);
    const team = await newTeam({ on: ['budget'] });
    const ledger = getLedger(env, team.id);
    await ledger.setBudget({ caps: { day: 100, month: 200 } });
    const spend = async (credits: number): Promise<void> => {
      const id = crypto.randomUUID();
      const hold = { id, token: 'token', operation: 'preview' as const, family: 'company_base' as const };
      const { outcomes } = await ledger.reserveMany([{ ...hold, subject: 'x', credits }], 0);
      expect(outcomes).toEqual(['held']);
      await ledger.settleMany([{ id, charged: credits }]);
    };
    const texts = (): string[] =>
      heard.splice(0).map(({ text }) => text.replace(`${team.id}: `, '').split('.')[0] ?? '');
    await spend(79);
    await minute();
    expect(texts()).toEqual([]);
    await spend(1);
    await minute();
    await minute();
    expect(texts()).toEqual(['80 % of the credits for today are spent: 80 of 100']);
    await spend(20);
    await minute();
    await minute();
    expect(texts()).toEqual(['100 % of the credits for today are spent: 100 of 100']);
    clock.now += DAY;
    await minute();
    expect(texts()).toEqual([]);
    await spend(100);
    await minute();
    await minute();
    expect(texts().toSorted()).toEqual([
      '100 % of the credits for this month are spent: 200 of 200',
      '100 % of the credits for today are spent: 100 of 100',
    ]);
    clock.now += 7 * DAY;
    await minute();
    expect(texts()).toEqual([]);
  });
});

it('what fails on the way to the addresses is no failure of who tells it', async () => {
  const DB = interceptCalls(env.DB, () => {
    throw new Error('D1 is down');
  });
  const broken = { ...context().env, DB };
  await enqueueAlert(broken, { teamId: 'x', kind: 'failure', subject: 'run:1', text: 'x' }, clock.now);
  expect(logged.join()).toContain('alert_enqueue_failed');
});
