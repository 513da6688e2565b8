// A mistake that the person at the keyboard can mend: one sentence, no stack.

/** Ends a command with a sentence for the person who ran it. */
export class UserError extends Error {
  override name = 'UserError';
}

/**
 * Runs a command's work and ends the process: with a sentence where the person can mend it.
 * @param work - the command
 */
export async function command(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
