// Events of data requests. Folders above this one listen to them; jobs/ wires the listeners.
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';

/** Listeners to data requests. */
export interface DataRequestEvents {
  /**
   * Handles the end of a request that was not cancelled. The row says how it ended.
   * It runs again after a crash, so it must be idempotent. If it throws, the step is retried.
   * @param now - milliseconds since 1970
   */
  onEnded: (env: Env, row: RequestRow, now: number) => Promise<void>;
}
