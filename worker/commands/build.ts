// npm run build: builds what Google and the browser run into dist/.
import { buildAddon } from './build/addon.ts';
import { buildPlayground } from './build/playground.ts';
import { publish } from './build/publish.ts';
import { addonDist, playgroundDist } from './paths.ts';
import { command } from './user-error.ts';

/** Builds the add-on, then the playground that runs it. */
export async function buildAll(): Promise<void> {
  await publish(addonDist, (outDir) => buildAddon({ outDir }));
  await publish(playgroundDist, (outDir) => buildPlayground({ outDir }));
}

if (import.meta.main) await command(buildAll);
