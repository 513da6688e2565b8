// Puts the temporary files of the tests into memory: objects and databases of the local platform wait for the disk.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, on Linux. Containers may have a small one. */
const MEMORY_FOLDER = '/dev/shm';
/** What all suites need together, bytes. */
const MIN_FREE_SPACE = 2 * 2 ** 30;
/** What must remain for the processes, bytes. */
const MIN_FREE_MEMORY = 4 * 2 ** 30;

function hasSpaceInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize > MIN_FREE_SPACE && freemem() > MIN_FREE_SPACE + MIN_FREE_MEMORY;
  } catch {
    return false;
  }
}

/**
 * Creates a folder for the temporary files of this process and its children, in memory if there is enough, and deletes it
 * when this process ends.
 */
export function createTemporaryFolder(): void {
  const parent = hasSpaceInMemory() ? MEMORY_FOLDER : tmpdir();
  const folder = mkdtempSync(join(parent, 'cdapi-test-'));
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}
