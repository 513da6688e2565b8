// Which provider a deployment speaks to, from its settings.
import type { Env } from '../../env.ts';
import { createRemoteUpstream, type Upstream } from './upstream.ts';

/** What is wrong with the settings of the provider. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Tells whether a host name is this machine's own.
 * @param hostname - as a URL has it
 */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

/** Tells whether a provider runs on this machine: then what it is told to call may be here, too. */
export function isLocalProvider({ isSandbox, baseUrl }: Pick<Upstream, 'isSandbox' | 'baseUrl'>): boolean {
  return isSandbox === true || isLoopback(new URL(baseUrl).hostname);
}

/**
 * Reads the provider's address.
 * @param development - then http is allowed too, on this machine only
 * @returns it without a slash at its end
 * @throws ConfigurationError where it is no address, not https, or does not end in `/cdapi`
 */
export function parseProviderUrl(text: string, development: boolean): string {
  const url = URL.parse(text);
  if (url === null) throw new ConfigurationError('CDAPI_BASE_URL is not an address.');
  const allowed =
    url.protocol === 'https:' || (development && url.protocol === 'http:' && isLoopback(url.hostname));
  if (!allowed) throw new ConfigurationError('CDAPI_BASE_URL must start with https.');
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/cdapi') || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigurationError('CDAPI_BASE_URL must end in /cdapi.');
  }
  return url.origin + path;
}

/**
 * The remote provider of a deployment.
 * @returns undefined where none is set
 * @throws ConfigurationError where only half of it is set, or the address is not usable
 */
export async function readConfiguredUpstream(env: Env): Promise<Upstream | undefined> {
  const { CDAPI_BASE_URL: address, CDAPI_KEY: key } = env;
  if (!address && !key) return undefined;
  if (!address || !key)
    throw new ConfigurationError('Set CDAPI_BASE_URL and CDAPI_KEY together, or neither.');
  return createRemoteUpstream(parseProviderUrl(address, env.ENVIRONMENT === 'development'), key);
}
