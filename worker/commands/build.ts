// npm run build: builds what Google and the browser run into dist/.
import { buildAddon } from './build/addon.ts';
import { buildPlayground } from './build/playground.ts';
import { addonDist, playgroundDist } from './paths.ts';
import { command } from './user-error.ts';

/** Builds the add-on, then the playground that runs it. */
export async function buildAll(): Promise<void> {
  await buildAddon({ outDir: addonDist });
  await buildPlayground({ outDir: playgroundDist });
}

if (import.meta.main) await command(buildAll);
