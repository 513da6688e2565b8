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

export type Project = z.output<typeof projectFile>;

async function readProject(name: string, owner: string): Promise<Project> {
  const file = join(root, name);
  if (!existsSync(file)) {
    throw new UserError(
      `No Apps Script project is named yet: open ${owner} (in a spreadsheet, Extensions → Apps Script), copy the script ID from its Project Settings, write it into ${name} as {"scriptId": "…"}, then try again.`,
    );
  }
  try {
    return projectFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    throw new UserError(`${name} names no Apps Script project: it holds {"scriptId": "…"}.`);
  }
}

const ADDON_FILE = '.clasp.json';
const CHECK_FILE = '.clasp.check.json';

/** @throws UserError if nobody is logged in */
function requireLogin(): void {
  if (existsSync(process.env.clasp_config_auth ?? join(homedir(), '.clasprc.json'))) return;
  throw new UserError('You are not logged in to Google: run "npx clasp login" once, then try again.');
}

/**
 * Finds the add-on's project.
 * @throws UserError if nobody is logged in or `.clasp.json` names no project
 */
export async function openProject(): Promise<Project> {
  requireLogin();
  return readProject(ADDON_FILE, 'yours');
}

/**
 * Finds the project of the live check, which is never the add-on's: a push replaces all files of a project.
 * @throws UserError if nobody is logged in, or `.clasp.check.json` names no project or the add-on's
 */
export async function openCheckProject(): Promise<Project> {
  requireLogin();
  const project = await readProject(CHECK_FILE, 'that of a new, empty spreadsheet');
  const addonFile = join(root, ADDON_FILE);
  const addon = existsSync(addonFile) ? await readProject(ADDON_FILE, 'yours') : undefined;
  if (addon?.scriptId !== project.scriptId) return project;
  throw new UserError(
    `${CHECK_FILE} names the add-on's own project, whose files the check would replace: make a new spreadsheet and name its project.`,
  );
}

/** Runs clasp. @returns its standard output if `captures` is true */
function runClasp(
  folder: string,
  args: readonly string[],
  { action, captures = false }: { action: string; captures?: boolean },
): string {
  const { status, stdout } = spawnSync(process.execPath, [tools.clasp, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['inherit', captures ? 'pipe' : 'inherit', 'inherit'],
  });
  if (status !== 0) throw new UserError(`clasp could not ${action}: see its output above.`);
  return captures ? stdout : '';
}

/**
 * Replaces the contents of the project at Google.
 * @param folder - the built add-on
 * @throws UserError if clasp fails
 */
export async function pushAddon(folder: string, { scriptId }: Project): Promise<void> {
  await writeFile(join(folder, '.clasp.json'), JSON.stringify({ scriptId, rootDir: '.' }));
  runClasp(folder, ['push', '--force'], { action: 'push' });
}

const createdVersion = z.object({ versionNumber: z.int().positive() });

/**
 * Creates an immutable version of the pushed files.
 * @param folder - the built add-on that was pushed
 * @param description - shown in the list of versions
 * @returns its number; undefined if clasp printed none
 * @throws UserError if clasp fails
 */
export function makeVersion(folder: string, description: string): number | undefined {
  const printed = runClasp(folder, ['create-version', description, '--json'], {
    action: 'create a version',
    captures: true,
  });
  try {
    return createdVersion.parse(JSON.parse(printed)).versionNumber;
  } catch {
    console.log(printed);
    return undefined;
  }
}
