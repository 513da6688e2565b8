// Operator alerts: each kind from its real source, one message per beginning and end, daily reminders and retries.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveDisputedRequest } from '../../../worker/data-requests/repository.ts';
import { usageDays } from '../../../worker/db/schema.ts';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import type { JobContext } from '../../../worker/gateway/context.ts';
import { upsertHour, usageDayKey } from '../../../worker/gateway/ledger/usage-counters.ts';
import { emptySums } from '../../../worker/gateway/ledger/usage-report.ts';
import { getProviderThrottle } from '../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import type { Report } from '../../../worker/gateway/provider-throttle/types.ts';
import { beginErasure, completeErasure } from '../../../worker/gateway/refusal-list/erasure-repository.ts';
import { retryDelaysMs } from '../../../worker/http/send-webhook.ts';
import { emptyHistogram } from '../../../worker/lib/latency-histogram.ts';
import { alertKinds } from '../../../worker/operations/alert-kinds.ts';
import { OperatorAlertStore } from '../../../worker/operations/alert-store.ts';
import { recordCronRun } from '../../../worker/operations/cron-runs.ts';
import { sweepOperatorAlerts } from '../../../worker/operations/operator-alerts.ts';
import { readOperatorSettings } from '../../../worker/operations/operator-settings.ts';
import { createWork } from '../../../worker/privacy/erasure-run.ts';
import { DeadLetterRepository } from '../../../worker/queue/dead-letters.ts';
import { captureErrorLog } from '../logged-errors.ts';
import { clock, interceptCalls, testPlatform } from '../platform.ts';
import { insertDataRequest } from '../routes/sheets/fixtures.ts';
import { openBreaker, permit } from './permit.ts';

const URL = 'https://hooks.example.com/services/T000/B000/secret';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Texts at the receiver. */
const received: string[] = [];
/** Status of the receiver. */
let status = 200;
let identity = '';

const createContext = (settings: Partial<DevelopmentEnv> = {}): JobContext<DevelopmentEnv> => ({
  env: { ...env, OPERATOR_ALERT_URL: URL, ...settings },
  platform: {
    ...testPlatform,
    sandbox: () => ({
      identity,
      baseUrl: 'http://provider.example/cdapi',
      apiKey: env.SANDBOX_KEY,
      fetch: () => Promise.reject(new Error('unexpected call')),
    }),
  },
  waitUntil: () => {},
});

/** Runs the sweep and returns the new messages. */
async function sweep(settings?: Partial<DevelopmentEnv>): Promise<string[]> {
  await sweepOperatorAlerts(createContext(settings));
  return received.splice(0);
}

/** Runs the sweep of a minute later, with the cron's heartbeat. */
async function sweepLater(ms = 60_000): Promise<string[]> {
  clock.now += ms;
  await recordCronRun(env.DB, [], clock.now);
  return sweep();
}

async function report(change: Partial<Report>): Promise<void> {
  const throttle = getProviderThrottle(env, identity);
  const { grantedAt, granted } = await throttle.acquire(permit);
  expect(granted).toBe(1);
  await throttle.report([
    {
      outcome: 'answered',
      charged: 0,
      unclear: 0,
      ...(grantedAt === undefined ? {} : { grantedAt }),
      ...change,
    },
  ]);
}

beforeEach(async () => {
  const names = ['operator_alerts', 'cron_runs', 'dead_letters', 'erased_keys', 'erasures'];
  const usage = ['usage_days', 'usage_hours'];
  await env.DB.batch([
    ...[...names, ...usage].map((name) => env.DB.prepare(`DELETE FROM ${name}`)),
    env.DB.prepare(
      `INSERT OR REPLACE INTO teams (id, name, created_at, month_cap) VALUES ('capped', 'Capped', 0, 100)`,
    ),
    env.DB.prepare("UPDATE requests SET ended_at = 0 WHERE phase = 'unclear'"),
  ]);
  identity = `operator-${crypto.randomUUID()}`;
  received.length = 0;
  status = 200;
  await recordCronRun(env.DB, [], clock.now);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    expect([request.url, request.method, request.redirect]).toEqual([URL, 'POST', 'manual']);
    const body = await request.json<{ text: string }>();
    expect(Object.keys(body)).toEqual(['text']);
    if (status === 200) received.push(body.text);
    return new Response(null, { status });
  });
  return () => vi.restoreAllMocks();
});

const letter = {
  kind: 'push',
  ...{ teamId: 'team', requestId: 'push', body: '', code: 'internal', error: 'jane-doe' },
} as const;
const addLetter = (id: string) => new DeadLetterRepository(env.DB).insert({ ...letter, id, at: clock.now });
const replay = (id: string) => new DeadLetterRepository(env.DB).markReplayed(id, clock.now);

const lateKey = { family: 'company_clean', kind: 'website', value: 'jane-doe.example' } as const;

interface Scenario {
  begin: () => Promise<void>;
  end: () => Promise<void>;
}

/** Lets sweeps fail in two runs. */
async function failSweeps(...names: string[]): Promise<void> {
  await recordCronRun(env.DB, names, clock.now - 60_000);
  await recordCronRun(env.DB, names, clock.now);
}
const succeed = () => recordCronRun(env.DB, [], clock.now);

/** Sets the credits of a team on a day. The team `capped` may spend 100 a month. */
async function spend(credits: number, at = clock.now, team = 'capped'): Promise<void> {
  const row = { teamId: team, tokenId: 'token', family: 'job_base', operation: 'collect' } as const;
  await drizzle(env.DB)
    .insert(usageDays)
    .values({ ...row, ...emptySums, day: new Date(at).toISOString().slice(0, 10), credits })
    .onConflictDoUpdate({
      target: usageDayKey,
      set: { credits },
    });
}

async function countCalls(counts: { calls: number; failed: number }): Promise<void> {
  const hour = clock.now - (clock.now % HOUR) - HOUR;
  await upsertHour(drizzle(env.DB), 'caller', { hour, ...counts, latencyMs: 0, durations: emptyHistogram });
}

/** Takes a message for delivered. */
async function dropMessage(kind: string): Promise<void> {
  await env.DB.prepare('UPDATE operator_alerts SET pending = NULL, due_at = NULL WHERE kind = ?')
    .bind(kind)
    .run();
}

let settle = async (): Promise<void> => {};

const scenarios: Readonly<Record<keyof typeof alertKinds, Scenario>> = {
  breaker_open: {
    begin: () => openBreaker(getProviderThrottle(env, identity)),
    // Another provider, whose breaker is closed.
    end: async () => {
      identity = `operator-${crypto.randomUUID()}`;
    },
  },
  ledger_drift: {
    begin: async () => {
      await report({ balance: 5_000 });
      await report({ balance: 4_990, charged: 10 });
      await report({ balance: 4_900, charged: 0 });
    },
    // More credits were bought: counting begins again.
    end: () => report({ balance: 9_000 }),
  },
  dead_letters: { begin: () => addLetter('letter'), end: () => replay('letter') },
  unclear_outcomes: {
    begin: async () =>
      void (await insertDataRequest('team', { phase: 'unclear', charged: null, endedAt: clock.now })),
    end: async () => {
      clock.now += DAY + HOUR;
      await succeed();
    },
  },
  disputed_charges: {
    begin: async () => {
      const reference = await insertDataRequest('team', { disputed: 5 });
      settle = () => resolveDisputedRequest(env.DB, { team: 'team', reference, accepted: false });
    },
    end: () => settle(),
  },
  erasure_failing: {
    begin: async () => {
      const work = createWork(lateKey);
      const at = clock.now - 2 * HOUR;
      await beginErasure(env.DB, { id: 'late', at, work, subject: 'company', request: null });
    },
    end: () => completeErasure(env.DB, 'late', createWork(lateKey).removed, clock.now),
  },
  sweep_failing: { begin: () => failSweeps('schedules'), end: succeed },
  cron_silent: { begin: () => recordCronRun(env.DB, [], clock.now - HOUR), end: succeed },
  budget_80: { begin: () => spend(80), end: () => spend(79) },
  budget_100: {
    begin: async () => {
      await new OperatorAlertStore(env.DB).begin('budget_80', { text: 'Before.', level: 1 }, clock.now);
      await dropMessage('budget_80');
      await spend(100);
    },
    end: () => spend(85),
  },
  spend_spike: {
    begin: async () => {
      for (const days of [1, 2, 3]) await spend(1_400, clock.now - days * DAY, 'spender');
      await spend(1_800, clock.now, 'spender');
    },
    end: () => spend(1_799, clock.now, 'spender'),
  },
  error_rate: {
    begin: () => countCalls({ calls: 50, failed: 5 }),
    end: () => countCalls({ calls: 50, failed: 4 }),
  },
  provider_balance_low: {
    begin: () => report({ balance: 999 }),
    end: () => report({ balance: 100_000 }),
  },
};

describe('an operator alert', () => {
  it.each(Object.keys(alertKinds))('%s is sent once, reminds daily, and ends once', async (kind) => {
    const scenario = scenarios[kind];
    if (scenario === undefined) throw new Error('no scenario');
    expect(await sweep()).toEqual([]);
    await scenario.begin();
    const [first = '', ...more] = await sweep();
    expect([first, more]).toEqual([expect.stringMatching(/^CDAPI for Sheets: .+\.$/), []]);
    const { results } = await env.DB.prepare('SELECT kind, due_at FROM operator_alerts').all();
    expect(results).toContainEqual({ kind, due_at: null });
    for (const secret of ['jane-doe', 'secret', env.SANDBOX_KEY]) expect(first).not.toContain(secret);
    expect(await sweep()).toEqual([]);
    await env.DB.prepare('UPDATE operator_alerts SET notified_at = notified_at - ? WHERE kind = ?')
      .bind(DAY, kind)
      .run();
    expect(await sweep()).toEqual([first.replace(': ', ': Reminder: ')]);
    expect(await sweep()).toEqual([]);
    await scenario.end();
    expect(await sweep()).toEqual([`CDAPI for Sheets: Resolved: ${alertKinds[kind]?.recovered}`]);
    expect(await sweep()).toEqual([]);
    await env.DB.prepare('DELETE FROM dead_letters').run();
  });

  it('of budgets is sent again when another team reaches the share, and only then', async () => {
    await spend(81);
    expect(await sweep()).toEqual([expect.stringContaining('1 team spent 80 % or more')]);
    await env.DB.prepare(
      `INSERT OR REPLACE INTO teams (id, name, created_at, day_cap) VALUES ('daily', 'Daily', 0, 10)`,
    ).run();
    await spend(8, clock.now, 'daily');
    expect(await sweepLater()).toEqual([expect.stringContaining('2 teams spent 80 % or more')]);
    await spend(0, clock.now, 'daily');
    expect(await sweepLater()).toEqual([]);
    await spend(8, clock.now, 'daily');
    expect(await sweepLater()).toEqual([]);
    await env.DB.prepare(`DELETE FROM teams WHERE id = 'daily'`).run();
  });

  it('begins again after it has ended', async () => {
    await addLetter('one');
    expect(await sweep()).toHaveLength(1);
    await replay('one');
    expect(await sweepLater()).toHaveLength(1);
    await addLetter('two');
    expect(await sweepLater()).toEqual([expect.stringContaining('dead letters')]);
  });

  it('is retried with growing delays, then with the daily reminder', async () => {
    await addLetter('letter');
    status = 500;
    for (const delay of [0, ...retryDelaysMs]) expect(await sweepLater(delay)).toEqual([]);
    expect(vi.mocked(fetch)).toHaveBeenCalledTimes(1 + retryDelaysMs.length);
    expect(await sweepLater(HOUR)).toEqual([]);
    expect(vi.mocked(fetch)).toHaveBeenCalledTimes(1 + retryDelaysMs.length);
    status = 200;
    expect(await sweepLater(DAY)).toEqual([expect.stringContaining('Reminder: ')]);
  });

  it('whose beginning was not delivered is sent together with its end', async () => {
    await addLetter('letter');
    status = 500;
    expect(await sweep()).toEqual([]);
    status = 200;
    await replay('letter');
    expect(await sweepLater()).toEqual([expect.stringMatching(/dead letters.+\nResolved: /)]);
  });

  it('is sent once by concurrent sweeps', async () => {
    await addLetter('letter');
    await Promise.all(Array.from({ length: 4 }, () => sweepOperatorAlerts(createContext())));
    expect(received).toHaveLength(1);
  });

  it('is not repeated by a sweep that has read an earlier state', async () => {
    const store = new OperatorAlertStore(env.DB);
    await addLetter('letter');
    expect(await sweep()).toHaveLength(1);
    const [earlier] = await store.list();
    if (earlier === undefined) throw new Error('no alert');
    await store.begin(earlier.kind, { text: 'Again.', level: 1 }, clock.now);
    expect(await sweepLater()).toEqual([]);
    await replay('letter');
    expect(await sweepLater()).toHaveLength(1);
    await store.notify(earlier, { text: 'Again.', level: 1 }, clock.now, null);
    expect(await sweepLater()).toEqual([]);
  });

  it('neither begins nor ends while its source can’t be read', async () => {
    await scenarios.provider_balance_low?.begin();
    expect(await sweep()).toHaveLength(1);
    const errors = captureErrorLog();
    const broken = interceptCalls(env.PROVIDER_THROTTLE, () => {
      throw new Error('jane-doe');
    });
    expect(await sweep({ PROVIDER_THROTTLE: broken })).toEqual([]);
    expect(errors).toMatchObject([{ event: 'operator_signal_failed', signal: 'throttle' }]);
    expect(JSON.stringify(errors)).not.toContain('jane-doe');
  });

  it('is not raised by one failure of a sweep', async () => {
    await recordCronRun(env.DB, ['schedules'], clock.now);
    expect(await sweep()).toEqual([]);
  });
});

describe('the settings of operator alerts', () => {
  it('send nothing without an address, and read nothing', async () => {
    await addLetter('letter');
    const DB = interceptCalls(env.DB, () => {
      throw new Error('read');
    });
    const { OPERATOR_ALERT_URL: _, ...settings } = createContext().env;
    await sweepOperatorAlerts({ ...createContext(), env: { ...settings, DB } });
    expect(received).toEqual([]);
  });

  it.each([
    'http://hooks.example.com/x',
    'https://10.0.0.1/x',
    'https://user:password@hooks.example.com/x',
    'hooks.example.com',
  ])('refuse %s without repeating it', async (url) => {
    await expect(sweep({ OPERATOR_ALERT_URL: url })).rejects.toMatchObject({
      problem: { code: 'not_configured', detail: expect.not.stringContaining(url) },
    });
    expect(vi.mocked(fetch)).not.toHaveBeenCalled();
  });

  it.each(['', '-1', 'many', '1.5'])('refuse the limit "%s"', (limit) => {
    expect(() =>
      readOperatorSettings({ ...env, OPERATOR_ALERT_URL: URL, OPERATOR_LOW_BALANCE: limit }),
    ).toThrow('whole number');
  });
});
