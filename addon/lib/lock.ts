// Locks: one reader and writer of the spreadsheet at a time, and one of a person's properties.

const WAIT_MS = 10_000;
/** Shown when the lock is not free in time. */
export const LOCK_BUSY_MESSAGE =
  'Somebody else is changing this spreadsheet with CDAPI. Try again in a moment.';

/** Apps Script has separate variables for each execution, so this is not shared. */
let isHeld = false;

/**
 * Runs a function while holding the document lock. Reentrant within an execution.
 * @returns its result
 * @throws Error {@link LOCK_BUSY_MESSAGE} after ten seconds
 */
export function withDocumentLock<T>(work: () => T): T {
  const lock: GoogleAppsScript.Lock.Lock | null = isHeld ? null : LockService.getDocumentLock();
  if (lock === null) return work();
  if (!lock.tryLock(WAIT_MS)) throw new Error(LOCK_BUSY_MESSAGE);
  isHeld = true;
  try {
    const given = work();
    // Writes must be visible before the next holder reads.
    SpreadsheetApp.flush();
    return given;
  } finally {
    isHeld = false;
    lock.releaseLock();
  }
}

/**
 * Runs a function while no other execution of the current user does.
 * @returns its result; undefined if the lock is not free within ten seconds
 */
export function withUserLock<T>(work: () => T): T | undefined {
  const lock = LockService.getUserLock();
  if (!lock.tryLock(WAIT_MS)) return undefined;
  try {
    return work();
  } finally {
    lock.releaseLock();
  }
}
