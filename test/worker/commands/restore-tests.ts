// Tests of npm run restore: what it refuses; that it closes the gateway, restores the database, and opens the gateway.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { restore } from '../../../worker/commands/deploy/restore.ts';
import { rollBack } from '../../../worker/commands/deploy/rollback.ts';
import { rotate } from '../../../worker/commands/deploy/rotate.ts';
import { deploy } from '../../../worker/commands/deploy.ts';
import type { Fault } from './cloudflare/server.ts';
import type { DeployHarness } from './deploy-harness.ts';

const DAY_MS = 86_400_000;

const hasPending = ({ folder }: DeployHarness) => existsSync(join(folder, 'cdapi', 'restore.json'));

/** Sets the clock of a deployment's commands a minute ahead. @returns the present time, in ISO 8601 */
function setLaterClock(harness: DeployHarness): () => string {
  let deployed = '';
  let before = 0;
  beforeAll(() => {
    deployed = new Date().toISOString();
    before = harness.now;
    harness.now = Date.now() + 60_000;
  });
  afterAll(() => {
    harness.now = before;
  });
  return () => deployed;
}

/** Tests that a restore of a complete deployment changes nothing without a valid time or bookmark and a typed name. */
export function testRestore(harness: DeployHarness): void {
  const { account } = harness;
  const getDeployed = setLaterClock(harness);

  it.each([
    [[], /Say which time/],
    [['--to', 'yesterday'], /--to is a time in ISO 8601 with its time zone/],
    [['--to', '2026-11-23T09:30:00'], /with its time zone/],
    [['--to', '2026-13-41T09:30:00Z'], /ISO 8601/],
    [['--to', '2999-01-01T00:00:00Z'], /is in the future/],
    [['--to', new Date(Date.now() - 31 * DAY_MS).toISOString()], /more than 30 days ago/],
    [['--bookmark', 'a; DROP'], /--bookmark is a bookmark/],
    [['--bookmark', '0000-0000', '--to', '2026-11-23T09:30Z'], /^Usage: npm run restore/],
    [['--unknown'], /^Usage: npm run restore/],
    [['--to', '2026-11-23T09:30Z', '--name', 'Upper'], /--name is/],
    [['--bookmark', '0000-0000', '--name', 'other'], /other is not deployed from this machine/],
  ])('refuses %j and changes nothing', async (args, sentence) => {
    const before = account.snapshot();
    expect(await harness.fail(restore, ...args)).toMatch(sentence);
    expect(account.snapshot()).toEqual(before);
    expect(hasPending(harness)).toBe(false);
  });

  it('changes nothing in a dry run, without a terminal, or if another name is typed', async () => {
    const before = account.snapshot();
    const { output, error } = await harness.run(restore, '--to', getDeployed(), '--dry-run');
    expect(error).toBeUndefined();
    expect(output).toMatch(/returns to .* \(bookmark [\da-f]{8}-00000000\)[\s\S]*Nothing was changed\.$/);
    expect(await harness.fail(restore, '--to', getDeployed())).toMatch(
      /asks for the name: run it in a terminal/,
    );
    harness.answers = ['yes'];
    expect(await harness.fail(restore, '--to', getDeployed())).toMatch(/Nothing was restored/);
    harness.answers = undefined;
    expect(account.snapshot()).toEqual(before);
    expect(hasPending(harness)).toBe(false);
  });
}

/**
 * Tests the restore of a complete deployment, interrupted at each step.
 * @param args - of its deployment
 */
export function testRestoreInterruptions(harness: DeployHarness, ...args: string[]): void {
  const { account } = harness;
  const getDeployed = setLaterClock(harness);
  const getScript = () => account.scripts.get('cdapi');
  /** Tells for each deployment, the oldest first, whether it is one of maintenance. */
  const listClosed = () =>
    getScript()
      ?.deployments.toReversed()
      .map((deployed) => getScript()?.versions.find(({ id }) => id === deployed.version))
      .map((version) => version?.bindings.some(({ name }) => name === 'MAINTENANCE'));
  const readSecrets = () => readFile(join(harness.folder, 'cdapi', 'secrets.json'), 'utf8');
  const getQueries = () => [...account.databases.values()].map(({ queries }) => queries.length);

  it('is continued after an interruption at each step, without another question', async () => {
    // The restored state has no tables: all migrations follow.
    const [empty = ''] = [...account.databases.values()].map((database) => database.getBookmark(0));
    const before = [...account.databases.values()].map((database) => database.getBookmark());
    harness.answers = ['cdapi'];
    const steps: readonly (readonly [call: string, when: Fault['when']])[] = [
      ['POST /d1/database/[^/]+/time_travel/restore', 'before'],
      ['POST /d1/database/[^/]+/time_travel/restore', 'after'],
      ['POST /d1/database/[^/]+/query', 'before'],
    ];
    const outputs: string[] = [];
    for (const [call, when] of steps) {
      harness.server.fault = { call: new RegExp(`^${call}$`), when };
      const { error, output } = await harness.run(restore, '--bookmark', empty, ...args);
      expect(String(error), call).toMatch(/can’t be reached to .*run the same command again/i);
      outputs.push(output);
      expect(hasPending(harness)).toBe(true);
    }
    harness.server.fault = undefined;
    expect(getQueries()).toEqual([0]);
    const dryRun = await harness.run(restore, '--dry-run');
    expect(dryRun.output).toMatch(/is in progress: the next run continues it\. Nothing was changed\.$/);
    // Nothing else may open the gateway now.
    const secrets = await readSecrets();
    for (const [command, ...given] of [[deploy], [rollBack], [rotate, 'admin-token']] as const)
      expect(await harness.fail(command, ...given)).toMatch(
        /restore of cdapi is not complete.*npm run restore/,
      );
    expect(await readSecrets()).toBe(secrets);
    expect(await harness.fail(restore, '--to', getDeployed())).toMatch(/A restore to .* is not complete/);
    harness.gatewayFault = { call: /^POST \/admin\/v1\/restores$/, when: 'after' };
    expect(await harness.fail(restore, ...args)).toMatch(/can’t be reached at \/admin\/v1\/restores/);
    expect(listClosed()?.at(-1)).toBe(true);
    harness.gatewayFault = { call: /^GET \/health\/deep$/, when: 'before' };
    expect(await harness.fail(restore, ...args)).toMatch(/can’t be reached at \/health\/deep/);
    harness.gatewayFault = undefined;
    const { error, output } = await harness.run(restore, ...args);
    expect(error).toBeUndefined();
    expect(hasPending(harness)).toBe(false);
    expect(listClosed()?.slice(-2)).toEqual([true, false]);
    expect(output).toContain(`npm run restore -- --bookmark ${before[0]} --name cdapi`);
    expect([...outputs, output].join('\n')).toContain(
      `Bookmark of the database before this restore: ${before[0]}`,
    );
    expect(getQueries()[0]).toBeGreaterThan(1);
  });

  it('sends the restored time to the gateway only while it is closed', () => {
    const calls = harness.requests.filter((call) => /\/restores$|time_travel\/restore$/.test(call));
    const [first] = calls;
    expect(first).toMatch(/time_travel\/restore$/);
    expect(calls.filter((call) => call === 'POST /admin/v1/restores').length).toBeGreaterThan(9);
  });

  it('leaves no version that a rollback could close the gateway with', async () => {
    harness.changeCode(1);
    const { error, output } = await harness.run(rollBack, '--force');
    expect(error).toBeUndefined();
    expect(output).toMatch(/Rolled back from/);
    expect(listClosed()?.at(-1)).toBe(false);
  });
}
