// npm run addon:check [-- https://GATEWAY] [--dry-run]: pushes the live check to the Apps Script project of a scratch
// spreadsheet, or only builds it.
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

const BUILT = 'Nothing was sent. dist/addon-check has the manifest and the code of the check.';

async function main(): Promise<void> {
  const { gateway, dryRun } = parseCheckOptions(process.argv.slice(2));
  const project = dryRun ? undefined : await openCheckProject();
  await publishBuild(checkDist, (outDir) => buildCheck({ outDir, gateway }));
  if (project !== undefined) await pushAddon(checkDist, project);
  console.log(project === undefined ? BUILT : NEXT);
}

if (import.meta.main) await runCommand(main);
