// npm run deploy:rollback, against a strict stand-in of Cloudflare's API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rollBack } from '../../../worker/commands/deploy/rollback.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import { DeployHarness, KEY } from './deploy-harness.ts';

const harness = new DeployHarness();
beforeAll(async () => {
  await harness.start();
  expect((await harness.run(deploy, '--free')).error).toBeUndefined();
});
afterAll(async () => {
  await harness.stop();
  expect(harness.server.violations).toEqual([]);
});

it('uploads a new provider key, and rolls back to the version before, with its secrets, only if there is one', async () => {
  expect(String((await harness.run(rollBack)).error)).toMatch(/There is no version before/);
  expect(String((await harness.run(rollBack, '--name', 'other')).error)).toMatch(/other is not deployed/);
  const secrets = await harness.readSecrets();
  harness.env.CDAPI_KEY = `${KEY}2`;
  // Without the log Worker, whose upload takes as long as the gateway's.
  expect((await harness.run(deploy, '--free')).error).toBeUndefined();
  expect([harness.getVersion()?.number, harness.getText('CDAPI_KEY')]).toEqual([2, `${KEY}2`]);
  // It never crosses a migration of Durable Objects.
  const [oldest] = harness.account.scripts.get('cdapi')?.versions.filter(({ number }) => number === 1) ?? [];
  const migration = oldest?.migration;
  if (oldest !== undefined) oldest.migration = 'gateway-0';
  expect(await harness.fail(rollBack)).toMatch(
    /migrated the Durable Objects \(gateway-0 → gateway-1\).*Nothing was changed: correct the fault in a new version/,
  );
  expect(harness.getVersion()?.number).toBe(2);
  if (oldest !== undefined) oldest.migration = migration;
  const { error, output } = await harness.run(rollBack);
  expect(error).toBeUndefined();
  expect(output).toMatch(/Rolled back from .* to .*The database stays as it is/);
  expect([harness.getVersion()?.number, harness.getText('CDAPI_KEY')]).toEqual([1, KEY]);
  expect(await harness.readSecrets()).toEqual(secrets);
  expect(String((await harness.run(rollBack)).error)).toMatch(/There is no version before/);
});
