// What the installable triggers run when the spreadsheet is opened, edited or changed.
import type { Connection } from '../../shared/connection.ts';
import { findConnection } from '../client/connection.ts';
import { toFailure } from '../lib/addon-error.ts';
import { withDocumentLock } from '../lib/lock.ts';
import type { Delivery } from '../server/api/index.ts';
import { listDeliveries, startDelivery } from '../server/bulk/deliveries.ts';
import { logError } from '../server/error-log.ts';
import { stepRun } from '../server/runs.ts';
import { fillEditedRows } from '../server/tables/fill-rows.ts';
import { updateFillTriggers, withRecordedRun } from '../server/triggers.ts';
import { rerunWaitingFormulas } from '../sheet/refresh-formulas.ts';

/** Apps Script allows six minutes per execution, and a step takes up to half a minute. The sidebar does the rest. */
const ARRIVALS_MS = 4 * 60_000;

/** Changes that may bring rows. `EDIT` runs the edit trigger too, whose event has the range. */
const ROW_CHANGES = ['INSERT_ROW', 'INSERT_GRID', 'OTHER'];

/**
 * Installable trigger: reruns formulas with pending rows in every sheet, and writes finished deliveries.
 * @throws Error of the last sheet that failed; the other sheets are still completed
 */
export function cdapiOnOpen(): void {
  withRecordedRun(completeSpreadsheet);
}

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
function writePendingDeliveries(until: number): void {
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

function completeSpreadsheet(): void {
  const until = Date.now() + ARRIVALS_MS;
  let refused: unknown;
  for (const sheet of SpreadsheetApp.getActiveSpreadsheet().getSheets()) {
    try {
      rerunWaitingFormulas(sheet);
    } catch (error) {
      refused = error;
    }
  }
  // A colleague may have turned *Keep filled* on or off.
  updateFillTriggers();
  writePendingDeliveries(until);
  if (refused !== undefined) throw refused;
}

/**
 * Installable trigger for edits and for changes of the spreadsheet: fills the new rows of tables that are kept filled. It
 * never throws.
 */
export function cdapiOnEdit(
  event: GoogleAppsScript.Events.SheetsOnEdit | GoogleAppsScript.Events.SheetsOnChange,
): void {
  if ('range' in event) fillEditedRows(event.range);
  else if (ROW_CHANGES.includes(event.changeType)) fillEditedRows();
}
