// Parses the command line of npm run bench.
import { parseArgs } from 'node:util';
import { UserError } from '../../../worker/commands/user-error.ts';
import type { Settings } from './bench.ts';

/** The help text. */
export const USAGE = `npm run bench -- [BENCH …] [OPTION …]

  --quick            less data, fewer rounds: a few minutes
  --rounds N         rounds in place of the bench's own number
  --scale N,N        sizes of data in place of the bench's own, such as records: 2000,10000
  --variants A,B     only these (the first variant of a bench always takes part)
  --json FILE        all figures as JSON, too
  --help             this`;

/** Options of a run. */
export interface Options {
  benches: readonly string[];
  settings: Settings;
  variants?: readonly string[];
  json?: string;
  help: boolean;
}

function parseWholeNumber(text: string, name: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new UserError(`--${name} takes whole numbers from 1 to ${most}, not ${text}.`);
  }
  return value;
}

const splitWords = (text: string): string[] => text.split(',').map((word) => word.trim());

function parseCommandLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        rounds: { type: 'string' },
        scale: { type: 'string' },
        variants: { type: 'string' },
        json: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

/** Parses the command line. @throws UserError if an argument is invalid */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseCommandLine(args);
  const { quick, help, rounds, scale, variants, json } = values;
  return {
    benches: positionals,
    settings: {
      quick,
      ...(rounds !== undefined && { rounds: parseWholeNumber(rounds, 'rounds', 101) }),
      ...(scale !== undefined && {
        scale: splitWords(scale).map((size) => parseWholeNumber(size, 'scale', 1_000_000)),
      }),
    },
    ...(variants !== undefined && { variants: splitWords(variants) }),
    ...(json !== undefined && { json }),
    help,
  };
}
