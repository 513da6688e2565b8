// npm run addon:push: builds the add-on and pushes it to your Apps Script project through clasp.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { buildAddon } from './build/addon.ts';
import { publish } from './build/publish.ts';
import { addonDist, root, tools } from './paths.ts';
import { command, UserError } from './user-error.ts';

const projectFile = z.object({ scriptId: z.string().min(1) });

async function readProject(file: string): Promise<z.output<typeof projectFile>> {
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

async function push(): Promise<void> {
  if (!isLoggedIn()) {
    throw new UserError('You are not logged in to Google: run "npx clasp login" once, then try again.');
  }
  const { scriptId } = await readProject(join(root, '.clasp.json'));
  await publish(addonDist, (outDir) => buildAddon({ outDir }));
  await writeFile(join(addonDist, '.clasp.json'), JSON.stringify({ scriptId, rootDir: '.' }));
  const { status } = spawnSync(process.execPath, [tools.clasp, 'push', '--force'], {
    cwd: addonDist,
    stdio: 'inherit',
  });
  if (status !== 0) throw new UserError('clasp could not push: see what it says above.');
}

if (import.meta.main) await command(push);
