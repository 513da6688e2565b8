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
  expect((await harness.run(deploy)).error).toBeUndefined();
  harness.changeCode(1);
  expect((await harness.run(rollBack, '--force')).error).toBeUndefined();
  expect([harness.getVersion()?.number, harness.getText('CDAPI_KEY')]).toEqual([1, KEY]);
  expect((await harness.run(deploy)).error).toBeUndefined();
  expect([harness.getVersion()?.number, harness.getText('CDAPI_KEY')]).toEqual([3, `${KEY}2`]);
});

/** Sets a variable as the dashboard does, which makes and deploys a version. */
function setByHand(name: string, text: string): void {
  const { versions = [], deployments = [] } = getScript() ?? {};
  const latest = versions.at(-1);
  if (latest === undefined) throw new Error('nothing is deployed');
  const { annotations: _, ...metadata } = latest.metadata;
  const bindings = latest.bindings.filter((binding) => binding.name !== name);
  const version = {
    ...latest,
    ...{ id: crypto.randomUUID(), number: latest.number + 1, metadata },
    bindings: [...bindings, { name, text, type: 'plain_text' as const }],
  };
  versions.push(version);
  deployments.unshift({ version: version.id });
}

it('keeps variables that were set by hand, in each later deployment, and replaces those of settings', async () => {
  setByHand('KEEP_FOR', '100d');
  setByHand('REQUEST_LOG', 'all');
  const { output, error } = await harness.run(deploy);
  expect(error).toBeUndefined();
  expect(output).toContain('Set by hand, and kept: KEEP_FOR.');
  expect([harness.getText('KEEP_FOR'), harness.getText('REQUEST_LOG')]).toEqual(['100d', 'notable']);
  setByHand('OPERATOR_LOW_BALANCE', '7');
  const again = await harness.run(deploy);
  expect(again.output).toContain('Set by hand, and kept: KEEP_FOR, OPERATOR_LOW_BALANCE.');
  expect(harness.getText('KEEP_FOR')).toBe('100d');
});

it('rotates the admin token: the previous one is accepted for a day, or not at all', async () => {
  harness.now = Date.now();
  const { ADMIN_TOKEN: oldest, ...others } = await harness.readSecrets();
  const rotated = await harness.run(rotate, 'admin-token');
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
  const { error, output } = await harness.run(rotate, 'admin-token', '--at-once');
  expect(error).toBeUndefined();
  expect((await harness.readSecrets()).ADMIN_TOKEN).toBe(newest);
  for (const token of [oldest, older]) expect(await harness.callAdmin(token)).toBe(401);
  expect(await harness.callAdmin(newest)).toBe(200);
  for (const secret of [oldest, older, newest]) expect(rotated.output + output).not.toContain(secret);
  harness.now = 0;
});

it('moves to a custom domain without asking for the key, and closes the old address only on request', async () => {
  const secrets = await harness.readSecrets();
  const old = harness.getText('PUBLIC_URL');
  const before = account.snapshot();
  delete harness.env.CDAPI_KEY;
  // Without a certificate, nothing changes except the domain, and the next run continues.
  harness.closedHosts.add('data.example.com');
  expect(await harness.fail(deploy, '--domain', 'data.example.com')).toMatch(
    /workers\.dev answers as before and no version was changed, but https:\/\/data\.example\.com is not ready/,
  );
  account.domains.clear();
  expect(account.snapshot()).toEqual(before);
  harness.closedHosts.clear();
  const moved = await harness.run(deploy, '--domain', 'data.example.com');
  expect(moved.error).toBeUndefined();
  expect(moved.output).toContain(`${old} still answers`);
  expect(harness.getText('PUBLIC_URL')).toBe('https://data.example.com');
  expect(await harness.readText('connection-link.txt')).toMatch(/^https:\/\/data\.example\.com\/connect#/);
  expect(harness.getText('CDAPI_KEY')).toBe(`${KEY}2`);
  expect(getScript()?.isPublic).toBe(true);
  expect([...account.domains.values()]).toEqual([{ hostname: 'data.example.com', service: 'cdapi' }]);
  // What protects stored data never changes.
  expect(await harness.readSecrets()).toEqual(secrets);
  for (const [name, value] of Object.entries(secrets)) expect(harness.getText(name)).toBe(value);
  // The next deployments keep both, until one closes the old addresses.
  account.domains.set('old', { hostname: 'old.example.com', service: 'cdapi' });
  expect((await harness.run(deploy)).output).toContain('nothing is uploaded');
  expect((await harness.run(deploy, '--close-old')).error).toBeUndefined();
  expect(getScript()?.isPublic).toBe(false);
  expect([...account.domains.values()]).toEqual([{ hostname: 'data.example.com', service: 'cdapi' }]);
  expect((await harness.run(deploy)).error).toBeUndefined();
  expect(getScript()?.isPublic).toBe(false);
  // The opposite of a domain: the address at workers.dev again, beside the domain.
  expect((await harness.run(deploy, '--no-domain')).error).toBeUndefined();
  expect([getScript()?.isPublic, account.domains.size, harness.getText('PUBLIC_URL')]).toEqual([
    true,
    1,
    old,
  ]);
});
