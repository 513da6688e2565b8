// Where the people of a deployment reach it.
import type { Env } from '../env.ts';

/**
 * The gateway's origin, as its people write it.
 * @param request - asked where `PUBLIC_URL` says nothing
 * @returns it without a slash at its end
 */
export function getPublicOrigin({ PUBLIC_URL: stated }: Pick<Env, 'PUBLIC_URL'>, request: Request): string {
  return (URL.parse(stated ?? '') ?? new URL(request.url)).origin;
}
