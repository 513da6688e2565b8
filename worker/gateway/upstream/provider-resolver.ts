// Resolves the provider of a deployment: the configured one, or the sandbox in development.
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { readLifetimePolicy } from '../cache/freshness.ts';
import type { Platform } from '../platform.ts';
import { readConfiguredRate } from '../provider-throttle/pace.ts';
import { readConfiguredUpstream } from './configured-upstream.ts';
import type { Upstream } from './upstream.ts';

/** The settings that decide which provider is configured. */
const settingNames = [
  'ENVIRONMENT',
  'CDAPI_BASE_URL',
  'CDAPI_KEY',
  'FRESH_FOR',
  'KEEP_FOR',
  'PROVIDER_RATE_PER_S',
] as const satisfies (keyof Env)[];

/**
 * Creates the function that resolves the provider. It returns without a promise once the settings have been read, and
 * throws ProblemError `not_configured` if there is no provider.
 * @param platform - with the sandbox, if there is one
 */
export function createProviderResolver<E extends Env>({
  sandbox,
}: Platform<E>): (env: E) => Upstream | Promise<Upstream> {
  /** The configured provider, and the settings that it was read from. */
  let cached: { settings: readonly unknown[]; upstream: Upstream | undefined } | undefined;
  const resolve = async (env: E, known: typeof cached): Promise<Upstream> => {
    if (known === undefined) {
      // The Durable Objects read these settings too, but can't report an error to the caller.
      readLifetimePolicy(env);
      readConfiguredRate(env);
    }
    const configured = known ?? {
      settings: settingNames.map((name) => env[name]),
      upstream: await readConfiguredUpstream(env),
    };
    cached = configured;
    const upstream = configured.upstream ?? (await sandbox?.(env));
    if (upstream !== undefined) return upstream;
    throw new ProblemError(
      'not_configured',
      'The gateway has no provider API key yet.',
      'Ask your admin to set CDAPI_BASE_URL and the secret CDAPI_KEY, then deploy again.',
    );
  };
  return (env) => {
    const isCurrent = settingNames.every((name, at) => cached?.settings[at] === env[name]);
    const known = isCurrent ? cached : undefined;
    return known?.upstream ?? resolve(env, known);
  };
}
