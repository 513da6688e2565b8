// npm run deploy:rollback [-- --to VERSION] [--force] [--name NAME]: deploys an earlier version of the gateway again.
import { UserError } from '../user-error.ts';
import { openAccount } from './account.ts';
import { DeployedGateway } from './gateway.ts';
import { type RollbackOptions, readRollbackOptions } from './options.ts';
import type { DeployPlatform } from './platform.ts';
import { DeploymentFiles } from './state.ts';
import { confirmName, runDeployCommand } from './terminal.ts';
import { type DeployedVersion, type Version, Versions } from './versions.ts';

const MAX_PROPOSALS = 10;

/**
 * Finds the latest version before the present one that was deployed and has other code: a changed secret or setting makes a
 * version, too. Those of a restore would close the gateway.
 */
async function findPrevious(versions: Versions, current: Version, deployed: readonly DeployedVersion[]) {
  for (const id of new Set(deployed.map((version) => version.id))) {
    const version = id === current.id ? current : await versions.get(id);
    const hasOtherCode = version.code === undefined || version.code !== current.code;
    if (version.number < current.number && hasOtherCode && !version.isMaintenance) return version;
  }
  const others = (await versions.listDeployable()).filter((label) => !label.includes(current.id));
  const proposals =
    others.length === 0
      ? 'There is no other version'
      : `To deploy one of these, add -- --to and its id: ${others.slice(0, MAX_PROPOSALS).join(', ')}`;
  throw new UserError(
    `No version before ${current.label} with other code is among the last deployments. ${proposals}. Nothing was changed.`,
  );
}

/** @throws UserError if the version can't read what the present one has stored, or is one of a restore */
function checkTarget(current: Version, target: Version): void {
  if (target.isMaintenance)
    throw new UserError(
      `${target.label} closes the gateway for a restore. Nothing was changed: choose another version.`,
    );
  if (target.migration !== current.migration)
    throw new UserError(
      `${current.label} migrated the Durable Objects (${target.migration ?? 'none'} → ${current.migration ?? 'none'}), and ${target.label} can’t read them. Nothing was changed: correct the fault in a new version and run npm run deploy.`,
    );
}

/** Deploys a version. If its secrets differ, a person confirms it first. */
async function deployVersion(
  versions: Versions,
  target: Version,
  { name, isForced }: RollbackOptions,
  platform: DeployPlatform,
): Promise<void> {
  const difference = await versions.deploy(target, isForced);
  if (difference === undefined) return;
  platform.log(
    `${target.label} has other secrets, which come back with it: ${difference} A value that was replaced because it leaked or was revoked is used again.`,
  );
  const noTerminal = 'Nothing was changed. Add -- --force to roll back with these secrets.';
  await confirmName(platform, name, noTerminal, 'Nothing was changed');
  await versions.deploy(target, true);
}

/**
 * Deploys an earlier version again. A repeated run only checks the version that the first one deployed.
 * @throws UserError if there is none, or a Durable Object migration is in between
 */
export async function rollBack(args: readonly string[], platform: DeployPlatform): Promise<void> {
  const options = readRollbackOptions(args);
  const { name, to } = options;
  const files = new DeploymentFiles(platform.folder, name);
  const state = await files.readDeployed();
  await files.requireNoRestore();
  await using _lock = await files.lock();
  const secrets = await files.readSecrets();
  const versions = new Versions(await openAccount(platform, state.account), name);
  const deployed = await versions.listDeployed();
  const [present] = deployed;
  if (present === undefined) throw new UserError(`${name} is not deployed yet: run npm run deploy.`);
  const current = await versions.get(present.id);
  const gateway = new DeployedGateway(platform, state.public_url, secrets);
  const isShared = present.percentage < 100;
  const isDone = !isShared && (to === undefined ? present.isRolledBack : to === current.id);
  if (isDone) {
    await gateway.waitUntilReady(current.id);
    platform.log(
      `${current.label} is deployed already, and answers: nothing was changed. To go back further, name a version: npm run deploy:rollback -- --to VERSION. npm run deploy deploys the newest code again.`,
    );
    return;
  }
  const findTarget = () => (isShared ? current : findPrevious(versions, current, deployed));
  const target = to === undefined ? await findTarget() : await versions.get(to);
  checkTarget(current, target);
  await deployVersion(versions, target, options, platform);
  await gateway.waitUntilReady(target.id);
  platform.log(
    `Rolled back from ${current.label} to ${target.label}, with its settings and secrets. The database stays as it is. npm run deploy deploys the newest version again.`,
  );
  if (!(await gateway.acceptsAdminToken()))
    platform.log(
      'That version has the admin token from before its rotation: this one is accepted until the next npm run deploy.',
    );
}

if (import.meta.main) await runDeployCommand(rollBack);
