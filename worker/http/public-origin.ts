// Determines the public origin of a deployment.
import type { Env } from '../env.ts';

/**
 * Returns the origin of `PUBLIC_URL`, or of the request if it is not set. It has no trailing slash.
 */
export function getPublicOrigin(
  { PUBLIC_URL: configured }: Pick<Env, 'PUBLIC_URL'>,
  request: Request,
): string {
  return (URL.parse(configured ?? '') ?? new URL(request.url)).origin;
}
