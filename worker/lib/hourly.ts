// Selects one minute sweep per hour, for hourly work.
import { MINUTE_MS } from '../../shared/lib/durations.ts';

/** Returns whether this minute's sweep does the hourly work. */
export const isHourlySweep = (now: number): boolean => Math.floor(now / MINUTE_MS) % 60 === 0;
