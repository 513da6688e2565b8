// Reads the port of a command.
import { UserError } from '../user-error.ts';

/**
 * Parses `PORT`.
 * @param text - the value in the environment
 * @param defaultPort - used if it is not set
 * @throws UserError if it is not a valid port
 */
export function readPort(text: string | undefined, defaultPort: number): number {
  if (text === undefined || text === '') return defaultPort;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError('PORT is a number from 1 to 65535.');
  return port;
}
