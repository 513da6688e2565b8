// npm run deploy when something is wrong or the network fails: one clear sentence with the next step, and nothing half-done.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeepHealth, HealthReason } from '../../../shared/api/health.ts';
import { DeployedGateway } from '../../../worker/commands/deploy/gateway.ts';
import type { DeployPlatform } from '../../../worker/commands/deploy/platform.ts';
import { askQuestion } from '../../../worker/commands/deploy/terminal.ts';
import { measureStartup } from '../../../worker/commands/deploy/wrangler.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import { Database } from './cloudflare/account.ts';
import { type DeployHarness, KEY, setUpDeployHarness } from './deploy-harness.ts';

let harness: DeployHarness;
setUpDeployHarness((created) => {
  harness = created;
});
const fail = (...args: string[]): Promise<string> => harness.fail(deploy, ...args);

describe('the measurement of the start', () => {
  const measure = (succeeded: boolean, output: string) =>
    measureStartup(async () => ({ succeeded, output }), { source: '', compressed: 0, bundleFile: 'bundle' });

  it('is skipped on a machine that is too busy: Cloudflare measures it again', async () => {
    expect(await measure(true, 'Active: 41.6 ms')).toBe(42);
    expect(await measure(false, 'Worker startup profiling timed out after 10 seconds.')).toBeUndefined();
  });

  it('stops the deployment of a gateway that does not start', async () => {
    await expect(measure(false, '✘ [ERROR] a is not defined')).rejects.toThrow(/does not start/);
  });
});

describe('refuses before it creates anything', () => {
  let before: unknown;
  beforeEach(() => {
    before = harness.account.snapshot();
  });
  const expectUntouched = () => {
    expect(harness.account.snapshot()).toEqual(before);
    expect(existsSync(join(harness.folder, 'cdapi', 'secrets.json'))).toBe(false);
  };

  it('a name that is taken', async () => {
    harness.account.databases.set('one', new Database('cdapi-gateway', undefined));
    harness.account.queues.set('two', { name: 'cdapi-jobs', consumers: new Map() });
    before = harness.account.snapshot();
    expect(await fail()).toMatch(
      /taken in the account: D1 database cdapi-gateway, queue cdapi-jobs\. Choose another --name/,
    );
    expectUntouched();
  });

  it('a provider’s key that does not work', async () => {
    harness.env.CDAPI_KEY = 'wrong';
    expect(await fail()).toMatch(/provider refuses the key/);
    expectUntouched();
  });

  it('missing settings that nobody can be asked for', async () => {
    harness.env = {};
    expect(await fail()).toMatch(/Set CDAPI_BASE_URL and CDAPI_KEY/);
    harness.env = { CDAPI_BASE_URL: 'http://127.0.0.1:8787/provider/cdapi', CDAPI_KEY: KEY };
    expect(await fail()).toMatch(/begins with https/);
    expectUntouched();
  });

  it('a login that is missing or not allowed', async () => {
    harness.env.CLOUDFLARE_API_TOKEN = '';
    expect(await fail()).toMatch(/not logged in to Cloudflare: run npx wrangler login/);
    harness.env.CLOUDFLARE_API_TOKEN = 'another';
    expect(await fail()).toMatch(/does not allow this login to list your accounts.*docs\/deploy\.md/);
    delete harness.env.CLOUDFLARE_API_TOKEN;
    harness.env.CLOUDFLARE_ACCOUNT_ID = 'another';
    expect(await fail()).toMatch(/no account another/);
    expectUntouched();
  });

  it('a domain outside of the account, or of another Worker', async () => {
    expect(await fail('--domain', 'data.elsewhere.org')).toMatch(/belongs to no domain of this account/);
    harness.account.domains.set('one', { hostname: 'www.example.com', service: 'shop' });
    before = harness.account.snapshot();
    expect(await fail('--domain', 'www.example.com')).toMatch(/already leads to the Worker shop/);
    expectUntouched();
  });

  it.each([
    [['--name', 'Upper'], /--name is 1 to 40 lower-case letters/],
    [['--name', `a${'b'.repeat(40)}`], /--name/],
    [['--region', 'mars'], /--region is one of wnam, enam, weur, eeur, apac, oc/],
    [['--domain', 'https://data.example.com'], /--domain is a host of your own/],
    [['--unknown'], /^Usage: npm run deploy/],
    [['extra'], /^Usage: npm run deploy/],
  ])('arguments that are wrong: %j', async (args, sentence) => {
    expect(await fail(...args)).toMatch(sentence);
    expectUntouched();
  });
});

describe('the test of an uploaded gateway', () => {
  type Check = DeepHealth['checks'][number];
  const fine: Check = { name: 'DB', ok: true, ms: 1, reason: null };
  const failing = (name: string, reason: HealthReason): Check => ({ name, ok: false, ms: 1, reason });

  /** Tests a gateway with the answers of one health check after the other; the last one repeats. */
  async function test(isFirst: boolean, ...answers: Check[][]) {
    let now = 0;
    const asked: (string | null)[] = [];
    const platform: DeployPlatform = {
      env: {},
      folder: '',
      isTerminal: false,
      ask: undefined,
      log: () => {},
      readCommit: async () => '',
      wrangler: async () => ({ succeeded: false, output: '' }),
      now: () => now,
      sleep: async (ms) => {
        now += ms;
      },
      signal: new AbortController().signal,
      fetch: async (url, init) => {
        if (url.endsWith('/admin/v1/teams')) return new Response(null, { status: 401 });
        asked.push(new Headers(init?.headers).get('authorization'));
        const checks = [fine, ...((answers.length > 1 ? answers.shift() : answers[0]) ?? [])];
        const isOk = checks.every(({ ok }) => ok);
        const status = isOk ? 'ok' : 'failing';
        const health: DeepHealth = { status, version: 'development', checks, cron: null, provider: null };
        return Response.json(health, { status: isOk ? 200 : 503 });
      },
    };
    const gateway = new DeployedGateway(platform, 'https://gateway.example', { ADMIN_TOKEN: 'admin' });
    const result: string[] | Error = await gateway.test(isFirst).catch((error: Error) => error);
    expect(new Set(asked)).toEqual(new Set(['Bearer admin']));
    return { result, now };
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

it('asks for the key without showing it', async () => {
  const ask = async (isHidden: boolean) => {
    const input = new PassThrough();
    const output = new PassThrough();
    const answer = askQuestion({ input, output }, 'Key: ', isHidden);
    input.write('a secret\r');
    return { answer: await answer, shown: String(output.read()) };
  };
  expect(await ask(true)).toEqual({ answer: 'a secret', shown: 'Key: \n' });
  // What follows a cleared line is what a person sees.
  const { shown } = await ask(false);
  const { length } = 'Key: ';
  expect(shown.slice(shown.lastIndexOf('\x1b[0J'))).toBe(`\x1b[0JKey: \x1b[${length + 1}Ga secret\r\n`);
  const input = new PassThrough();
  const stopped = askQuestion({ input, output: new PassThrough() }, 'Key: ', true);
  input.write('\x03');
  await expect(stopped).rejects.toThrow('Stopped.');
});

it('asks only when the terminal has stopped showing what is typed', async () => {
  const events: unknown[] = [];
  const setRawMode = (isRaw: boolean): void => void events.push(isRaw);
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  const output = new PassThrough();
  const write = output.write.bind(output);
  output.write = (chunk: unknown) => {
    events.push(chunk);
    return write(chunk);
  };
  const answer = askQuestion({ input, output }, 'Key: ', true);
  input.write('a secret\r');
  expect(await answer).toBe('a secret');
  expect(events).toEqual([true, 'Key: ', false, '\n']);
});
