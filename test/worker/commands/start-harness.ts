// Runs npm start in a folder of each test, and examines what a stopped one leaves behind.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { root } from '../../../worker/commands/paths.ts';
import { filterRunning, type StartedCommand, startCommand } from './command.ts';

export const patient = { timeout: 120_000, interval: 20 };

/** Lists the temporary build folders of processes. */
export async function listBuildFolders(processes: readonly number[]): Promise<string[]> {
  const folders = await readdir(join(root, 'dist'));
  return folders.filter((name) => processes.some((pid) => name.endsWith(`.${pid}`)));
}

/** Gives each test of a file a folder, and stops at its end what it has started. */
export function setUpStarts() {
  let dir: string;
  let started: StartedCommand[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'cdapi-start-'));
  });
  afterEach(async () => {
    for (const command of started) {
      if (command.child.exitCode === null) command.interrupt();
      await command.exited;
    }
    started = [];
    await rm(dir, { recursive: true, force: true });
  });
  return {
    getDir: () => dir,
    /** Runs npm start. @param settings - of its environment */
    start: (settings: Record<string, string>): StartedCommand => {
      const command = startCommand(['worker/commands/start.ts'], { env: { DEV_DIR: dir, ...settings } });
      started.push(command);
      return command;
    },
    /** Checks that no process, settings file, lock or temporary build folder is left. */
    expectNoTrace: async (processes: readonly number[]): Promise<void> => {
      expect(filterRunning(processes)).toEqual([]);
      const kept = ['session.json', 'state', 'seeding'];
      expect((await readdir(dir)).filter((name) => !kept.includes(name))).toEqual([]);
      expect(await listBuildFolders(processes)).toEqual([]);
    },
  };
}
