// npm run deploy when each of its steps loses its connection, and when its domain leads to another site.
import { expect, it } from 'vitest';
import { deploy } from '../../../worker/commands/deploy.ts';
import { DEMO, type DeployHarness, loseConnections, setUpDeployHarness } from './deploy-harness.ts';

let harness: DeployHarness;
setUpDeployHarness((created) => {
  harness = created;
});

it('replaces no DNS record of another site', async () => {
  harness.account.plan = 'free';
  harness.account.records.add('data.example.com');
  expect(await harness.fail(deploy, ...DEMO)).toMatch(
    /refused to lead data\.example\.com to the gateway: .*DNS records \(code 100117\)/,
  );
});

it('survives a lost connection in each step before the upload, with and without an effect', async () => {
  harness.account.plan = 'free';
  await loseConnections(harness, [
    ['GET /accounts', 'before'],
    ['GET /subscriptions', 'before'],
    ['GET /workers/subdomain', 'before'],
    ['GET /workers/scripts', 'before'],
    ['GET /storage/kv/namespaces', 'before'],
    ['PUT /workers/subdomain', 'after'],
    ['POST /storage/kv/namespaces', 'after'],
    ['POST /d1/database', 'before'],
    ['POST /d1/database', 'after'],
    ['POST /r2/buckets', 'after'],
    ['POST /queues', 'after'],
    ['POST /queues', 'before'],
    ['GET /d1/database/[^/]+/time_travel/bookmark', 'before'],
    ['POST /d1/database/[^/]+/query', 'after'],
    ['GET /workers/scripts/cdapi/deployments', 'before'],
  ]);
  const { namespaces, databases, buckets, queues } = harness.account;
  expect([namespaces.size, databases.size, buckets.size, queues.size]).toEqual([1, 1, 1, 1]);
});
