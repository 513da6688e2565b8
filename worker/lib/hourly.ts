// Picks one sweep of each hour, for work that the minute cron need not do every time.

const MINUTE_MS = 60_000;

/**
 * Returns whether the sweep of this minute also does the hourly work.
 * @param now - milliseconds since 1970
 */
export const isHourlySweep = (now: number): boolean => Math.floor(now / MINUTE_MS) % 60 === 0;
