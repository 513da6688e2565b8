// The installable open trigger: off by default, switched on per user and spreadsheet.
import { withDocumentLock } from '../lib/lock.ts';
import { describeDeniedPermission } from '../lib/permissions.ts';
import { writePendingDeliveries } from '../server/bulk/write-deliveries.ts';
import { rerunWaitingFormulas } from '../sheet/refresh-formulas.ts';

/** The public function that the trigger runs. */
const HANDLER = 'cdapiOnOpen';

/** Apps Script allows six minutes per execution, and a step takes up to half a minute. The sidebar does the rest. */
const ARRIVALS_MS = 4 * 60_000;

/** The permission for triggers. Nothing else needs it, so it may stay denied until somebody switches the trigger on. */
const TRIGGER_SCOPES = ['https://www.googleapis.com/auth/script.scriptapp'];

/** `denied`: the user has not given the permission for triggers, and so has none. */
export type OpenTriggerState = 'on' | 'off' | 'denied';

/** Google lists only the current user's triggers. @throws Error without the permission for triggers */
function openTriggers(): GoogleAppsScript.Script.Trigger[] {
  return ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(
    (trigger) => trigger.getHandlerFunction() === HANDLER,
  );
}

/** Tells whether the current user has the trigger in this spreadsheet. */
export function getOpenTriggerState(): OpenTriggerState {
  try {
    return openTriggers().length > 0 ? 'on' : 'off';
  } catch (error) {
    if (describeDeniedPermission(error) === undefined) throw error;
    return 'denied';
  }
}

/**
 * Adds or deletes the current user's trigger in this spreadsheet. Idempotent. If the permission is missing, Google asks for
 * it and ends the execution.
 * @throws Error if Google refuses the trigger
 */
export function switchOpenTrigger(on: boolean): void {
  if (on) ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, TRIGGER_SCOPES);
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
