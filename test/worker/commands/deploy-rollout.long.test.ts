// Careful deployments: a share of the requests first, differences, the way back, one command at a time, and a jurisdiction.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rollBack } from '../../../worker/commands/deploy/rollback.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import { acquireLock } from '../../../worker/commands/instance/lock.ts';
import { COMMIT, DeployHarness } from './deploy-harness.ts';

const harness = new DeployHarness();
const { account } = harness;
const writeSettings = (settings: object) =>
  writeFile(join(harness.folder, 'cdapi', 'settings.json'), JSON.stringify({ version: 1, ...settings }));
const getDeployment = () => account.scripts.get('cdapi')?.deployments[0];

beforeAll(async () => {
  await harness.start();
  const { error } = await harness.run(
    deploy,
    '--free',
    '--metrics',
    '--jurisdiction',
    'eu',
    '--region',
    'weur',
  );
  expect(error).toBeUndefined();
});
afterAll(async () => {
  await harness.stop();
  expect(harness.server.violations).toEqual([]);
});

it('stores data in a jurisdiction, for ever', async () => {
  const [database] = account.databases.values();
  expect(database).toMatchObject({ location: undefined, jurisdiction: 'eu' });
  expect(account.buckets.get('cdapi-rows')).toMatchObject({ location: undefined, jurisdiction: 'eu' });
  expect(harness.getText('JURISDICTION')).toBe('eu');
  const { output } = await harness.run(deploy, '--dry-run');
  expect(output).toMatch(/Jurisdiction +eu, for ever, .*Outside stay: KV/);
  expect(await harness.fail(deploy, '--jurisdiction', 'mars')).toMatch(/^--jurisdiction is eu/);
});

it('prints what differs before anything is deployed, and refuses wrong settings', async () => {
  expect((await harness.run(deploy, '--dry-run')).output).toContain('Nothing differs from what is deployed.');
  await writeSettings({ keep_for: '400d' });
  const before = account.snapshot();
  for (const options of [[], ['--dry-run']])
    expect(await harness.fail(deploy, ...options)).toMatch(
      /settings\.json, keep_for: .*twelve months.* Example: "keep_for": "365d"$/,
    );
  expect(account.snapshot()).toEqual(before);
  await writeSettings({ keep_for: '90d', access: { team_domain: 'a.cloudflareaccess.com', audience: 'x' } });
  const { output } = await harness.run(deploy, '--dry-run', '--workers-ai');
  expect(output).toMatch(/Differences:\nWorkers AI +no → yes\nkeep_for +default → "90d"\naccess +changed\n/);
  expect(account.snapshot()).toEqual(before);
});

it('returns by itself if a share of the requests fails more often', async () => {
  await writeSettings({ keep_for: '90d' });
  const before = getDeployment();
  account.metrics = [
    { version: `${COMMIT}-before`, requests: 900, failed: '0' },
    { version: '', requests: 0, failed: '0' },
  ];
  harness.server.onCall = (call) => {
    const { versions = [] } = account.scripts.get('cdapi') ?? {};
    const tag = versions.at(-1)?.metadata.annotations?.['workers/tag'] ?? '';
    if (call === 'POST /analytics_engine/sql' && account.metrics?.[1] !== undefined)
      account.metrics[1] = { version: tag, requests: 100, failed: '40' };
  };
  expect(await harness.fail(deploy, '--canary', '10')).toMatch(
    /failed with 10 % .*the version before answers all again\. Reason: 40 of 100 requests failed, .* 0 of 900/,
  );
  harness.server.onCall = undefined;
  expect(getDeployment()).toMatchObject({ version: before?.version });
  expect(getDeployment()).not.toHaveProperty('canary');
  expect(harness.getText('KEEP_FOR')).toBeUndefined();
});

it('ends an interrupted share by a rollback', async () => {
  account.metrics = undefined;
  const before = getDeployment();
  harness.stopAt = /analytics_engine/;
  expect((await harness.run(deploy, '--canary', '10')).error).toBeDefined();
  harness.stopAt = undefined;
  expect(getDeployment()).toMatchObject({ version: before?.version, canary: { percentage: 10 } });
  expect((await harness.run(rollBack)).error).toBeUndefined();
  expect(getDeployment()).toMatchObject({ version: before?.version });
  expect(getDeployment()).not.toHaveProperty('canary');
});

it('deploys a version for all after its share worked', async () => {
  const { output, error } = await harness.run(deploy, '--canary', '10');
  expect(error).toBeUndefined();
  expect(output).toMatch(
    /answers 10 % of the requests[\s\S]*error rate can’t be read[\s\S]*The new version works/,
  );
  expect(getDeployment()).not.toHaveProperty('canary');
  expect(harness.getText('KEEP_FOR')).toBe('90d');
});

it('names the way back when an upgrade fails', async () => {
  const previous = getDeployment()?.version;
  await writeSettings({});
  harness.gatewayFault = { call: /health\/deep/, when: 'before' };
  expect(await harness.fail(deploy)).toContain(`npm run deploy:rollback -- --name cdapi --to ${previous}`);
  harness.gatewayFault = undefined;
});

it('runs one command at a time', async () => {
  const lock = await acquireLock(join(harness.folder, 'cdapi'), { url: '', temporary: true });
  for (const command of [deploy, rollBack])
    expect(await harness.fail(command)).toMatch(
      /^Another command is using .*process \d+.*wait until it has ended/,
    );
  await lock.release();
});
