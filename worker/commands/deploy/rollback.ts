// npm run deploy:rollback [-- --name NAME]: deploys the previous version of the gateway again.
import { UserError } from '../user-error.ts';
import { openAccount } from './account.ts';
import { DeployedGateway } from './gateway.ts';
import { readName } from './options.ts';
import type { DeployPlatform } from './platform.ts';
import { DeploymentFiles } from './state.ts';
import { runDeployCommand } from './terminal.ts';
import { type Version, Versions } from './versions.ts';

/** Finds the latest version before the present one that was deployed. Those of a restore would close the gateway. */
async function findPrevious(versions: Versions, current: Version, ids: readonly string[]) {
  for (const id of new Set(ids)) {
    const version = id === current.id ? current : await versions.get(id);
    if (version.number < current.number && !version.isMaintenance) return version;
  }
  return undefined;
}

/**
 * Deploys the previous version again.
 * @throws UserError if there is none, or a Durable Object migration is in between
 */
export async function rollBack(args: readonly string[], platform: DeployPlatform): Promise<void> {
  const name = readName(args, 'deploy:rollback');
  const files = new DeploymentFiles(platform.folder, name);
  const settings = await files.readSettings();
  if (settings === undefined)
    throw new UserError(`${name} is not deployed from this machine: name it with --name.`);
  await files.requireNoRestore(name);
  const secrets = await files.readSecrets();
  const account = await openAccount({
    ...platform,
    env: { ...platform.env, CLOUDFLARE_ACCOUNT_ID: settings.account },
  });
  const versions = new Versions(account, name);
  const ids = (await versions.listDeployed()) ?? [];
  const [currentId] = ids;
  if (currentId === undefined) throw new UserError(`${name} is not deployed yet: run npm run deploy.`);
  const current = await versions.get(currentId);
  const previous = await findPrevious(versions, current, ids);
  if (previous === undefined) throw new UserError(`There is no version before ${current.tag}.`);
  if (previous.migration !== current.migration)
    throw new UserError(
      `${current.tag} migrated the Durable Objects (${previous.migration ?? 'none'} → ${current.migration ?? 'none'}), and ${previous.tag} can’t read them. Nothing was changed: correct the fault in a new version and run npm run deploy.`,
    );
  await versions.deploy(previous);
  const gateway = new DeployedGateway(platform, {
    url: settings.public_url,
    adminToken: secrets.ADMIN_TOKEN,
  });
  await gateway.waitUntilReady(previous.tag);
  platform.log(
    `Rolled back from ${current.tag} to ${previous.tag}, with its settings and secrets. The database stays as it is. npm run deploy deploys the newest version again.`,
  );
  if (!(await gateway.acceptsAdminToken()))
    platform.log(
      'That version has the admin token from before its rotation: this one is accepted until the next npm run deploy.',
    );
}

if (import.meta.main) await runDeployCommand(rollBack);
