// The Apps Script project at Google that clasp pushes to: who is logged in, which project, and the push itself.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { root, tools } from '../paths.ts';
import { UserError } from '../user-error.ts';

const projectFile = z.object({ scriptId: z.string().min(1) });

/** An Apps Script project at Google. */
export type Project = z.output<typeof projectFile>;

async function readProject(file: string): Promise<Project> {
  if (!existsSync(file)) {
    throw new UserError(
      'No Apps Script project is named yet: open yours (in a spreadsheet, Extensions → Apps Script), copy the script ID from its Project Settings, write it into .clasp.json as {"scriptId": "…"}, then try again.',
    );
  }
  try {
    return projectFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    throw new UserError('.clasp.json names no Apps Script project: it holds {"scriptId": "…"}.');
  }
}

function isLoggedIn(): boolean {
  const named = process.env.clasp_config_auth;
  return existsSync(named ?? join(homedir(), '.clasprc.json'));
}

/**
 * Finds the project to push to.
 * @throws UserError where nobody is logged in, or `.clasp.json` names none
 */
export async function openProject(): Promise<Project> {
  if (!isLoggedIn()) {
    throw new UserError('You are not logged in to Google: run "npx clasp login" once, then try again.');
  }
  return readProject(join(root, '.clasp.json'));
}

function clasp(folder: string, args: readonly string[], what: string): void {
  const { status } = spawnSync(process.execPath, [tools.clasp, ...args], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new UserError(`clasp could not ${what}: see what it says above.`);
}

/**
 * Replaces what the project at Google holds.
 * @param folder - the built add-on
 * @throws UserError where clasp fails
 */
export async function push(folder: string, { scriptId }: Project): Promise<void> {
  await writeFile(join(folder, '.clasp.json'), JSON.stringify({ scriptId, rootDir: '.' }));
  clasp(folder, ['push', '--force'], 'push');
}

/**
 * Makes a version of what was pushed, which never changes again.
 * @param folder - from which it was pushed
 * @param description - what people see of it in the list of versions
 * @throws UserError where clasp fails
 */
export function makeVersion(folder: string, description: string): void {
  clasp(folder, ['create-version', description], 'make a version');
}
