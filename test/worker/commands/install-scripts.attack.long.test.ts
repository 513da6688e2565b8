// Attack by a dependency that runs code during the installation that `npm start` does itself.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

it('a package that is not allowed has an install script: it does not run, and those of allowed packages do', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cdapi-install-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'worker', 'commands'), { recursive: true });
  copyFileSync(join(root, 'worker/commands/run.mjs'), join(dir, 'worker/commands/run.mjs'));
  const mark = (name: string): string => join(dir, `${name}-ran`);
  /** Packs a package whose script leaves a mark. The one of Node installs a link to Node. */
  const pack = async (name: string, more: object = {}): Promise<[string, string]> => {
    const folder = join(dir, 'packages', name, 'package');
    await mkdir(folder, { recursive: true });
    const script = `require('node:fs').writeFileSync(${JSON.stringify(mark(name))}, '');
      if (${JSON.stringify(name)} === 'node') require('node:fs').symlinkSync(process.execPath, 'node');`;
    await writeFile(join(folder, 'install.cjs'), script);
    const scripts = { preinstall: 'node install.cjs' };
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', scripts, ...more }),
    );
    run('tar', ['-czf', join(dir, `${name}.tgz`), '-C', join(folder, '..'), 'package'], dir);
    return [name, `file:${name}.tgz`];
  };
  const dependencies = Object.fromEntries([
    await pack('node', { bin: { node: 'node' } }),
    await pack('denied'),
    await pack('unlisted'),
  ]);
  const manifest = {
    name: 'project',
    version: '1.0.0',
    dependencies,
    allowScripts: { node: true, denied: false },
  };
  await writeFile(join(dir, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit'], dir);
  await writeFile(join(dir, 'script.mjs'), "console.log('started')");

  expect(run('node', ['worker/commands/run.mjs', 'script.mjs'], dir)).toContain('started');
  expect(['node', 'denied', 'unlisted'].map((name) => existsSync(mark(name)))).toEqual([true, false, false]);
});
