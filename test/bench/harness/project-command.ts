// Runs a command of the project on an instance.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../worker/commands/paths.ts';

/**
 * Runs a command of the project.
 * @param dir - folder of the instance
 * @throws Error with its output
 */
export function runProjectCommand(name: string, args: readonly string[], dir: string): void {
  const script = join(root, 'worker', 'commands', `${name}.ts`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEV_DIR: dir },
  });
  if (status !== 0) throw new Error(`npm run ${name} failed:\n${stdout}\n${stderr}`);
}
