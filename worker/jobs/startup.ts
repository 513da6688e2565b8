// The cron expression of the first sweep.

/** Cron expression of the sweep after a start, when no work is in progress. */
export const STARTUP_CRON = 'start';
