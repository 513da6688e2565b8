// Reads the settings of a provider that replaces the sandbox.
import { ConfigurationError, parseProviderUrl } from '../../gateway/upstream/configured-upstream.ts';
import { UserError } from '../user-error.ts';
import { isWritable } from './env-file.ts';

/**
 * Reads `CDAPI_BASE_URL` and `CDAPI_KEY` from a command's environment.
 * @returns both, or no settings for the sandbox
 * @throws UserError if only one is set, or one is invalid
 */
export function readProviderSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const { CDAPI_BASE_URL: address, CDAPI_KEY: key } = environment;
  if (!address && !key) return {};
  if (!address) throw new UserError('CDAPI_KEY is set, but CDAPI_BASE_URL is not: set both, or neither.');
  if (!key) throw new UserError('CDAPI_BASE_URL is set, but CDAPI_KEY is not: set both, or neither.');
  for (const [name, value] of Object.entries({ CDAPI_BASE_URL: address, CDAPI_KEY: key })) {
    if (!isWritable(value))
      throw new UserError(`${name} holds a space, a quote, a backslash or a character outside ASCII.`);
  }
  try {
    return { CDAPI_BASE_URL: parseProviderUrl(address, true), CDAPI_KEY: key };
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UserError(error.message);
    throw error;
  }
}
