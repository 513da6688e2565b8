// One at a time: what reads a spreadsheet and then writes to it.

const WAIT_MS = 10_000;
/** What is said to who would have to wait too long. */
export const LOCK_BUSY_MESSAGE =
  'Somebody else is just changing this spreadsheet with CDAPI. Try again in a moment.';

/** Whether this execution has the lock; each execution has variables of its own. */
let isHeld = false;

/**
 * Does something while nobody else does such a thing in this spreadsheet. What it does may call this again.
 * @returns what it gives
 * @throws Error with one sentence, where somebody else is at it for longer than ten seconds
 */
export function withDocumentLock<T>(work: () => T): T {
  const lock: GoogleAppsScript.Lock.Lock | null = isHeld ? null : LockService.getDocumentLock();
  if (lock === null) return work();
  if (!lock.tryLock(WAIT_MS)) throw new Error(LOCK_BUSY_MESSAGE);
  isHeld = true;
  try {
    const given = work();
    // What was written lands before anybody else reads.
    SpreadsheetApp.flush();
    return given;
  } finally {
    isHeld = false;
    lock.releaseLock();
  }
}
