// Replaces built files without touching files that did not change.
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const prefix = join(folder, '/').length;
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(prefix));
}

async function isSameFile(first: string, second: string): Promise<boolean> {
  const [a, b] = await Promise.all([readFile(first), readFile(second).catch(() => undefined)]);
  return b !== undefined && a.equals(b);
}

/**
 * Builds into a temporary folder, then moves changed files into place one by one.
 * @param outDir - the destination; files that the build did not write are deleted
 * @param build - writes the files into the given folder
 */
export async function publishBuild(
  outDir: string,
  build: (buildDir: string) => Promise<void>,
): Promise<void> {
  const freshDir = `${outDir}.${process.pid}`;
  await mkdir(freshDir, { recursive: true });
  try {
    await build(freshDir);
    const built = await listFiles(freshDir);
    await mkdir(outDir, { recursive: true });
    for (const name of built) {
      const target = join(outDir, name);
      if (await isSameFile(join(freshDir, name), target)) continue;
      await mkdir(dirname(target), { recursive: true });
      await rename(join(freshDir, name), target);
    }
    for (const name of await listFiles(outDir)) {
      if (!built.includes(name)) await rm(join(outDir, name));
    }
  } finally {
    await rm(freshDir, { recursive: true, force: true });
  }
}

/**
 * Waits until every part of a build has ended, also after a failure: `publishBuild` then deletes their folder, and a part
 * that still ran would create it again.
 * @throws the reason of the first part that failed
 */
export async function waitForParts(parts: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(parts);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
