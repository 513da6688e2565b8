// npm run deploy when something is wrong or the network fails: one clear sentence with the next step, and nothing half-done.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
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
