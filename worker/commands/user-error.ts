// How commands end: a sentence for a mistake of the user, a sentence and a log file for an unexpected failure.
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { writePrivate } from './instance/session.ts';
import { devDir } from './paths.ts';

/** Ends a command with a sentence for the person who ran it. */
export class UserError extends Error {
  override name = 'UserError';
}

/** Writes an unexpected failure to a file that only its owner can read. @returns the file's path */
async function logFailure(error: unknown): Promise<string> {
  const file = join(devDir, 'last-failure.log');
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await writePrivate(
    file,
    `${new Date().toISOString()} ${basename(process.argv[1] ?? '')}\n${stripVTControlCharacters(text)}\n`,
  );
  return file;
}

/**
 * Runs a command's work. Where it fails, prints one sentence and sets the exit code; nobody sees a stack trace.
 * @param work - the command
 */
export async function command(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof UserError) {
      console.error(error.message);
      return;
    }
    const file = await logFailure(error).catch(() => undefined);
    const details =
      file === undefined ? 'The details could not be written to a file.' : `The details are in ${file}`;
    console.error(`This failed unexpectedly. Try again; nothing that was done so far is lost. ${details}`);
  }
}
