// A call that can't be done: a sentence for a person, and a code for the page.

import type { RefusalCode } from '../server/api/index.ts';
import { BUSY } from './lock.ts';

/** What is thrown where the cause is known. Its message says cause and next step. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What was thrown, as the page is told. What nobody expected is said with its cause, for who is asked for help. */
export function told(error: unknown): { message: string; code?: RefusalCode } {
  if (error instanceof Refusal) return { message: error.message, code: error.code };
  const reason = error instanceof Error ? error.message : String(error);
  if (reason === BUSY) return { message: reason, code: 'running' };
  return { message: `This went wrong in the add-on: “${reason}”. Try again; if it stays, tell your admin.` };
}
