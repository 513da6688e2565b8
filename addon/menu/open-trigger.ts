// What Sheets may run by itself: an installable trigger for the opening of the spreadsheet, off until someone wants it.
import { withDocumentLock } from '../lib/lock.ts';
import { writePendingDeliveries } from '../server/bulk/write-deliveries.ts';
import { rerunWaitingFormulas } from '../sheet/refresh-formulas.ts';

/** The public function that the trigger runs. */
const HANDLER = 'cdapiOnOpen';

/** A script may run for six minutes, and a step for half of one: what is not begun by then is left to the sidebar. */
const ARRIVALS_MS = 4 * 60_000;

/** Triggers belong to who made them: those of others are neither seen nor counted. */
function openTriggers(): GoogleAppsScript.Script.Trigger[] {
  return ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(
    (trigger) => trigger.getHandlerFunction() === HANDLER,
  );
}

/** Whether the person who looks has the trigger switched on in this spreadsheet. */
export function isOpenTriggerOn(): boolean {
  return openTriggers().length > 0;
}

/**
 * Switches the trigger of the person who looks on or off in this spreadsheet; switching twice changes nothing.
 * @throws Error with one sentence, where Google refuses a trigger
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
 * Installable trigger: completes in every sheet what was still being fetched when the spreadsheet was last open, and writes
 * the rows that came meanwhile.
 * @throws Error with one sentence, where a sheet refuses it; the other sheets are completed all the same
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
