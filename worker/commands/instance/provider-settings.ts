// Settings of the instance and the provider, from the environment and .env.
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseProviderUrl } from '../../gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { UserError } from '../user-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws UserError that names the first value which a settings file can't hold */
function requireWritable(settings: Readonly<Record<string, string>>): void {
  const [wrong] = Object.entries(settings).filter(([, value]) => !isWritable(value));
  if (wrong === undefined) return;
  throw new UserError(`${wrong[0]} holds a space, a quote, a backslash or a character outside ASCII.`);
}

/**
 * Reads the settings of a language model from a command's environment. The Worker validates them.
 * @returns only the settings that exist
 * @throws UserError if one can't be written
 */
export function readAssistantSettings(environment: Environment): Record<string, string> {
  const names = ['ASSISTANT_MODEL', 'ASSISTANT_URL', 'ASSISTANT_KEY'];
  const settings = Object.fromEntries(
    names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  requireWritable(settings);
  return settings;
}

/**
 * Reads `CDAPI_BASE_URL` and `CDAPI_KEY` from a command's environment.
 * @returns both, or no settings for the sandbox
 * @throws UserError if only one is set, or one is invalid
 */
export function readProviderSettings(environment: Environment): Record<string, string> {
  const { CDAPI_BASE_URL: address, CDAPI_KEY: key } = environment;
  if (!address && !key) return {};
  if (!address) throw new UserError('CDAPI_KEY is set, but CDAPI_BASE_URL is not: set both, or neither.');
  if (!key) throw new UserError('CDAPI_BASE_URL is set, but CDAPI_KEY is not: set both, or neither.');
  requireWritable({ CDAPI_BASE_URL: address, CDAPI_KEY: key });
  try {
    return { CDAPI_BASE_URL: parseProviderUrl(address, true), CDAPI_KEY: key };
  } catch (error) {
    if (error instanceof ProblemError) throw new UserError(error.message);
    throw error;
  }
}

/** Checks whether wrangler would read a value back unchanged: it takes quotes and backslashes for ends and escapes. */
export const isWritable = (value: string): boolean => /^[!#-&(-[\]-_a-~]+$/.test(value);

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

/** Returns the path of the settings file of the instance that runs at an address. */
export const getEnvFilePath = (dir: string, url: string): string => join(dir, `vars.${new URL(url).port}`);
