// Ctrl-C and its like, as a signal that work can be stopped by.

/** @returns a signal that is aborted when the person at the keyboard, or the system, ends this process */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  return stopping.signal;
}

/** Resolves when a signal is aborted. */
export function whenStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
