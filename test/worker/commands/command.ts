// Runs the project's commands as child processes and creates fresh clones of the project.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../worker/commands/paths.ts';

/** Node's compile cache, which halves the start of every command but the first. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'commands') };

/** A running command. */
export interface StartedCommand {
  child: ChildProcess;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
  /** Returns everything printed to stdout and stderr so far. */
  output: () => string;
  /** Sends SIGINT to the process group, like Ctrl-C in a terminal. */
  interrupt: () => void;
}

/**
 * Starts a command as npm does.
 * @param args - the script's path in the project and its arguments
 * @param options - `top`: the project's folder
 */
export function startCommand(
  args: readonly string[],
  {
    top: projectDir = root,
    env = {},
    cwd = projectDir,
  }: { top?: string; env?: Record<string, string>; cwd?: string } = {},
): StartedCommand {
  const child = spawn(process.execPath, [join(projectDir, 'worker/commands/run.mjs'), ...args], {
    cwd,
    env: { ...process.env, ...COMPILE_CACHE, ...env },
    detached: true,
  });
  let output = '';
  const appendOutput = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', appendOutput);
  child.stderr.on('data', appendOutput);
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  const interrupt = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  };
  return { child, exited, output: () => output, interrupt };
}

/** Lists a process and its descendants without zombies. */
export function listProcessTree(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , state = '']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
  const tree = rows.some((row) => row.pid === pid) ? [pid] : [];
  for (const parent of tree) {
    tree.push(...rows.filter((row) => row.parent === parent).map((row) => row.pid));
  }
  return tree;
}

/** Returns the processes that are still running. */
export function filterRunning(pids: readonly number[]): number[] {
  return pids.filter((pid) => listProcessTree(pid).includes(pid));
}

/** Files of a clone that commands need. */
const CLONED_PATHS = [
  'addon',
  'docs/listing/checklist.md',
  'package.json',
  'shared',
  'worker',
  'wrangler.toml',
];

/**
 * Clones the project without anything built or stored.
 * @param top - an empty folder
 * @param clasp - a script that replaces clasp
 */
export async function cloneProject(top: string, clasp?: string): Promise<void> {
  for (const part of CLONED_PATHS) await cp(join(root, part), join(top, part), { recursive: true });
  // An older list would make the command install its packages again.
  await cp(join(root, 'package-lock.json'), join(top, 'package-lock.json'), { preserveTimestamps: true });
  const packages = join(top, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@google') await symlink(join(root, 'node_modules', name), join(packages, name));
  }
  if (clasp === undefined) return;
  const script = join(packages, '@google/clasp/build/src/index.js');
  await mkdir(join(script, '..'), { recursive: true });
  await cp(clasp, script);
}
