// How commands run, are interrupted and fail.
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { writePrivateFile } from './instance/session.ts';
import { devDir } from './paths.ts';

/** A mistake of the user. The command ends with its message. */
export class UserError extends Error {
  override name = 'UserError';
}

/** Writes an unexpected failure to a file that only its owner can read. @returns the file's path */
async function logFailure(error: unknown): Promise<string> {
  const file = join(devDir, 'last-failure.log');
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await writePrivateFile(
    file,
    `${new Date().toISOString()} ${basename(process.argv[1] ?? '')}\n${stripVTControlCharacters(text)}\n`,
  );
  return file;
}

/** Runs a command. If it fails, prints one sentence without a stack trace and sets the exit code. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
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

/** Creates a signal that is aborted by SIGINT, SIGTERM or SIGHUP. */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  return controller.signal;
}

export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
