// The settings that select a provider other than the sandbox.
import { ConfigurationError, parseProviderUrl } from '../../gateway/upstream/configured-upstream.ts';
import { UserError } from '../user-error.ts';
import { isWritable } from './env-file.ts';

/**
 * Reads `CDAPI_BASE_URL` and `CDAPI_KEY` from the environment of a command.
 * @returns both, or nothing for the sandbox
 * @throws UserError where only one is set, or one is not usable
 */
export function providerSettings(
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
