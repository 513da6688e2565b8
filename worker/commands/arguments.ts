// Reads the arguments of commands.
import { resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UserError } from './user-error.ts';

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean', default: false } as const;

/**
 * Reads arguments.
 * @param usage - how the command is called
 * @param options - {@link text} and {@link flag} by name
 * @param maxPositionals - how many arguments without a name are allowed
 * @throws UserError with the usage
 */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  args: readonly string[] = process.argv.slice(2),
  maxPositionals = 0,
) {
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true });
    if (read.positionals.length <= maxPositionals) return read;
  } catch {
    // Below.
  }
  throw new UserError(usage);
}

/** Resolves a path that the user typed: npm runs scripts in the project's folder and passes the caller's in INIT_CWD. */
export const resolveFromCaller = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);
