// Reads and writes settings files in the format of wrangler.
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** Printable ASCII without quotes and backslashes, which wrangler would read as an end or an escape. */
const WRITABLE = /^[!#-&(-[\]-_a-~]+$/;

/**
 * Checks whether wrangler would read a value back unchanged.
 * @returns false for quotes, backslashes, spaces and characters outside ASCII
 */
export function isWritable(value: string): boolean {
  return WRITABLE.test(value);
}

/** Formats settings, one per line. @param settings - by name; every value passes {@link isWritable} */
export function formatEnvFile(settings: Readonly<Record<string, string>>): string {
  // wrangler expands a dollar even between single quotes.
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name}='${value.replaceAll('$', '\\$')}'\n`,
  );
  return lines.join('');
}

/** Parses settings that {@link formatEnvFile} has written. @returns settings by name */
export function parseEnvFile(text: string): Record<string, string | undefined> {
  const entries = Object.entries(parseEnv(text));
  return Object.fromEntries(entries.map(([name, value]) => [name, value?.replaceAll('\\$', '$')]));
}

/**
 * Returns the path of a running instance's settings file.
 * @param dir - the instance's folder
 * @param url - its address
 */
export function getEnvFilePath(dir: string, url: string): string {
  return join(dir, `vars.${new URL(url).port}`);
}
