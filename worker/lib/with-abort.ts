// Gives up waiting for a call within the process, as one over the network would be given up.

/**
 * Waits for an answer, or for the signal.
 * @returns the answer
 * @throws the signal's reason, if it comes first; the call itself goes on
 */
export async function withAbort<T>(signal: AbortSignal, answer: T | Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted.promise, answer]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
