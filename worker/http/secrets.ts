// Reads the secrets of a deployment that protect stored data or open the admin API.
import type { Env } from '../env.ts';
import { ProblemError } from './problem-error.ts';

/** Secrets of a deployment. `npm run deploy` sets them. */
export type SecretName = 'ADMIN_TOKEN' | 'ENCRYPTION_SECRET' | 'PSEUDONYM_SECRET';

/** Shortest secret: 32 characters of base64 are 192 bits. */
export const MIN_SECRET_LENGTH = 32;

/** Reads a secret. @returns undefined if it is missing or too short */
export function findSecret<N extends SecretName>(env: Pick<Env, N>, name: N): string | undefined {
  const value: string | undefined = env[name];
  return value !== undefined && value.length >= MIN_SECRET_LENGTH ? value : undefined;
}

/**
 * Reads a secret.
 * @throws ProblemError `not_configured` if it is missing or too short
 */
export function readSecret<N extends SecretName>(env: Pick<Env, N>, name: N): string {
  const value = findSecret(env, name);
  if (value !== undefined) return value;
  throw new ProblemError(
    'not_configured',
    env[name] ? `The secret ${name} is too short.` : `The secret ${name} is not set.`,
    `${name === 'ADMIN_TOKEN' ? 'Set' : 'Ask your admin to set'} the secret ${name} to at least ${MIN_SECRET_LENGTH} random characters, then deploy again.`,
  );
}
