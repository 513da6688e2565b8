// npm run deploy and npm run restore, interrupted at each step from the upload on: each run continues the one before.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploy } from '../../../worker/commands/deploy.ts';
import { DEMO, DeployHarness, loseConnections, type Step } from './deploy-harness.ts';
import { testRestore, testRestoreInterruptions } from './restore-tests.ts';

const demo = new DeployHarness();
const { account } = demo;
beforeAll(async () => {
  account.plan = 'free';
  await demo.start();
});
afterAll(async () => {
  await demo.stop();
  expect(demo.server.violations).toEqual([]);
});

it('survives a lost connection during the upload', () =>
  loseConnections(demo, [
    ['PUT /workers/scripts/cdapi', 'after'],
    ['PUT /workers/scripts/cdapi/schedules', 'before'],
  ]));

it('survives a lost connection to the gateway, and is a complete demo after the next run', async () => {
  const steps: readonly Step[] = [
    ['GET /health', 'before'],
    ['GET /health/deep', 'before'],
    ['POST /admin/v1/teams', 'after'],
    ['POST /admin/v1/teams/[^/]+/tokens', 'after'],
    ['GET /sheets/v1/me', 'before'],
  ];
  for (const [call, when] of steps) {
    demo.gatewayFault = { call: new RegExp(`^${call}$`), when };
    expect(await demo.fail(deploy, ...DEMO), call).toMatch(/^The gateway .*Run the same command again/);
  }
  demo.gatewayFault = undefined;
  const { error, output } = await demo.run(deploy, ...DEMO);
  expect(error).toBeUndefined();
  expect(output).toContain('a demo');
  expect(output).toContain('Every test passed.');
  const { namespaces, databases, buckets, queues, scripts } = account;
  expect([namespaces.size, databases.size, buckets.size, queues.size]).toEqual([1, 1, 1, 1]);
  expect([...scripts.keys()]).toEqual(['cdapi']);
});

describe('npm run restore', () => {
  testRestore(demo);
  testRestoreInterruptions(demo, '--free');
});
