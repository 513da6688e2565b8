// Which provider is examined: the one that is set, the one that the running instance uses, or the sandbox in it.
import { readFile } from 'node:fs/promises';
import { envFilePath, readEnvFile } from '../instance/env-file.ts';
import { readLock } from '../instance/lock.ts';
import { providerSettings } from '../instance/provider-settings.ts';
import { readSession } from '../instance/session.ts';
import { UserError } from '../user-error.ts';
import type { Provider } from './examine.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A provider, and how it was found. */
export interface Target extends Provider {
  kind: 'remote' | 'embedded';
  /** Where its settings are from, in a few words. */
  from: string;
}

/** @throws UserError where only half of it is set, or it is not usable */
function remote(environment: Environment, from: string): Target | undefined {
  const { CDAPI_BASE_URL: address, CDAPI_KEY: key } = providerSettings(environment);
  return address === undefined || key === undefined ? undefined : { kind: 'remote', address, key, from };
}

async function settingsIn(file: string): Promise<Environment> {
  try {
    return readEnvFile(await readFile(file, 'utf8'));
  } catch {
    throw new UserError(`${file} can’t be read.`);
  }
}

/**
 * Finds the provider to examine.
 * @param environment - of the command
 * @param options - `dir`: folder of the instance that may run; `file`: with settings, in the place of the environment
 * @throws UserError where there is none
 */
export async function findTarget(
  environment: Environment,
  { dir, file }: { dir: string; file?: string },
): Promise<Target> {
  if (file !== undefined) {
    const named = remote(await settingsIn(file), file);
    if (named === undefined) throw new UserError(`${file} sets neither CDAPI_BASE_URL nor CDAPI_KEY.`);
    return named;
  }
  const own = remote(environment, 'CDAPI_BASE_URL');
  if (own !== undefined) return own;
  const running = await readLock(dir);
  const session = running === undefined ? undefined : await readSession(dir);
  if (running === undefined || session === undefined) {
    throw new UserError(
      'There is nothing to examine: set CDAPI_BASE_URL and CDAPI_KEY, or start the sandbox with npm start.',
    );
  }
  const { url } = running;
  // An instance that has just ended leaves no settings; the sandbox then says that nobody listens.
  const used = await readFile(envFilePath(dir, url), 'utf8').catch(() => '');
  return (
    remote(readEnvFile(used), `the instance at ${url}`) ?? {
      kind: 'embedded',
      address: `${url}/provider/cdapi`,
      key: session.provider_key,
      from: `the instance at ${url}`,
    }
  );
}
