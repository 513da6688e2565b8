// Puts built files in place without disturbing whoever serves them: what is the same is not touched.
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const prefix = join(folder, '/').length;
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(prefix));
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([readFile(one), readFile(other).catch(() => undefined)]);
  return b !== undefined && a.equals(b);
}

/**
 * Builds into a fresh folder and then moves what differs into place, file by file.
 * @param outDir - where the files belong; files that were not built go
 * @param build - writes them into the folder that it is given
 */
export async function publish(outDir: string, build: (freshDir: string) => Promise<void>): Promise<void> {
  const freshDir = `${outDir}.${process.pid}`;
  await mkdir(freshDir, { recursive: true });
  try {
    await build(freshDir);
    const built = await filesBelow(freshDir);
    await mkdir(outDir, { recursive: true });
    for (const name of built) {
      const target = join(outDir, name);
      if (await isSame(join(freshDir, name), target)) continue;
      await mkdir(dirname(target), { recursive: true });
      await rename(join(freshDir, name), target);
    }
    for (const name of await filesBelow(outDir)) {
      if (!built.includes(name)) await rm(join(outDir, name));
    }
  } finally {
    await rm(freshDir, { recursive: true, force: true });
  }
}
