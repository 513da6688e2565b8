// npm run deploy:rollback, against a strict stand-in of Cloudflare's API: drills with secrets that were changed since.
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { rollBack } from '../../../worker/commands/deploy/rollback.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import type { Version } from './cloudflare/account.ts';
import { DeployHarness, KEY } from './deploy-harness.ts';

const harness = new DeployHarness();
const { account, server } = harness;
const getNumber = (): number | undefined => harness.getVersion()?.number;

function getVersion(number: number): Version {
  const version = account.scripts.get('cdapi')?.versions.find((known) => known.number === number);
  if (version === undefined) throw new Error(`There is no version ${number}`);
  return version;
}

/** Changes a secret as `wrangler secret put` does. @returns the code of the API's error, if there is one */
async function putSecret(text: string): Promise<number | undefined> {
  const url = `${server.origin}/accounts/${account.id}/workers/scripts/cdapi/secrets`;
  const body = JSON.stringify({ name: 'OPERATOR_ALERT_URL', text, type: 'secret_text' });
  const response = await fetch(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body,
  });
  const { errors } = z.object({ errors: z.array(z.object({ code: z.int() })) }).parse(await response.json());
  return errors[0]?.code;
}

// Without the log Worker, whose upload takes as long as the gateway's.
const upload = async (): Promise<void> => {
  expect((await harness.run(deploy, '--free')).error).toBeUndefined();
};

beforeAll(async () => {
  await harness.start();
  await upload();
});
afterAll(async () => {
  await harness.stop();
  expect(server.violations).toEqual([]);
});

it('changes nothing without an earlier version, or another name or id', async () => {
  expect(await harness.fail(rollBack)).toMatch(/There is no other version\. Nothing was changed/);
  expect(await harness.fail(rollBack, '--name', 'other')).toMatch(/other is not deployed/);
  expect(await harness.fail(rollBack, '--to', 'latest')).toMatch(/--to is the id of a version/);
});

it('names the secrets that return, and deploys them only after the name was typed', async () => {
  const secrets = await harness.readSecrets();
  harness.env.CDAPI_KEY = `${KEY}2`;
  await upload();
  expect([getNumber(), harness.getText('CDAPI_KEY')]).toEqual([2, `${KEY}2`]);
  // Both have the same code: only a named version would be deployed.
  expect(await harness.fail(rollBack)).toContain(`--to and its id: `);
  harness.changeCode(1);
  const refused = await harness.run(rollBack);
  expect(refused.output).toContain('The following secrets have changed: CDAPI_KEY');
  expect(String(refused.error)).toMatch(/Nothing was changed. Add -- --force/);
  harness.answers = ['other'];
  expect(await harness.fail(rollBack)).toMatch(/Nothing was changed/);
  expect(getNumber()).toBe(2);
  harness.answers = ['cdapi'];
  const { error, output } = await harness.run(rollBack);
  harness.answers = undefined;
  expect(error).toBeUndefined();
  expect(output).toMatch(/Rolled back from .* to .*The database stays as it is/);
  expect([getNumber(), harness.getText('CDAPI_KEY')]).toEqual([1, KEY]);
  expect(await harness.readSecrets()).toEqual(secrets);
});

it('is not repeated by a second run, and another secret needs a deployment first', async () => {
  const before = account.snapshot();
  const { error, output } = await harness.run(rollBack, '--force');
  expect(error).toBeUndefined();
  expect(output).toContain('is deployed already, and answers: nothing was changed');
  expect(account.snapshot()).toEqual(before);
  expect(await putSecret('https://alerts.example/0')).toBe(10215);
});

it('skips versions that wrangler secret put has made, which have no tag', async () => {
  await upload();
  expect(await putSecret('https://alerts.example/1')).toBeUndefined();
  expect([getNumber(), harness.getVersion()?.metadata.annotations]).toEqual([4, undefined]);
  const { error, output } = await harness.run(rollBack, '--force');
  expect(error).toBeUndefined();
  expect(output).toContain(`Rolled back from ${getVersion(4).id} to `);
  expect(getNumber()).toBe(1);
  expect((await harness.run(rollBack, '--to', getVersion(4).id, '--force')).error).toBeUndefined();
  expect(getNumber()).toBe(4);
});

it('never crosses a migration of Durable Objects', async () => {
  const { migration } = getVersion(1);
  getVersion(1).migration = 'gateway-0';
  expect(await harness.fail(rollBack, '--to', getVersion(1).id)).toMatch(
    /migrated the Durable Objects \(gateway-0 → gateway-1\).*Nothing was changed: correct the fault in a new version/,
  );
  expect(getNumber()).toBe(4);
  getVersion(1).migration = migration;
});

it('proposes versions if the last deployments have the same code', async () => {
  for (let at = 2; at <= 12; at += 1) expect(await putSecret(`https://alerts.example/${at}`)).toBeUndefined();
  expect(await harness.fail(rollBack, '--force')).toMatch(
    new RegExp(
      `among the last deployments\\. To deploy one of these, add -- --to and its id: ${getVersion(14).id}, `,
    ),
  );
  expect(getNumber()).toBe(15);
});
