// The installable open trigger: off by default, switched on per user and spreadsheet.
import { withDocumentLock } from '../lib/lock.ts';
import { writePendingDeliveries } from '../server/bulk/write-deliveries.ts';
import { rerunWaitingFormulas } from '../sheet/refresh-formulas.ts';

/** The public function that the trigger runs. */
const HANDLER = 'cdapiOnOpen';

/** Apps Script allows six minutes per execution, and a step takes up to half a minute. The sidebar does the rest. */
const ARRIVALS_MS = 4 * 60_000;

/** Google lists only the current user's triggers. */
function openTriggers(): GoogleAppsScript.Script.Trigger[] {
  return ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(
    (trigger) => trigger.getHandlerFunction() === HANDLER,
  );
}

/** Tells whether the current user has the trigger in this spreadsheet. */
export function isOpenTriggerOn(): boolean {
  return openTriggers().length > 0;
}

/**
 * Adds or deletes the current user's trigger in this spreadsheet. Idempotent.
 * @throws Error if Google refuses the trigger
 */
export function switchOpenTrigger(on: boolean): void {
  withDocumentLock(() => {
    const triggers = openTriggers();
    if (!on) triggers.forEach((trigger) => void ScriptApp.deleteTrigger(trigger));
    else if (triggers.length === 0) {
      ScriptApp.newTrigger(HANDLER).forSpreadsheet(SpreadsheetApp.getActiveSpreadsheet()).onOpen().create();
    }
  });
}

/**
 * Installable trigger: reruns formulas with pending rows in every sheet, and writes finished deliveries.
 * @throws Error of the last sheet that failed; the other sheets are still completed
 */
export function cdapiOnOpen(): void {
  const until = Date.now() + ARRIVALS_MS;
  let refused: unknown;
  for (const sheet of SpreadsheetApp.getActiveSpreadsheet().getSheets()) {
    try {
      rerunWaitingFormulas(sheet);
    } catch (error) {
      refused = error;
    }
  }
  writePendingDeliveries(until);
  if (refused !== undefined) throw refused;
}
