// What stands in the files of a cluster, whatever they are.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The log of a SQLite database: what was deleted stands there until the platform writes over it. */
export const isWalFile = (file: string): boolean => file.endsWith('-wal');

/**
 * Looks through the files.
 * @param texts - what to look for
 * @param leaveOut - files to leave out, by name
 * @returns those that stand in any file
 */
export async function findInFiles(
  folder: string,
  texts: readonly string[],
  leaveOut: (file: string) => boolean = () => false,
): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = new Set<string>();
  for (const entry of entries) {
    if (!entry.isFile() || leaveOut(entry.name)) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    for (const text of texts) if (bytes.includes(text)) found.add(text);
  }
  return [...found];
}
