// A clone of the project whose clasp is a stand-in, for npm run addon:push and addon:release.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { cloneProject, startCommand } from './command.ts';

/**
 * Gives the tests of a file a clone.
 * @returns `locate`: the path of something in it; `run`: runs a command of the add-on in it
 */
export function setUpReleaseProject() {
  let top: string;
  beforeAll(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), 'cdapi-release-')));
    await cloneProject(top, join(import.meta.dirname, 'stand-in-clasp.mjs'));
  });
  afterAll(() => rm(top, { recursive: true }));
  const run = async (name: string, ...args: string[]): Promise<{ code: number | null; printed: string }> => {
    const { exited, output } = startCommand([`worker/commands/addon/${name}.ts`, ...args], {
      top,
      env: { clasp_config_auth: join(top, 'login.json') },
    });
    return { code: await exited, printed: output() };
  };
  return { locate: (...path: string[]): string => join(top, ...path), run };
}
