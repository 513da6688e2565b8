// Resolves the provider of a deployment: the configured one, or the sandbox in development.
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { readLifetimePolicy } from '../cache/freshness.ts';
import type { Platform } from '../platform.ts';
import { readConfiguredRate } from '../provider-throttle/pace.ts';
import { ConfigurationError, readConfiguredUpstream } from './configured-upstream.ts';
import type { Upstream } from './upstream.ts';

/**
 * Creates the function that resolves the provider. It returns without a promise once the settings have been read, and
 * throws ProblemError `not_configured` if there is no provider.
 * @param platform - with the sandbox, if there is one
 */
export function createProviderResolver<E extends Env>({
  sandbox,
}: Platform<E>): (env: E) => Upstream | Promise<Upstream> {
  const configured = new ConfiguredProviderCache();
  const resolve = async (env: E): Promise<Upstream> => {
    const upstream = (await configured.read(env)) ?? (await sandbox?.(env));
    if (upstream === undefined) {
      throw new ProblemError(
        'not_configured',
        'The gateway has no provider API key yet.',
        'Ask your admin to set CDAPI_BASE_URL and the secret CDAPI_KEY, then deploy again.',
      );
    }
    return upstream;
  };
  return (env) => configured.get(env) ?? resolve(env);
}

/** The settings that decide which provider is configured. */
const settingNames = [
  'ENVIRONMENT',
  'CDAPI_BASE_URL',
  'CDAPI_KEY',
  'FRESH_FOR',
  'KEEP_FOR',
  'PROVIDER_RATE_PER_S',
] as const satisfies (keyof Env)[];

type Settings = Record<(typeof settingNames)[number], string | undefined>;

/** The configured provider. Its settings are read again only when they change. */
class ConfiguredProviderCache {
  #cached: { settings: Settings; upstream: Upstream | undefined } | undefined;

  /** Returns the provider; undefined if none is configured or the settings were not read yet. */
  get(env: Env): Upstream | undefined {
    return this.#isCurrent(env) ? this.#cached?.upstream : undefined;
  }

  /** @returns undefined if none is configured */
  async read(env: Env): Promise<Upstream | undefined> {
    if (this.#isCurrent(env)) return this.#cached?.upstream;
    const upstream = await readConfiguredProvider(env);
    const { ENVIRONMENT, CDAPI_BASE_URL, CDAPI_KEY, FRESH_FOR, KEEP_FOR, PROVIDER_RATE_PER_S } = env;
    const settings = { ENVIRONMENT, CDAPI_BASE_URL, CDAPI_KEY, FRESH_FOR, KEEP_FOR, PROVIDER_RATE_PER_S };
    this.#cached = { settings, upstream };
    return upstream;
  }

  #isCurrent(env: Env): boolean {
    const cached = this.#cached;
    return cached !== undefined && settingNames.every((name) => cached.settings[name] === env[name]);
  }
}

async function readConfiguredProvider(env: Env): Promise<Upstream | undefined> {
  try {
    // The Durable Objects read these settings too, but can't report an error to the caller.
    readLifetimePolicy(env);
    readConfiguredRate(env);
    return await readConfiguredUpstream(env);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new ProblemError('not_configured', error.message);
    throw error;
  }
}
