// Replaces the admin token of a deployment in its files. The next upload brings the new one into force.
import { DAY_MS } from '../../../shared/lib/durations.ts';
import {
  formatPreviousAdminToken,
  NO_PREVIOUS_TOKEN,
  type PreviousAdminToken,
  parsePreviousAdminToken,
} from '../../http/previous-admin-token.ts';
import { generateSecret } from '../instance/session.ts';
import { UserError } from '../user-error.ts';
import { type DeploymentFiles, type DeploymentState, fingerprint, type Secrets } from './state.ts';

/** Returns the previous token if it is still accepted. */
function findAccepted({ ADMIN_TOKEN_PREVIOUS: text }: Secrets, now: number): PreviousAdminToken | undefined {
  const previous = text === undefined ? undefined : parsePreviousAdminToken(text);
  return previous !== undefined && now < previous.until ? previous : undefined;
}

/** Reads the secrets, and deletes a previous admin token whose time is over. */
export async function dropExpiredToken(files: DeploymentFiles, now: number): Promise<Secrets> {
  const secrets = await files.readSecrets();
  const { ADMIN_TOKEN_PREVIOUS: text } = secrets;
  if (text === undefined || text === NO_PREVIOUS_TOKEN || findAccepted(secrets, now) !== undefined)
    return secrets;
  const current = { ...secrets, ADMIN_TOKEN_PREVIOUS: NO_PREVIOUS_TOKEN };
  await files.writeSecrets(current);
  return current;
}

/**
 * Replaces the admin token, unless an interrupted rotation has and was not uploaded yet.
 * @param isAtOnce - no other token than the new one is accepted
 * @returns until when the replaced token is accepted; undefined if it is not
 * @throws UserError while a previous token is accepted that this would end, unless it is to end at once
 */
export async function replaceAdminToken(
  files: DeploymentFiles,
  { admin_token: uploaded }: DeploymentState,
  isAtOnce: boolean,
  now: number,
): Promise<number | undefined> {
  const secrets = await files.readSecrets();
  const previous = findAccepted(secrets, now);
  const isUploaded = uploaded === undefined || uploaded === fingerprint(secrets.ADMIN_TOKEN, secrets);
  const ADMIN_TOKEN = isUploaded ? generateSecret() : secrets.ADMIN_TOKEN;
  if (isAtOnce) {
    await files.writeSecrets({ ...secrets, ADMIN_TOKEN, ADMIN_TOKEN_PREVIOUS: NO_PREVIOUS_TOKEN });
    return undefined;
  }
  if (!isUploaded) return previous?.until;
  if (previous !== undefined)
    throw new UserError(
      `The admin token was replaced less than a day ago: the one before is accepted until ${new Date(previous.until).toISOString()}, and another rotation would end it. Run this again after that time, or add --at-once to refuse both older tokens at once.`,
    );
  const until = now + DAY_MS;
  const ADMIN_TOKEN_PREVIOUS = formatPreviousAdminToken({ token: secrets.ADMIN_TOKEN, until });
  await files.writeSecrets({ ...secrets, ADMIN_TOKEN, ADMIN_TOKEN_PREVIOUS });
  return until;
}
