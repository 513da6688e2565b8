// npm run build: builds the add-on and the playground into dist/.
import { stop } from 'esbuild';
import { buildAddon } from './build/addon.ts';
import { buildPlayground } from './build/playground.ts';
import { publishBuild } from './build/publish.ts';
import { addonDist, playgroundDist } from './paths.ts';
import { runCommand } from './user-error.ts';

const KEEP_ALIVE_MS = 60_000;

/**
 * Builds the add-on, then the playground that runs it, and stops the compiler's process.
 * @param signal - stops the build after the current part; files of an earlier build stay in place
 * @throws the signal's reason if it is aborted; an Error of the compiler, also if Ctrl-C has killed the compiler
 */
export async function buildAll(signal?: AbortSignal): Promise<void> {
  // esbuild does not keep this process alive after the compiler was killed from outside.
  const keepAlive = setInterval(() => {}, KEEP_ALIVE_MS);
  try {
    await publishBuild(addonDist, (outDir) => buildAddon({ outDir }));
    signal?.throwIfAborted();
    await publishBuild(playgroundDist, (outDir) => buildPlayground({ outDir }));
    signal?.throwIfAborted();
  } finally {
    clearInterval(keepAlive);
    await stop();
  }
}

if (import.meta.main) await runCommand(() => buildAll());
