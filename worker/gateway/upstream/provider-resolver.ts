// Which provider a deployment uses: the one that its settings name, or the sandbox in development.
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { readLifetimePolicy } from '../cache/freshness.ts';
import type { Platform } from '../platform.ts';
import { readConfiguredRate } from '../provider-throttle/pace.ts';
import { ConfigurationError, readConfiguredUpstream } from './configured-upstream.ts';
import type { Upstream } from './upstream.ts';

/**
 * Makes the function that says which provider is in use: at once, where it was set and read before. It throws a ProblemError
 * `not_configured`.
 * @param platform - with the sandbox, where there is one
 */
export function createProviderResolver<E extends Env>({
  sandbox,
}: Platform<E>): (env: E) => Upstream | Promise<Upstream> {
  const configured = cacheConfiguredProvider();
  const find = async (env: E): Promise<Upstream> => {
    const upstream = (await configured.read(env)) ?? (await sandbox?.(env));
    if (upstream === undefined) throw new ProblemError('not_configured');
    return upstream;
  };
  return (env) => configured.known(env) ?? find(env);
}

/** The settings that decide which provider there is. */
const settings = [
  'ENVIRONMENT',
  'CDAPI_BASE_URL',
  'CDAPI_KEY',
  'FRESH_FOR',
  'KEEP_FOR',
  'PROVIDER_RATE_PER_S',
] as const satisfies (keyof Env)[];

/** The provider of the settings, which is read again only when they change. */
interface ConfiguredProvider {
  /** Undefined too where it was not read yet. */
  known: (env: Env) => Upstream | undefined;
  read: (env: Env) => Promise<Upstream | undefined>;
}

function cacheConfiguredProvider(): ConfiguredProvider {
  let last:
    | { read: Record<(typeof settings)[number], string | undefined>; upstream: Upstream | undefined }
    | undefined;
  const isLast = (env: Env): boolean =>
    last !== undefined && settings.every((name) => last?.read[name] === env[name]);
  return {
    known: (env) => (isLast(env) ? last?.upstream : undefined),
    read: async (env) => {
      if (isLast(env)) return last?.upstream;
      const upstream = await readConfiguredProvider(env);
      const { ENVIRONMENT, CDAPI_BASE_URL, CDAPI_KEY, FRESH_FOR, KEEP_FOR, PROVIDER_RATE_PER_S } = env;
      const read = { ENVIRONMENT, CDAPI_BASE_URL, CDAPI_KEY, FRESH_FOR, KEEP_FOR, PROVIDER_RATE_PER_S };
      last = { read, upstream };
      return upstream;
    },
  };
}

async function readConfiguredProvider(env: Env): Promise<Upstream | undefined> {
  try {
    // Flights and gate read these too, but have nobody to tell.
    readLifetimePolicy(env);
    readConfiguredRate(env);
    return await readConfiguredUpstream(env);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new ProblemError('not_configured', error.message);
    throw error;
  }
}
