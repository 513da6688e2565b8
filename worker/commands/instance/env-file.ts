// Settings in the form in which the platform's tool reads them.
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** Printable ASCII, save for quotes and backslashes: the tool would take them for the end or an escape. */
const WRITABLE = /^[!#-&(-[\]-_a-~]+$/;

/**
 * Tells whether a value can be written.
 * @returns false for quotes, backslashes, spaces and what is not ASCII
 */
export function isWritable(value: string): boolean {
  return WRITABLE.test(value);
}

/**
 * Writes settings, a line each, such that each is read as it is.
 * @param settings - by name; their values are writable
 */
export function envFile(settings: Readonly<Record<string, string>>): string {
  // A dollar is expanded even between single quotes.
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name}='${value.replaceAll('$', '\\$')}'\n`,
  );
  return lines.join('');
}

/**
 * Reads settings as {@link envFile} writes them.
 * @returns settings by name
 */
export function readEnvFile(text: string): Record<string, string | undefined> {
  const read = Object.entries(parseEnv(text));
  return Object.fromEntries(read.map(([name, value]) => [name, value?.replaceAll('\\$', '$')]));
}

/**
 * The file with the settings of a running instance.
 * @param dir - the instance's folder
 * @param url - its address
 */
export function envFilePath(dir: string, url: string): string {
  return join(dir, `vars.${new URL(url).port}`);
}
