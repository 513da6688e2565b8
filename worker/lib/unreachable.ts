// Recognises errors of an unreachable Durable Object.

/**
 * Returns whether the platform could not reach an object, or reset it (durable-objects/best-practices/error-handling).
 * @param error - error of a call to the object
 */
export function isUnreachableError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const hasFlag = (flag: string): boolean => Reflect.get(error, flag) === true;
  if (hasFlag('durableObjectReset')) return true;
  // `remote` marks errors that the object's code threw, possibly of a call that the object made.
  return !hasFlag('remote') && (hasFlag('retryable') || hasFlag('overloaded'));
}
