// Finds and updates the Apps Script project at Google through clasp.
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
  const configuredFile = process.env.clasp_config_auth;
  return existsSync(configuredFile ?? join(homedir(), '.clasprc.json'));
}

/**
 * Finds the project to push to.
 * @throws UserError if nobody is logged in or `.clasp.json` names no project
 */
export async function openProject(): Promise<Project> {
  if (!isLoggedIn()) {
    throw new UserError('You are not logged in to Google: run "npx clasp login" once, then try again.');
  }
  return readProject(join(root, '.clasp.json'));
}

function runClasp(folder: string, args: readonly string[], action: string): void {
  const { status } = spawnSync(process.execPath, [tools.clasp, ...args], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new UserError(`clasp could not ${action}: see its output above.`);
}

/**
 * Replaces the contents of the project at Google.
 * @param folder - the built add-on
 * @throws UserError if clasp fails
 */
export async function pushAddon(folder: string, { scriptId }: Project): Promise<void> {
  await writeFile(join(folder, '.clasp.json'), JSON.stringify({ scriptId, rootDir: '.' }));
  runClasp(folder, ['push', '--force'], 'push');
}

/**
 * Creates an immutable version of the pushed files.
 * @param folder - the built add-on that was pushed
 * @param description - shown in the list of versions
 * @throws UserError if clasp fails
 */
export function makeVersion(folder: string, description: string): void {
  runClasp(folder, ['create-version', description], 'make a version');
}
