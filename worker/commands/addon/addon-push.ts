// npm run addon:push: builds the add-on and pushes it to your Apps Script project through clasp.
import { buildAddon } from '../build/addon.ts';
import { publishBuild } from '../build/publish.ts';
import { addonDist } from '../paths.ts';
import { runCommand } from '../user-error.ts';
import { openProject, pushAddon } from './clasp.ts';
import { parsePushOptions } from './options.ts';

async function main(): Promise<void> {
  const options = parsePushOptions(process.argv.slice(2));
  const project = await openProject();
  await publishBuild(addonDist, (outDir) => buildAddon({ outDir, ...options }));
  await pushAddon(addonDist, project);
}

if (import.meta.main) await runCommand(main);
