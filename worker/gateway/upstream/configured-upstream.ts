// Reads the provider of a deployment from its settings.
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';
import type { Upstream } from './upstream.ts';

const IDENTITY_LENGTH = 16;

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Tells whether a host name is this machine.
 * @param hostname - as `URL` spells it
 */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK_HOSTS.has(hostname);
}

/** Tells whether the provider runs on this machine. Only then may its webhooks go to this machine. */
export function isLocalProvider({ isSandbox, baseUrl }: Pick<Upstream, 'isSandbox' | 'baseUrl'>): boolean {
  return isSandbox === true || isLoopback(new URL(baseUrl).hostname);
}

/**
 * Parses the provider's base URL.
 * @param development - also allows http on this machine
 * @returns the URL without a trailing slash
 * @throws ProblemError `not_configured` if it is no URL, not https, or does not end in `/cdapi`
 */
export function parseProviderUrl(text: string, development: boolean): string {
  const url = URL.parse(text);
  if (url === null) throw new ProblemError('not_configured', 'CDAPI_BASE_URL is not an address.');
  const isAllowed =
    url.protocol === 'https:' || (development && url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isAllowed) throw new ProblemError('not_configured', 'CDAPI_BASE_URL must start with https.');
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (!path.endsWith('/cdapi') || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ProblemError('not_configured', 'CDAPI_BASE_URL must end in /cdapi.');
  }
  return url.origin + path;
}

/**
 * Reads the remote provider of a deployment.
 * @returns undefined if none is configured
 * @throws ProblemError `not_configured` if only one of the two settings is there, or the URL can't be used
 */
export async function readConfiguredUpstream(env: Env): Promise<Upstream | undefined> {
  const { CDAPI_BASE_URL: baseUrl, CDAPI_KEY: apiKey } = env;
  if (!baseUrl && !apiKey) return undefined;
  if (!baseUrl || !apiKey)
    throw new ProblemError('not_configured', 'Set CDAPI_BASE_URL and CDAPI_KEY together, or neither.');
  return createRemoteUpstream(parseProviderUrl(baseUrl, env.ENVIRONMENT === 'development'), apiKey);
}

/**
 * Creates a remote provider. Its identity is a hash of its base URL.
 * @param baseUrl - ends in `/cdapi`
 */
export async function createRemoteUpstream(baseUrl: string, apiKey: string): Promise<Upstream> {
  const identity = (await sha256Hex(baseUrl)).slice(0, IDENTITY_LENGTH);
  return { identity, baseUrl, apiKey, fetch: (request) => fetch(request) };
}
