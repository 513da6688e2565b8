// Reads the admin token from before a rotation, which is accepted until a time that stands in the same secret.
import type { Env } from '../env.ts';
import { ProblemError } from './problem-error.ts';
import { MIN_SECRET_LENGTH } from './secrets.ts';

/** The value of a deployment without a previous token. Uploads keep secrets that they do not name, so it can't be absent. */
export const NO_PREVIOUS_TOKEN = 'none';

const SEPARATOR = ' ';

export function formatPreviousAdminToken({ token, until }: PreviousAdminToken): string {
  return `${new Date(until).toISOString()}${SEPARATOR}${token}`;
}

/**
 * Parses the secret `ADMIN_TOKEN_PREVIOUS`.
 * @returns the token, and when it is refused: milliseconds since 1970; undefined if the text is malformed or the token too short
 */
export function parsePreviousAdminToken(text: string) {
  const [time = '', token = '', ...rest] = text.split(SEPARATOR);
  const until = Date.parse(time);
  const isValid = Number.isFinite(until) && token.length >= MIN_SECRET_LENGTH && rest.length === 0;
  return isValid ? { token, until } : undefined;
}
export type PreviousAdminToken = NonNullable<ReturnType<typeof parsePreviousAdminToken>>;

/**
 * Reads the previous admin token.
 * @returns undefined if there is none, or its time is over
 * @throws ProblemError `not_configured` if the secret is malformed or too short
 */
export function readPreviousAdminToken(
  { ADMIN_TOKEN_PREVIOUS: text }: Pick<Env, 'ADMIN_TOKEN_PREVIOUS'>,
  now: number,
): string | undefined {
  if (text === undefined || text === NO_PREVIOUS_TOKEN) return undefined;
  const previous = parsePreviousAdminToken(text);
  if (previous === undefined) {
    throw new ProblemError(
      'not_configured',
      'The secret ADMIN_TOKEN_PREVIOUS is malformed or too short.',
      `Run npm run rotate -- admin-token, or set the secret to ${NO_PREVIOUS_TOKEN}.`,
    );
  }
  return now < previous.until ? previous.token : undefined;
}
