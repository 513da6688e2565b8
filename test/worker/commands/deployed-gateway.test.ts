// The client of a deployed gateway: its test after an upload, and a restore.
import { describe, expect, it } from 'vitest';
import type { DeepHealth, HealthReason } from '../../../shared/api/health.ts';
import { DeployedGateway } from '../../../worker/commands/deploy/gateway.ts';

/** Creates a client whose sleep moves its clock. */
function createGateway(fetch: (url: string, init?: RequestInit) => Promise<Response>) {
  const clock = { now: 0 };
  const sleep = async (ms: number): Promise<void> => {
    clock.now += ms;
  };
  const platform = { fetch, sleep, now: () => clock.now, signal: new AbortController().signal };
  const gateway = new DeployedGateway(platform, 'https://gateway.example', { ADMIN_TOKEN: 'admin' });
  return { gateway, clock };
}

describe('the test of an uploaded gateway', () => {
  type Check = DeepHealth['checks'][number];
  const fine: Check = { name: 'DB', ok: true, ms: 1, reason: null };
  const failing = (name: string, reason: HealthReason): Check => ({ name, ok: false, ms: 1, reason });

  /** Tests a gateway with the answers of one health check after the other; the last one repeats. */
  async function test(isFirst: boolean, ...answers: Check[][]) {
    const asked: (string | null)[] = [];
    const { gateway, clock } = createGateway(async (url, init) => {
      if (url.endsWith('/admin/v1/teams')) return new Response(null, { status: 401 });
      asked.push(new Headers(init?.headers).get('authorization'));
      const checks = [fine, ...((answers.length > 1 ? answers.shift() : answers[0]) ?? [])];
      const isOk = checks.every(({ ok }) => ok);
      const status = isOk ? 'ok' : 'failing';
      const health: DeepHealth = { status, version: 'development', checks, cron: null, provider: null };
      return Response.json(health, { status: isOk ? 200 : 503 });
    });
    const result: string[] | Error = await gateway.test(isFirst).catch((error: Error) => error);
    expect(new Set(asked)).toEqual(new Set(['Bearer admin']));
    return { result, now: clock.now };
  }

  it('names each binding that fails, with its reason', async () => {
    const { result } = await test(true, [failing('ROWS', 'failed'), failing('JOBS', 'timed_out')]);
    expect(String(result)).toMatch(
      /ROWS: does not work .*\(failed\); JOBS: does not answer .*\(timed_out\)\. docs\/admin\.md.*Run the same command again/,
    );
  });

  it('waits for the cron, which a first deployment need not', async () => {
    const waiting = [failing('cron', 'never_ran')];
    expect(await test(true, waiting)).toEqual({
      result: ['the minute cron: has not run yet (never_ran)'],
      now: 0,
    });
    expect(await test(false, waiting, waiting, [])).toEqual({ result: [], now: 6_000 });
    expect(String((await test(false, waiting)).result)).toMatch(/the minute cron: has not run yet/);
    // The last run may have been one of the version before.
    const failed = [failing('cron', 'sweeps_failing')];
    expect(await test(false, failed, [])).toEqual({ result: [], now: 3_000 });
  });

  it('only mentions the state of the provider', async () => {
    const { result } = await test(false, [failing('provider', 'out_of_credits')]);
    expect(result).toEqual(['provider: the provider’s account has no credits (out_of_credits)']);
  });
});

it('waits for a step whose calls proceed, however many they are, and not for one that stands still', async () => {
  const counts = { revocations: 0, orders_recovered: 0, orders_unclear: 0, orders_released: 0, erasures: 0 };
  const command = { id: '00000000-0000-4000-8000-000000000000', to: null };
  const complete = (views: readonly object[]) => {
    let calls = 0;
    const { gateway, clock } = createGateway(async () => {
      clock.now += 60_000;
      const view = views[Math.min(calls++, views.length - 1)];
      return Response.json({ id: command.id, done: false, step: 'unknown_rows', ...counts, ...view });
    });
    return gateway.completeRestore(command, () => {});
  };
  const parts = Array.from({ length: 30 }, (_, part) => ({ after: `0:${part}` }));
  expect(await complete([...parts, { done: true, step: null, after: null }])).toMatchObject({ done: true });
  await expect(complete(parts)).rejects.toThrow(/no progress with the step unknown_rows/);
});
