// Creates values when they are first needed, so that a Worker starts without them.

/** Wraps a function that creates a value. @returns a function that creates it once and then returns the same value */
export function once<T>(create: () => T): () => T {
  let created: { value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}
