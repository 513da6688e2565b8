// Writes what became ready while nobody looked, when the spreadsheet is opened: as much as there is time for.
import type { Connection } from '../../../shared/connection.ts';
import { findConnection } from '../../client/connection.ts';
import { told } from '../../lib/addon-error.ts';
import { whileLocked } from '../../lib/lock.ts';
import type { Arrival } from '../api/index.ts';
import { keepError } from '../error-log.ts';
import { stepRun } from '../runs.ts';
import { arrivals, startArrival } from './deliveries.ts';

/** Writes one of them, step by step, until it is in, is refused, or the time is over. */
function write(arrival: Arrival, connection: Connection, until: number): void {
  const { run } = whileLocked(() => startArrival(arrival, connection));
  for (let more = true; more && Date.now() < until; ) {
    const { state } = whileLocked(() => stepRun(run.id, connection));
    more = state === 'running';
  }
}

/**
 * Writes what became ready; what there is no time for, and what has to be asked about, is left to the sidebar. It never
 * throws: what went wrong is told in the sidebar.
 * @param until - milliseconds since 1970
 */
export function writeArrivals(until: number): void {
  const found = findConnection();
  if (found === undefined) return;
  const { connection } = found;
  try {
    for (const arrival of arrivals(connection, ['stopped']).arrivals) {
      if (Date.now() >= until) return;
      try {
        write(arrival, connection, until);
      } catch (error) {
        keepError(told(error));
      }
    }
  } catch (error) {
    keepError(told(error));
  }
}
