// Reads the arguments of commands.
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
