// Encrypts alert addresses: anybody who knows one can post there.
import type { AlertRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { decryptStored, encryptStored } from '../../http/secrets.ts';

type AlertPlace = Pick<AlertRow, 'id' | 'teamId'>;

const getPlace = ({ id, teamId }: AlertPlace): string => `alerts.url ${teamId} ${id}`;

/**
 * Encrypts an address for one row.
 * @throws ProblemError `not_configured`
 */
export function encryptAddress(env: Env, url: string, place: AlertPlace): Promise<string> {
  return encryptStored(env, url, getPlace(place));
}

/**
 * Decrypts the address of a row.
 * @throws ProblemError `not_configured` if the secret or the row was changed
 */
export function decryptAddress(env: Env, row: AlertRow): Promise<string> {
  return decryptStored(env, row.url, getPlace(row));
}
