// npm run rotate -- admin-token [--at-once] [--name NAME]: replaces the admin token without an interruption.
import { openDeployment } from '../deploy.ts';
import { replaceAdminToken } from './admin-token.ts';
import { readDeployOptions, readRotateOptions } from './options.ts';
import type { DeployPlatform } from './platform.ts';
import { DeploymentFiles } from './state.ts';
import { runDeployCommand } from './terminal.ts';

/**
 * Generates a new admin token and deploys it with the code of this folder. The replaced one is accepted for a day.
 * @throws UserError that says what to do; the next run continues
 */
export async function rotate(args: readonly string[], platform: DeployPlatform): Promise<void> {
  const { name, isAtOnce } = readRotateOptions(args);
  const files = new DeploymentFiles(platform.folder, name);
  const state = await files.readDeployed();
  await files.requireNoRestore();
  await using _lock = await files.lock();
  const until = await replaceAdminToken(files, state, isAtOnce, platform.now());
  // Nobody is asked for the provider's key: the gateway keeps it.
  await openDeployment(readDeployOptions(['--name', name]), { ...platform, ask: undefined });
  platform.log(
    `The new admin token is in ${files.secretsFile}. ${until === undefined ? 'Older ones are refused.' : `The previous one is accepted until ${new Date(until).toISOString()}.`}`,
  );
}

if (import.meta.main) await runDeployCommand(rotate);
