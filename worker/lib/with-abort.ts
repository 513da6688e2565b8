// Makes a call within the process abortable, like a network call.

/**
 * Waits for a result or for the signal.
 * @throws the signal's reason, if it aborts first; the call itself continues
 */
export async function withAbort<T>(signal: AbortSignal, result: T | Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted.promise, result]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
