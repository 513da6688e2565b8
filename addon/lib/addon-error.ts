// Errors with a message for people and a code for the sidebar.

import type { ErrorCode, Failure, Overwrite } from '../server/api/index.ts';
import { type Text, t, translate } from '../texts/texts.ts';
import { LOCK_BUSY_MESSAGE } from './lock.ts';
import { describeDeniedPermission, getReason } from './permissions.ts';

/** An expected error. Its message says the cause and the next step. */
export class AddonError extends Error {
  readonly code: ErrorCode;
  readonly replaced: Overwrite | undefined;

  /** @param replaced - of `confirm_first`: what to confirm */
  constructor(code: ErrorCode, message: string, replaced?: Overwrite) {
    super(message);
    this.code = code;
    this.replaced = replaced;
  }
}

/** Creates an expected error with a text in the person's language. */
export const createError = <T extends Text>(code: ErrorCode, ...text: Parameters<typeof t<T>>): AddonError =>
  new AddonError(code, t(...text));

/** Converts a thrown value to a failure for the sidebar. Unexpected errors include their cause, for the admin. */
export function toFailure(error: unknown): Failure {
  if (error instanceof AddonError) {
    const { message, code, replaced } = error;
    return { message, code, ...(replaced === undefined ? {} : { replaced }) };
  }
  const reason = getReason(error);
  if (reason === LOCK_BUSY_MESSAGE) return { message: translate(reason), code: 'running' };
  const denied = describeDeniedPermission(error);
  if (denied !== undefined) return { message: denied };
  return {
    message: t(
      'Something went wrong in the add-on: “{reason}”. Try again. If it happens again, tell your admin.',
      { reason },
    ),
  };
}

/** Runs something that may fail as expected. @returns undefined if it did */
export function ignoreAddonErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AddonError) return undefined;
    throw error;
  }
}
