// npm run addon:push: builds the add-on and pushes it to your Apps Script project through clasp.
import { buildAddon } from '../build/addon.ts';
import { publish } from '../build/publish.ts';
import { addonDist } from '../paths.ts';
import { command } from '../user-error.ts';
import { openProject, push } from './clasp.ts';

async function pushAddon(): Promise<void> {
  const project = await openProject();
  await publish(addonDist, (outDir) => buildAddon({ outDir }));
  await push(addonDist, project);
}

if (import.meta.main) await command(pushAddon);
