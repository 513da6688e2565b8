// The installable trigger that runs when the spreadsheet opens.
import type { Check } from '../check.ts';
import { getProperties, KEYS } from '../stores.ts';

/** The check that needs the spreadsheet to be opened again. */
export const TRIGGER_EVENT = 'open-trigger-event';

/** The function that the trigger runs. */
const HANDLER = 'checkOpenTrigger';

function findTrigger(): GoogleAppsScript.Script.Trigger | undefined {
  return ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).find(
    (trigger) => trigger.getHandlerFunction() === HANDLER,
  );
}

function createTrigger(): GoogleAppsScript.Script.Trigger {
  const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
  return ScriptApp.newTrigger(HANDLER).forSpreadsheet(spreadsheet).onOpen().create();
}

export function deleteTrigger(): void {
  const trigger = findTrigger();
  if (trigger !== undefined) ScriptApp.deleteTrigger(trigger);
}

/** Installable trigger: stores what it gets. */
export function checkOpenTrigger(event?: { source?: unknown; authMode?: unknown }): void {
  const source = event?.source === undefined || event.source === null ? 'no source' : 'a source';
  const active: unknown = SpreadsheetApp.getActiveSpreadsheet();
  const spreadsheet = active === null ? 'no active spreadsheet' : 'an active spreadsheet';
  const found = `${source}, ${spreadsheet}, mode ${String(event?.authMode)}`;
  getProperties().setProperty(KEYS.trigger, found);
}

export const TRIGGER_CHECKS: readonly Check[] = [
  {
    id: 'open-trigger',
    expected: 'a script may create an open trigger of its spreadsheet',
    accepted: ['ON_OPEN of SPREADSHEETS'],
    find: () => {
      const trigger = findTrigger() ?? createTrigger();
      return `${String(trigger.getEventType())} of ${String(trigger.getTriggerSource())}`;
    },
  },
  {
    id: TRIGGER_EVENT,
    expected: 'an open trigger gets the spreadsheet, and may read it',
    accepted: ['a source, an active spreadsheet, mode FULL'],
    find: () =>
      getProperties().getProperty(KEYS.trigger) ?? {
        measured: 'not yet: reload the spreadsheet, then choose CDAPI check → Run again',
      },
  },
];
