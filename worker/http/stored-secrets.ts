// Encrypts secrets of others before they are stored in D1: addresses of receivers, and keys that sign messages to them.
import type { Env } from '../env.ts';
import { DecryptionError, decrypt, encrypt } from '../lib/encryption.ts';
import { ProblemError } from './problem-error.ts';
import { readSecret } from './secrets.ts';

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
