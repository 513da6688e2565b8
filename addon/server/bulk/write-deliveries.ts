// Writes deliveries when the spreadsheet opens, within a time limit.
import type { Connection } from '../../../shared/connection.ts';
import { findConnection } from '../../client/connection.ts';
import { toFailure } from '../../lib/addon-error.ts';
import { withDocumentLock } from '../../lib/lock.ts';
import type { Delivery } from '../api/index.ts';
import { logError } from '../error-log.ts';
import { stepRun } from '../runs.ts';
import { listDeliveries, startDelivery } from './deliveries.ts';

/** Writes a delivery step by step, until it is done, refused, or out of time. */
function writeDelivery(delivery: Delivery, connection: Connection, until: number): void {
  const { run } = withDocumentLock(() => startDelivery(delivery, connection));
  for (let more = true; more && Date.now() < until; ) {
    const { state } = withDocumentLock(() => stepRun(run.id, connection));
    more = state === 'running';
  }
}

/**
 * Writes pending deliveries. The sidebar does what remains. It never throws: errors go to the error log.
 * @param until - Unix time in ms
 */
export function writePendingDeliveries(until: number): void {
  const current = findConnection();
  if (current === undefined) return;
  const { connection } = current;
  try {
    for (const delivery of listDeliveries(connection, ['stopped']).deliveries) {
      if (Date.now() >= until) return;
      try {
        writeDelivery(delivery, connection, until);
      } catch (error) {
        logError(toFailure(error));
      }
    }
  } catch (error) {
    logError(toFailure(error));
  }
}
