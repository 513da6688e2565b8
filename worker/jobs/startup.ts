// What the clock and the Worker agree on.

/** The schedule that says that an instance has just started: nobody works on anything yet. */
export const STARTUP_CRON = 'start';
