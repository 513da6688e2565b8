// A call that can't be done: a sentence for a person, and a code for the page.

import type { ErrorCode } from '../server/api/index.ts';
import { LOCK_BUSY_MESSAGE } from './lock.ts';

/** What is thrown where the cause is known. Its message says cause and next step. */
export class AddonError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What was thrown, as the page is told. What nobody expected is said with its cause, for who is asked for help. */
export function toFailure(error: unknown): { message: string; code?: ErrorCode } {
  if (error instanceof AddonError) return { message: error.message, code: error.code };
  const reason = error instanceof Error ? error.message : String(error);
  if (reason === LOCK_BUSY_MESSAGE) return { message: reason, code: 'running' };
  return { message: `This went wrong in the add-on: “${reason}”. Try again; if it stays, tell your admin.` };
}
