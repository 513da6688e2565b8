// npm run build: builds what Google and the browser run into dist/.
import { stop } from 'esbuild';
import { buildAddon } from './build/addon.ts';
import { buildPlayground } from './build/playground.ts';
import { publish } from './build/publish.ts';
import { addonDist, playgroundDist } from './paths.ts';
import { command } from './user-error.ts';

const LONG_MS = 60_000;

/**
 * Builds the add-on, then the playground that runs it, and ends the compiler's process.
 * @param signal - stops it after the part that is being built; what stands there from before is kept
 * @throws the signal's reason, where it was stopped; an Error of the compiler, also where Ctrl-C has ended that
 */
export async function buildAll(signal?: AbortSignal): Promise<void> {
  // A compiler that was ended from outside no longer keeps this process up until its end is noticed.
  const awake = setInterval(() => {}, LONG_MS);
  try {
    await publish(addonDist, (outDir) => buildAddon({ outDir }));
    signal?.throwIfAborted();
    await publish(playgroundDist, (outDir) => buildPlayground({ outDir }));
    signal?.throwIfAborted();
  } finally {
    clearInterval(awake);
    await stop();
  }
}

if (import.meta.main) await command(() => buildAll());
