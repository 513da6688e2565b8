// Writes what became ready while nobody looked, when the spreadsheet is opened: as much as there is time for.
import type { Connection } from '../../../shared/connection.ts';
import { findConnection } from '../../client/connection.ts';
import { toFailure } from '../../lib/addon-error.ts';
import { withDocumentLock } from '../../lib/lock.ts';
import type { Delivery } from '../api/index.ts';
import { logError } from '../error-log.ts';
import { stepRun } from '../runs.ts';
import { listDeliveries, startDelivery } from './deliveries.ts';

/** Writes one of them, step by step, until it is in, is refused, or the time is over. */
function writeDelivery(arrival: Delivery, connection: Connection, until: number): void {
  const { run } = withDocumentLock(() => startDelivery(arrival, connection));
  for (let more = true; more && Date.now() < until; ) {
    const { state } = withDocumentLock(() => stepRun(run.id, connection));
    more = state === 'running';
  }
}

/**
 * Writes what became ready; what there is no time for, and what has to be asked about, is left to the sidebar. It never
 * throws: what went wrong is told in the sidebar.
 * @param until - milliseconds since 1970
 */
export function writePendingDeliveries(until: number): void {
  const current = findConnection();
  if (current === undefined) return;
  const { connection } = current;
  try {
    for (const arrival of listDeliveries(connection, ['stopped']).arrivals) {
      if (Date.now() >= until) return;
      try {
        writeDelivery(arrival, connection, until);
      } catch (error) {
        logError(toFailure(error));
      }
    }
  } catch (error) {
    logError(toFailure(error));
  }
}
