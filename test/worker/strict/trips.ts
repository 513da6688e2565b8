// Holds the calls of bindings until a test releases them. Calls that wait together make one sequential trip.

interface HeldCall {
  name: string;
  release: () => void;
}

/** The calls that an invocation has started and that were not released yet. */
export class Trips {
  #held: HeldCall[] = [];

  /** Resolves when the test releases the call. @param name - binding and method */
  hold(name: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.push({ name, release: resolve });
    return promise;
  }

  /** The held calls, sorted. */
  get held(): string[] {
    return this.#held.map(({ name }) => name).toSorted();
  }

  /** Releases the held calls. @param name - only the calls of this name. Default: all */
  release(name?: string): void {
    const isReleased = (call: HeldCall): boolean => name === undefined || call.name === name;
    const released = this.#held.filter(isReleased);
    this.#held = this.#held.filter((call) => !isReleased(call));
    for (const { release } of released) release();
  }
}
