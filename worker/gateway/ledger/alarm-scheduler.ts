// One alarm for several chores: it is set to the earliest, and when it goes off, whatever is due is done.

/** Something to be done at its time. */
export interface ScheduledTask {
  /** Milliseconds since 1970; undefined if there is nothing to do. */
  dueAt: () => number | undefined;
  run: () => void | Promise<void>;
}

/** The chores of one object. */
export class AlarmScheduler {
  readonly #chores: readonly ScheduledTask[];
  readonly #wake: (at: number) => void;
  /** What the alarm is set to, as far as this life of the object knows. */
  #setTo = Number.POSITIVE_INFINITY;

  /**
   * @param wake - has {@link AlarmScheduler.run} called at a time, in milliseconds since 1970; replaces the time set before
   */
  constructor(chores: readonly ScheduledTask[], wake: (at: number) => void) {
    this.#chores = chores;
    this.#wake = wake;
  }

  /**
   * Sees to it that the alarm goes off when the next chore is due. One that goes off too early does no harm, so nothing is
   * asked where it is set already to before anything new can be due.
   * @param soonest - when what is new can be due at the soonest, in milliseconds since 1970; absent is any time
   */
  arm(soonest = Number.NEGATIVE_INFINITY): void {
    if (soonest >= this.#setTo) return;
    const due = Math.min(...this.#chores.map(({ dueAt }) => dueAt() ?? Number.POSITIVE_INFINITY));
    if (due >= this.#setTo) return;
    this.#setTo = due;
    this.#wake(due);
  }

  /**
   * Does what is due.
   * @param now - milliseconds since 1970
   */
  async run(now: number): Promise<void> {
    this.#setTo = Number.POSITIVE_INFINITY;
    for (const { dueAt, run } of this.#chores) {
      if ((dueAt() ?? Number.POSITIVE_INFINITY) <= now) await run();
    }
    this.arm();
  }
}
