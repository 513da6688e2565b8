// Runs several scheduled tasks with the single alarm of a Durable Object.

interface ScheduledTask {
  /** Returns milliseconds since 1970; undefined if there is nothing to do. */
  dueAt: () => number | undefined;
  run: () => void | Promise<void>;
}

export class AlarmScheduler {
  readonly #tasks: readonly ScheduledTask[];
  readonly #setAlarm: (at: number) => void;
  /** Time of the alarm, if this instance of the object has set it. */
  #alarmAt = Number.POSITIVE_INFINITY;

  /**
   * @param setAlarm - schedules a call of {@link AlarmScheduler.run} in milliseconds since 1970 and replaces the previous alarm
   */
  constructor(tasks: readonly ScheduledTask[], setAlarm: (at: number) => void) {
    this.#tasks = tasks;
    this.#setAlarm = setAlarm;
  }

  /**
   * Sets the alarm to the next due task. An alarm that is too early does no harm, so the tasks are not asked if the alarm
   * already precedes every new one.
   * @param earliest - earliest possible due time of new tasks, milliseconds since 1970. Default: any time
   */
  arm(earliest = Number.NEGATIVE_INFINITY): void {
    if (earliest >= this.#alarmAt) return;
    const due = Math.min(...this.#tasks.map(({ dueAt }) => dueAt() ?? Number.POSITIVE_INFINITY));
    if (due >= this.#alarmAt) return;
    this.#alarmAt = due;
    this.#setAlarm(due);
  }

  /** Runs the due tasks and sets the next alarm. */
  async run(now: number): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    for (const { dueAt, run } of this.#tasks) {
      if ((dueAt() ?? Number.POSITIVE_INFINITY) <= now) await run();
    }
    this.arm();
  }
}
