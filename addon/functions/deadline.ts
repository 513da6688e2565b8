// The time that a formula may still take. Apps Script stops it 30 seconds after its start.
import { formulaLateMs, formulaWaitMs } from '../../shared/limits.ts';

/** Apps Script evaluates the script for each execution, so this is the start of the formula. */
const startedAt = Date.now();

/** Returns the milliseconds that the calls of this formula may still take. */
export function getRemainingMs(): number {
  return Math.max(0, startedAt + formulaWaitMs - Date.now());
}

/** Tells whether optional work, such as writing caches, could exceed the limit of Apps Script. */
export function isLate(): boolean {
  return Date.now() - startedAt > formulaLateMs;
}
