// Reads the secrets of a deployment that protect stored data or open the admin API.
import type { Env } from '../env.ts';
import { DecryptionError, decrypt, encrypt } from '../lib/encryption.ts';
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

type EncryptionEnv = Pick<Env, 'ENCRYPTION_SECRET'>;

/**
 * Encrypts a text for one place in D1.
 * @param place - table, column and ids of the row
 * @throws ProblemError `not_configured` if ENCRYPTION_SECRET is missing or too short
 */
export async function encryptStored(env: EncryptionEnv, text: string, place: string): Promise<string> {
  return encrypt(readSecret(env, 'ENCRYPTION_SECRET'), text, place);
}

/**
 * Decrypts a text from D1.
 * @param place - as in {@link encryptStored}
 * @throws ProblemError `not_configured` if ENCRYPTION_SECRET is not the one that encrypted it, or the row was changed
 */
export async function decryptStored(env: EncryptionEnv, encrypted: string, place: string): Promise<string> {
  const secret = readSecret(env, 'ENCRYPTION_SECRET');
  try {
    return await decrypt(secret, encrypted, place);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    throw new ProblemError(
      'not_configured',
      'A stored address or secret can’t be decrypted: ENCRYPTION_SECRET or the database was changed.',
      'Ask your admin to set the secret ENCRYPTION_SECRET to its earlier value, then deploy again.',
    );
  }
}
