// Writes settings in the form in which the platform's tool reads them.

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
