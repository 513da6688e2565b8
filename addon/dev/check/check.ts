// The type of a check: its expectation about Google and its finding.

export interface CheckContext {
  readonly spreadsheet: GoogleAppsScript.Spreadsheet.Spreadsheet;
  /** An empty sheet for the check's cells. It is cleared before each check. */
  readonly sheet: GoogleAppsScript.Spreadsheet.Sheet;
  /** A text that no earlier execution has used, so that no formula has been cached with it. */
  readonly nonce: string;
  /**
   * Polls every second until the value is final, at most 40 seconds.
   * @returns the last value, final or not
   * @throws Stopped if the person has stopped the run
   */
  waitFor<T>(read: () => T, isFinal: (value: T) => boolean): T;
}

/** A finding that depends on time or place. It is not compared with the emulated host. */
export interface Measurement {
  readonly measured: string;
}

export interface Check {
  /** The assumption's id in docs/google-assumptions.md. */
  readonly id: string;
  /** What the code was written for, in words. */
  readonly expected: string;
  /** Findings under which the code works; absent if the check only measures. */
  readonly accepted?: readonly string[] | ((found: string) => boolean);
  /** Tries it. An error that it throws is a failure. */
  readonly find: (context: CheckContext) => string | Measurement;
}

export type Status = 'PASS' | 'FAIL' | 'INFO';

export interface Finding {
  readonly found: string;
  readonly status: Status;
}

/** The person has stopped the run. */
export class Stopped extends Error {}

function isAccepted({ accepted = [] }: Check, found: string): boolean {
  return typeof accepted === 'function' ? accepted(found) : accepted.includes(found);
}

/** Runs a check. Rethrows only {@link Stopped}. */
export function runCheck(check: Check, context: CheckContext): Finding {
  try {
    const found = check.find(context);
    if (typeof found !== 'string') return { found: found.measured, status: 'INFO' };
    return { found, status: isAccepted(check, found) ? 'PASS' : 'FAIL' };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { found: `failed: ${error instanceof Error ? error.message : String(error)}`, status: 'FAIL' };
  }
}

/** Returns the message of the error that an action throws; undefined if it succeeds. */
export function getRefusal(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Says whether an action succeeds. */
export const tryOut = (action: () => unknown): string =>
  getRefusal(action) === undefined ? 'accepted' : 'refused';
