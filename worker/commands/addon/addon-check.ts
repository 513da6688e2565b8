// npm run addon:check [-- https://GATEWAY]: pushes the live check to the Apps Script project of a scratch spreadsheet.
import { join } from 'node:path';
import { buildCheck } from '../build/check.ts';
import { publishBuild } from '../build/publish.ts';
import { root } from '../paths.ts';
import { runCommand } from '../user-error.ts';
import { openCheckProject, pushAddon } from './clasp.ts';
import { parseCheckOptions } from './options.ts';

const checkDist = join(root, 'dist', 'addon-check');

const NEXT =
  'The check is in your scratch spreadsheet: reload it, then choose CDAPI check → Run. Steps: docs/google-assumptions.md';

async function main(): Promise<void> {
  const gateway = parseCheckOptions(process.argv.slice(2));
  const project = await openCheckProject();
  await publishBuild(checkDist, (outDir) => buildCheck({ outDir, gateway }));
  await pushAddon(checkDist, project);
  console.log(NEXT);
}

if (import.meta.main) await runCommand(main);
