// When each key of a service was last written, where the platform accepts one write of a key in a time.

/** The writes of a namespace or bucket, shared by all invocations. */
export class WriteTimes {
  readonly #clock: () => number;
  readonly #intervalMs: number;
  readonly #writtenAt = new Map<string, number>();

  /** @param intervalMs - shortest accepted time between two writes of a key */
  constructor(clock: () => number, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** Records the time of a write. @returns false if another write of the key was too recent */
  mayWrite(key: string): boolean {
    const now = this.#clock();
    const before = this.#writtenAt.get(key);
    if (before !== undefined && Math.abs(now - before) < this.#intervalMs) return false;
    this.#writtenAt.set(key, now);
    return true;
  }
}
