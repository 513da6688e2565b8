// Encrypts the callers' webhook URLs and the secrets that sign the webhooks to them.
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { decryptStored, encryptStored } from '../http/secrets.ts';

type EncryptionEnv = Pick<Env, 'ENCRYPTION_SECRET'>;
type RequestPlace = Pick<RequestRow, 'id' | 'teamId'>;

const getRelayUrlPlace = ({ id, teamId }: RequestPlace): string => `requests.relay_url ${teamId} ${id}`;
/** Of the current and the previous secret: a rotation moves one to the other column. */
const getSecretPlace = (team: string): string => `webhook_secrets.secret ${team}`;

/**
 * Encrypts the webhook URL of a data request.
 * @throws ProblemError `not_configured`
 */
export async function encryptRelayUrl(
  env: Env,
  url: string | null,
  place: RequestPlace,
): Promise<string | null> {
  return url === null ? null : encryptStored(env, url, getRelayUrlPlace(place));
}

/** @throws ProblemError `not_configured` if the secret or the row was changed */
export function decryptRelayUrl(env: Env, encrypted: string, place: RequestPlace): Promise<string> {
  return decryptStored(env, encrypted, getRelayUrlPlace(place));
}

/**
 * Encrypts the webhook secret of a team.
 * @throws ProblemError `not_configured`
 */
export function encryptWebhookSecret(env: EncryptionEnv, secret: string, team: string): Promise<string> {
  return encryptStored(env, secret, getSecretPlace(team));
}

/** @throws ProblemError `not_configured` if the secret or the row was changed */
export function decryptWebhookSecret(env: EncryptionEnv, encrypted: string, team: string): Promise<string> {
  return decryptStored(env, encrypted, getSecretPlace(team));
}
