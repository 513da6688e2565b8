// Events of data requests. Higher-level folders implement the listeners; jobs/ connects them.
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';

/** Listeners of data requests. */
export interface DataRequestEvents {
  /**
   * Handles the end of a data request that was not cancelled. The row's phase says how it ended.
   * It may run again after a crash, so it must be idempotent. If it throws, the step is retried.
   */
  onEnded: (env: Env, row: RequestRow, now: number) => Promise<void>;
}
