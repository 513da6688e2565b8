// npm run deploy and destroy, against a strict stand-in of Cloudflare's API: the life of one deployment.
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConnectionLink } from '../../../shared/connection.ts';
import { buildConfigurations, planDeployment } from '../../../worker/commands/deploy/configuration.ts';
import { destroy } from '../../../worker/commands/deploy/destroy.ts';
import { readDeployOptions } from '../../../worker/commands/deploy/options.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import { startCommand } from './command.ts';
import { COMMIT, DeployHarness, KEY, type RunResult, setUpDeployHarness } from './deploy-harness.ts';
import { testRestore } from './restore-tests.ts';

describe('a deployment', () => {
  const harness = new DeployHarness();
  const { account } = harness;
  const getScript = () => account.scripts.get('cdapi');
  let first: RunResult;
  beforeAll(async () => {
    await harness.start();
    first = await harness.run(deploy, '--region', 'weur');
  });
  afterAll(async () => {
    await harness.stop();
    expect(harness.server.violations).toEqual([]);
  });

  it('works in an empty account: the uploaded gateway answers and has a team', async () => {
    expect(first.error).toBeUndefined();
    expect(first.output).toContain('Every test passed.');
    expect([...account.namespaces.values()]).toEqual(['cdapi-records']);
    const [database] = account.databases.values();
    expect(database).toMatchObject({ name: 'cdapi-gateway', location: 'weur' });
    expect([...account.buckets]).toEqual([['cdapi-rows', expect.objectContaining({ location: 'weur' })]]);
    const queues = [...account.queues.values()].map(({ name, consumers }) => [
      name,
      [...consumers.values()].map(({ script }) => script),
    ]);
    expect(queues).toEqual([['cdapi-jobs', ['cdapi']]]);
    expect(harness.getVersion()?.bindings).toContainEqual({
      type: 'analytics_engine',
      name: 'METRICS',
      dataset: 'cdapi_metrics',
    });
    expect(getScript()?.schedules).toEqual(['* * * * *']);
  });

  it('uploads code, settings and secrets together, tagged with the commit', async () => {
    const { metadata } = harness.getVersion() ?? {};
    expect(metadata).toMatchObject({
      limits: { cpu_ms: 120_000 },
      placement: { mode: 'targeted', region: 'aws:eu-west-1' },
      tail_consumers: [{ service: 'cdapi-logs' }],
      observability: { enabled: false, traces: { enabled: false } },
      annotations: {
        'workers/tag': expect.stringMatching(new RegExp(`^${COMMIT}-[\\da-f]{8}$`)),
      },
    });
    expect([...(harness.getVersion()?.modules.keys() ?? [])]).toContain('index.js.map');
    expect(harness.getText('REGION')).toBe('weur');
    expect(harness.getText('PUBLIC_URL')).toBe(`https://cdapi.${account.subdomain}.workers.dev`);
    expect(harness.getText('CDAPI_KEY')).toBe(KEY);
    const secrets = await harness.readSecrets();
    for (const [name, value] of Object.entries(secrets)) expect(harness.getText(name)).toBe(value);
    expect(account.scripts.get('cdapi-logs')?.versions[0]?.metadata.observability).toMatchObject({
      enabled: true,
      traces: { enabled: false },
    });
  });

  it('writes a configuration without the ids of the repository', async () => {
    const config: unknown = JSON.parse(await harness.readText('wrangler.json'));
    expect(config).toMatchObject({
      name: 'cdapi',
      secrets: { required: ['ADMIN_TOKEN', 'CDAPI_KEY', 'ENCRYPTION_SECRET', 'PSEUDONYM_SECRET'] },
      version_metadata: { binding: 'VERSION' },
      upload_source_maps: true,
    });
    expect(config).not.toHaveProperty('env');
  });

  it('keeps secrets in files of their owner, and prints none that a log would store', async () => {
    const { link } = { link: (await harness.readText('connection-link.txt')).trim() };
    const connection = parseConnectionLink(link);
    expect(connection?.url).toBe(harness.getText('PUBLIC_URL'));
    for (const name of await readdir(join(harness.folder, 'cdapi'))) {
      const file = await stat(join(harness.folder, 'cdapi', name));
      if (file.isFile()) expect([name, file.mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(await readdir(join(harness.folder, 'cdapi'))).not.toContain('upload.json');
    const secrets = [...Object.values(await harness.readSecrets()), KEY, connection?.token ?? ''];
    for (const secret of secrets) expect(first.output).not.toContain(secret);
  });

  it('changes nothing when it runs again, and does not show the connection link again', async () => {
    const before = account.snapshot();
    harness.isTerminal = true;
    const { length } = harness.server.calls;
    const { output, error } = await harness.run(deploy);
    harness.isTerminal = false;
    expect(error).toBeUndefined();
    expect(output).toContain('nothing is uploaded');
    expect(output).not.toContain((await harness.readText('connection-link.txt')).trim());
    expect(output).not.toContain('What to do next');
    expect(account.snapshot()).toEqual(before);
    // wrangler's own commands use it: it has the ids of the account.
    const [[namespace] = [], [database] = []] = [account.namespaces.keys(), account.databases.keys()].map(
      (ids) => [...ids],
    );
    expect(JSON.parse(await harness.readText('wrangler.json'))).toMatchObject({
      kv_namespaces: [{ id: namespace }],
      d1_databases: [{ database_id: database }],
    });
    const changes = harness.server.calls.slice(length).filter((call) => !/^GET |^POST .*\/query$/.test(call));
    expect(changes).toEqual([]);
  });

  describe('is restored by npm run restore, which', () => testRestore(harness));

  it('can’t move to another region', async () => {
    const { error } = await harness.run(deploy, '--region', 'enam');
    expect(String(error)).toMatch(/deployed in weur, and stored data can’t move/);
  });

  it('deletes a deployment only after its name was typed, and nothing else in the account', async () => {
    account.queues.set('foreign', { name: 'orders', consumers: new Map() });
    const before = account.snapshot();
    expect(String((await harness.run(destroy)).error)).toMatch(/asks for the name: run it in a terminal/);
    harness.answers = ['yes'];
    expect(String((await harness.run(destroy)).error)).toMatch(/Nothing was deleted/);
    harness.answers = ['other'];
    expect(String((await harness.run(destroy, '--name', 'other')).error)).toMatch(/nothing was deleted/);
    expect(account.snapshot()).toEqual(before);
    const bucket = account.buckets.get('cdapi-rows');
    if (bucket !== undefined) bucket.isFull = true;
    harness.answers = ['cdapi'];
    expect(String((await harness.run(destroy)).error)).toMatch(
      /Only the bucket cdapi-rows is left.*run the same/i,
    );
    expect(bucket?.expires).toBe(true);
    expect(existsSync(join(harness.folder, 'cdapi', 'secrets.json'))).toBe(true);
    if (bucket !== undefined) bucket.isFull = false;
    harness.answers = ['cdapi'];
    expect((await harness.run(destroy)).error).toBeUndefined();
    const { namespaces, databases, buckets, queues, scripts, domains } = account;
    const left = [namespaces, databases, buckets, scripts, domains].map(({ size }) => size);
    expect(left).toEqual([0, 0, 0, 0, 0]);
    expect([...queues.keys()]).toEqual(['foreign']);
    expect(existsSync(join(harness.folder, 'cdapi'))).toBe(false);
  });
});

const buildDeployment = (...args: string[]) => {
  const urls = { workersUrl: '', providerUrl: '' };
  return buildConfigurations(
    planDeployment(readDeployOptions(args), undefined, { version: 1 }, urls),
    '/nowhere',
  );
};

it('binds Workers AI only on request', () => {
  const bindings = ['--no-workers-ai', '--workers-ai'].map((option) => buildDeployment(option).gateway.ai);
  expect(bindings).toEqual([undefined, { binding: 'AI' }]);
});

it('gives two deployments in one account nothing in common', () => {
  const build = (name: string) => {
    const { gateway, names } = buildDeployment('--name', name);
    return [...Object.values(names).flat(), ...gateway.ratelimits.map((limit) => limit.namespace_id)];
  };
  const [one, two] = [build('cdapi'), build('cdapi-staging')];
  expect(one.filter((name) => two.includes(name))).toEqual([]);
  expect(new Set(one).size).toBe(one.length);
});

describe('a new deployment', () => {
  let harness: DeployHarness;
  setUpDeployHarness((created) => {
    harness = created;
  });

  it('is stopped by Ctrl-C with a sentence, and the next run continues', async () => {
    const { server, folder, account } = harness;
    const env = {
      CLOUDFLARE_API_BASE_URL: server.origin,
      CLOUDFLARE_API_TOKEN: server.token,
      DEPLOY_DIR: folder,
      CDAPI_BASE_URL: 'https://provider.invalid/cdapi',
      CDAPI_KEY: KEY,
    };
    // The account is the first thing that it reads; the doctor would fail next.
    server.onCall = (call) => {
      if (call === 'GET /accounts') command.interrupt();
    };
    const command = startCommand(['worker/commands/deploy.ts'], { env });
    expect(await command.exited).toBe(1);
    expect(command.output().trim()).toBe(
      'Stopped. Run the same command again: it continues where it stopped.',
    );
    server.onCall = undefined;
    harness.stopAt = /^POST .*\/queues$/;
    expect((await harness.run(deploy)).error).toBeDefined();
    expect(account.queues.size).toBe(0);
    expect(account.databases.size).toBe(1);
    harness.stopAt = undefined;
    server.fault = { call: /time_travel/, when: 'before' };
    await harness.fail(deploy);
    expect(account.queues.size).toBe(1);
  });

  it('prints the plan without an account, a network or a change', async () => {
    harness.env = {};
    const { output, error } = await harness.run(deploy, '--dry-run', '--name', 'demo');
    expect(error).toBeUndefined();
    expect(output).toContain('demo-jobs');
    expect(output).toMatch(/Nothing was changed/);
    expect(harness.requests).toEqual([]);
    expect(harness.server.calls).toEqual([]);
    expect(existsSync(join(harness.folder, 'demo'))).toBe(false);
  });
});
