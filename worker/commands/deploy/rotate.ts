// npm run rotate -- admin-token [--at-once] [--name NAME] [--free] [--no-metrics]: replaces the admin token without an interruption.
import { deploy } from '../deploy.ts';
import { UserError } from '../user-error.ts';
import { replaceAdminToken } from './admin-token.ts';
import { readRotateOptions } from './options.ts';
import type { DeployPlatform } from './platform.ts';
import { DeploymentFiles } from './state.ts';
import { runDeployCommand } from './terminal.ts';

/**
 * Generates a new admin token and deploys it with the code of this folder. The replaced one is accepted for a day.
 * @throws UserError that says what to do; the next run continues
 */
export async function rotate(args: readonly string[], platform: DeployPlatform): Promise<void> {
  const { name, isAtOnce, deployArguments } = readRotateOptions(args);
  const files = new DeploymentFiles(platform.folder, name);
  const settings = await files.readSettings();
  if (settings?.uploaded === undefined)
    throw new UserError(`${name} is not deployed from this machine: name it with --name.`);
  await files.requireNoRestore(name);
  const until = await replaceAdminToken(files, settings, isAtOnce, platform.now());
  // Nobody is asked for the provider's key: the gateway keeps it.
  await deploy(deployArguments, { ...platform, ask: undefined });
  platform.log(
    `The new admin token is in ${files.secretsFile}. ${until === undefined ? 'Older ones are refused.' : `The previous one is accepted until ${new Date(until).toISOString()}.`}`,
  );
}

if (import.meta.main) await runDeployCommand(rotate);
