// Finds the provider to examine: the configured one, that of the running instance, or its sandbox.
import { readFile } from 'node:fs/promises';
import { readLock } from '../instance/lock.ts';
import {
  type Environment,
  getEnvFilePath,
  parseEnvFile,
  readProviderSettings,
} from '../instance/provider-settings.ts';
import { readSession } from '../instance/session.ts';
import { UserError } from '../user-error.ts';
import type { Provider } from './examine.ts';

export interface Target extends Provider {
  kind: 'live' | 'sandbox';
  /** A short description of the settings' source. */
  from: string;
}

/** Reads a remote provider from settings. @throws UserError if the settings are incomplete or invalid */
function readRemoteTarget(environment: Environment, from: string): Target | undefined {
  const { CDAPI_BASE_URL: address, CDAPI_KEY: key } = readProviderSettings(environment);
  return address === undefined || key === undefined ? undefined : { kind: 'live', address, key, from };
}

async function readSettingsFile(file: string): Promise<Environment> {
  try {
    return parseEnvFile(await readFile(file, 'utf8'));
  } catch {
    throw new UserError(`${file} can’t be read.`);
  }
}

/**
 * Finds the provider to examine.
 * @param environment - the command's environment
 * @param options - `dir`: folder of an instance that may be running; `file`: settings that replace the environment
 * @throws UserError if there is none
 */
export async function findTarget(
  environment: Environment,
  { dir, file }: { dir: string; file?: string | undefined },
): Promise<Target> {
  if (file !== undefined) {
    const target = readRemoteTarget(await readSettingsFile(file), file);
    if (target === undefined) throw new UserError(`${file} sets neither CDAPI_BASE_URL nor CDAPI_KEY.`);
    return target;
  }
  const configured = readRemoteTarget(environment, 'CDAPI_BASE_URL');
  if (configured !== undefined) return configured;
  const running = await readLock(dir);
  const session = running === undefined ? undefined : await readSession(dir);
  if (running === undefined || session === undefined) {
    throw new UserError(
      'There is nothing to examine: set CDAPI_BASE_URL and CDAPI_KEY, or start the sandbox with npm start.',
    );
  }
  const { url } = running;
  // An instance that has just stopped leaves no settings file. The doctor then finds nobody listening.
  const settings = await readFile(getEnvFilePath(dir, url), 'utf8').catch(() => '');
  return (
    readRemoteTarget(parseEnvFile(settings), `the instance at ${url}`) ?? {
      kind: 'sandbox',
      address: `${url}/provider/cdapi`,
      key: session.provider_key,
      from: `the instance at ${url}`,
    }
  );
}
