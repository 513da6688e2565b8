// Searches the files of a cluster.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns whether a file is a write-ahead log of SQLite, which keeps deleted data until it is overwritten. */
export const isWalFile = (file: string): boolean => file.endsWith('-wal');

/**
 * Finds texts in all files of a folder.
 * @param isExcluded - excludes files by name
 * @returns the texts that any file contains
 */
export async function findInFiles(
  folder: string,
  texts: readonly string[],
  isExcluded: (file: string) => boolean = () => false,
): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = new Set<string>();
  for (const entry of entries) {
    if (!entry.isFile() || isExcluded(entry.name)) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    for (const text of texts) if (bytes.includes(text)) found.add(text);
  }
  return [...found];
}
