// npm run deploy in an account that lacks something: one sentence that says what, and where to enable it.
import { expect, it } from 'vitest';
import { uploadWorker } from '../../../worker/commands/deploy/wrangler.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import { type DeployHarness, setUpDeployHarness } from './deploy-harness.ts';

let harness: DeployHarness;
setUpDeployHarness((created) => {
  harness = created;
});
const fail = (...args: string[]): Promise<string> => harness.fail(deploy, ...args);

it('explains what the account lacks', async () => {
  const { account } = harness;
  account.plan = 'free';
  account.readsBilling = false;
  account.hasR2 = false;
  expect(await fail()).toMatch(/R2 is not enabled.*dash\.cloudflare\.com/);
  account.hasR2 = true;
  account.hasQueues = false;
  expect(await fail()).toMatch(/plan or login does not allow queues.*Workers Paid/);
  account.hasQueues = true;
  expect(await fail()).toMatch(/free plan, which refuses CPU limits.*--free/);
  // The sentence of wrangler 4.
  const output = 'You need to enable Analytics Engine. Head to the Cloudflare Dashboard [code: 10089]';
  await expect(uploadWorker(async () => ({ succeeded: false, output }), '', [], {})).rejects.toThrow(
    /Analytics Engine.*not enabled.*dash\.cloudflare\.com.*--no-metrics/,
  );
});
