// Origins: the public one of a deployment, and those of pages that send forms.
import type { Env } from '../env.ts';
import { ProblemError } from './problem-error.ts';

type Settings = Pick<Env, 'PUBLIC_URL' | 'ENVIRONMENT'>;

/** Returns the origin of `PUBLIC_URL`; undefined if it is not an https address without a path. */
function readHttpsOrigin(text = ''): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.href === `${url.origin}/` ? url.origin : undefined;
}

/**
 * Returns the origin of `PUBLIC_URL`. Only in development, it is the origin of the request if `PUBLIC_URL` is not set: a
 * caller chooses the `Host` header, so it must not reach connection links and webhooks of a deployment.
 * @returns an origin without a trailing slash
 * @throws ProblemError `not_configured` if a deployment lacks it
 */
export function getPublicOrigin(settings: Settings, request: Request): string {
  if (settings.ENVIRONMENT === 'development')
    return (URL.parse(settings.PUBLIC_URL ?? '') ?? new URL(request.url)).origin;
  const origin = readHttpsOrigin(settings.PUBLIC_URL);
  if (origin !== undefined) return origin;
  throw new ProblemError(
    'not_configured',
    'The gateway does not know its own address: PUBLIC_URL is not an https address.',
    'Ask your admin to run npm run deploy, which sets PUBLIC_URL.',
  );
}

/**
 * Tells whether a browser says that a page of another origin sent the request. Sec-Fetch-Site comes first: under our referrer
 * policy, browsers send `Origin: null`.
 */
export function isFromOtherSite({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && origin !== new URL(url).origin;
}
