// The browser's storage, which it may block.

/** Returns undefined where the browser blocks its storage: the page then remembers nothing. */
export function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
