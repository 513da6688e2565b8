// Changes of a deployment: the key of the provider after a rollback, the admin token, the domain.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rollBack } from '../../../worker/commands/deploy/rollback.ts';
import { rotate } from '../../../worker/commands/deploy/rotate.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import { DeployHarness, KEY } from './deploy-harness.ts';

const harness = new DeployHarness();
const { account } = harness;
const getScript = () => account.scripts.get('cdapi');

beforeAll(async () => {
  await harness.start();
  expect((await harness.run(deploy, '--free')).error).toBeUndefined();
});
afterAll(async () => {
  await harness.stop();
  expect(harness.server.violations).toEqual([]);
});

it('uploads again after a rollback', async () => {
  harness.env.CDAPI_KEY = `${KEY}2`;
  expect((await harness.run(deploy, '--free')).error).toBeUndefined();
  harness.changeCode(1);
  expect((await harness.run(rollBack, '--force')).error).toBeUndefined();
  expect([harness.getVersion()?.number, harness.getText('CDAPI_KEY')]).toEqual([1, KEY]);
  expect((await harness.run(deploy, '--free')).error).toBeUndefined();
  expect([harness.getVersion()?.number, harness.getText('CDAPI_KEY')]).toEqual([3, `${KEY}2`]);
});

it('rotates the admin token: the previous one is accepted for a day, or not at all', async () => {
  harness.now = Date.now();
  const { ADMIN_TOKEN: oldest, ...others } = await harness.readSecrets();
  const rotated = await harness.run(rotate, 'admin-token', '--free');
  expect(rotated.error).toBeUndefined();
  const { ADMIN_TOKEN: older, ADMIN_TOKEN_PREVIOUS: previous, ...rest } = await harness.readSecrets();
  expect(rest).toEqual(others);
  expect(previous).toBe(`${new Date(harness.now + 86_400_000).toISOString()} ${oldest}`);
  expect(harness.getText('ADMIN_TOKEN_PREVIOUS')).toBe(previous);
  for (const [token, status] of [
    [oldest, 200],
    [older, 200],
    ['x'.repeat(43), 401],
  ] as const)
    expect(await harness.callAdmin(token)).toBe(status);
  expect(await harness.fail(rotate, 'admin-token')).toMatch(/accepted until 20.*--at-once/);
  expect((await harness.readSecrets()).ADMIN_TOKEN).toBe(older);
  // Interrupted before the upload: the next run goes on with the same token.
  harness.stopAt = /\/subdomain/;
  expect((await harness.run(rotate, 'admin-token', '--at-once')).error).toBeDefined();
  harness.stopAt = undefined;
  const { ADMIN_TOKEN: newest } = await harness.readSecrets();
  expect(newest).not.toBe(older);
  const { error, output } = await harness.run(rotate, 'admin-token', '--at-once', '--free');
  expect(error).toBeUndefined();
  expect((await harness.readSecrets()).ADMIN_TOKEN).toBe(newest);
  for (const token of [oldest, older]) expect(await harness.callAdmin(token)).toBe(401);
  expect(await harness.callAdmin(newest)).toBe(200);
  for (const secret of [oldest, older, newest]) expect(rotated.output + output).not.toContain(secret);
  harness.now = 0;
});

it('moves to a custom domain without asking for the key', async () => {
  const secrets = await harness.readSecrets();
  delete harness.env.CDAPI_KEY;
  const moved = await harness.run(deploy, '--free', '--domain', 'data.example.com');
  expect(moved.error).toBeUndefined();
  expect(harness.getText('PUBLIC_URL')).toBe('https://data.example.com');
  expect(harness.getText('CDAPI_KEY')).toBe(`${KEY}2`);
  expect(getScript()?.isPublic).toBe(false);
  expect([...account.domains.values()]).toEqual([{ hostname: 'data.example.com', service: 'cdapi' }]);
  // What protects stored data never changes.
  expect(await harness.readSecrets()).toEqual(secrets);
  for (const [name, value] of Object.entries(secrets)) expect(harness.getText(name)).toBe(value);
});
