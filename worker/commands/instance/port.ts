// The port that a command listens on.
import { UserError } from '../user-error.ts';

/**
 * Reads `PORT`.
 * @param text - as it stands in the environment
 * @param absent - the port where it is not set
 * @throws UserError for what is no port
 */
export function readPort(text: string | undefined, absent: number): number {
  if (text === undefined || text === '') return absent;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError('PORT is a number from 1 to 65535.');
  return port;
}
