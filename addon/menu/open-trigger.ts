// The installable triggers for opening and edits: off by default, switched on together per user and spreadsheet.
import { withDocumentLock } from '../lib/lock.ts';
import { describeDeniedPermission } from '../lib/permissions.ts';
import { writePendingDeliveries } from '../server/bulk/write-deliveries.ts';
import { fillEditedRows } from '../server/tables/auto-enrich.ts';
import { rerunWaitingFormulas } from '../sheet/refresh-formulas.ts';

/** The public functions that the triggers run. */
const ON_OPEN = 'cdapiOnOpen';
const ON_EDIT = 'cdapiOnEdit';

/** Apps Script allows six minutes per execution, and a step takes up to half a minute. The sidebar does the rest. */
const ARRIVALS_MS = 4 * 60_000;

/** The permission for triggers. Nothing else needs it, so it may stay denied until somebody switches the trigger on. */
const TRIGGER_SCOPES = ['https://www.googleapis.com/auth/script.scriptapp'];

/** `denied`: the user has not given the permission for triggers, and so has none. */
export type OpenTriggerState = 'on' | 'off' | 'denied';

/** Google lists only the current user's triggers. @throws Error without the permission for triggers */
function listTriggers(): GoogleAppsScript.Script.Trigger[] {
  return ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter((trigger) =>
    [ON_OPEN, ON_EDIT].includes(trigger.getHandlerFunction()),
  );
}

/** Tells whether the current user has the triggers in this spreadsheet. */
export function getOpenTriggerState(): OpenTriggerState {
  try {
    return listTriggers().length > 0 ? 'on' : 'off';
  } catch (error) {
    if (describeDeniedPermission(error) === undefined) throw error;
    return 'denied';
  }
}

/**
 * Adds or deletes the current user's triggers in this spreadsheet. Idempotent. If the permission is missing, Google asks for
 * it and ends the execution.
 * @throws Error if Google refuses a trigger
 */
export function switchOpenTrigger(on: boolean): void {
  if (on) ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, TRIGGER_SCOPES);
  withDocumentLock(() => {
    const triggers = listTriggers();
    if (!on) triggers.forEach((trigger) => void ScriptApp.deleteTrigger(trigger));
    else if (triggers.length === 0) {
      const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
      ScriptApp.newTrigger(ON_OPEN).forSpreadsheet(spreadsheet).onOpen().create();
      ScriptApp.newTrigger(ON_EDIT).forSpreadsheet(spreadsheet).onEdit().create();
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

/** Installable trigger: fills the new rows of tables that are kept filled. It never throws. */
export function cdapiOnEdit({ range }: GoogleAppsScript.Events.SheetsOnEdit): void {
  fillEditedRows(range);
}
