// Tells an object of ours that cannot be reached from one that failed by itself.

/**
 * Tells whether the platform could not reach an object, or reset it (durable-objects/best-practices/error-handling).
 * @param error - as calling the object threw it
 */
export function isUnreachableError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const has = (flag: string): boolean => Reflect.get(error, flag) === true;
  if (has('durableObjectReset')) return true;
  // An error that the object's own code threw is marked as remote, and may be of a call that the object made.
  return !has('remote') && (has('retryable') || has('overloaded'));
}
