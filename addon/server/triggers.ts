// The installable triggers of the current user in this spreadsheet: for opening, and for rows of tables that are kept filled.
import { toFailure } from '../lib/addon-error.ts';
import { createGuard, parseAs } from '../lib/json.ts';
import { withDocumentLock } from '../lib/lock.ts';
import { describeDeniedPermission } from '../lib/permissions.ts';
import { isEnrichmentOn, listTables } from '../tables/registry.ts';
import type { TriggerView } from './api/index.ts';
import { logError } from './error-log.ts';

/** The public functions that the triggers run. */
const ON_OPEN = 'cdapiOnOpen';
const ON_EDIT = 'cdapiOnEdit';

/** The permission for triggers. Nothing else needs it, so it may stay denied until somebody switches the trigger on. */
const TRIGGER_SCOPES = ['https://www.googleapis.com/auth/script.scriptapp'];

/** The user property that says when the triggers were switched on, and how their last run went. */
const RUNS = 'CDAPI_TRIGGER:';

/** A script runs for at most six minutes. */
const MAX_RUN_MS = 6 * 60_000;

/** Times in ISO 8601; '' for none. */
interface TriggerRuns {
  startedAt: string;
  endedAt: string;
}

const isRuns = createGuard<TriggerRuns>({ startedAt: 'string', endedAt: 'string' });

const getRunsKey = (): string => `${RUNS}${SpreadsheetApp.getActiveSpreadsheet().getId()}`;

/** Returns the runs of triggers that were switched on; undefined if they are off. */
const readRuns = (): TriggerRuns | undefined =>
  parseAs(PropertiesService.getUserProperties().getProperty(getRunsKey()), isRuns);

/** Stores the runs. Failures are ignored: the rows count more. */
function writeRuns(runs: TriggerRuns): void {
  try {
    PropertiesService.getUserProperties().setProperty(getRunsKey(), JSON.stringify(runs));
  } catch {
    // The store is full, or today's quota is used up.
  }
}

/**
 * Runs a trigger, and stores its start and end: Google ends a trigger that lacks a permission without a message, also where
 * its code handles errors.
 */
export function withRecordedRun(run: () => void): void {
  const startedAt = new Date().toISOString();
  writeRuns({ startedAt, endedAt: readRuns()?.endedAt ?? '' });
  try {
    run();
  } finally {
    writeRuns({ startedAt, endedAt: new Date().toISOString() });
  }
}

/** `denied`: the user has not given the permission for triggers, and so has none. */
export type OpenTriggerState = 'on' | 'off' | 'denied';

/** Google lists only the current user's triggers. @throws Error without the permission for triggers */
const listTriggers = (handler: string): GoogleAppsScript.Script.Trigger[] =>
  ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(
    (trigger) => trigger.getHandlerFunction() === handler,
  );

const newTrigger = (handler: string): GoogleAppsScript.Script.SpreadsheetTriggerBuilder =>
  ScriptApp.newTrigger(handler).forSpreadsheet(SpreadsheetApp.getActiveSpreadsheet());

function deleteTriggers(triggers: readonly GoogleAppsScript.Script.Trigger[]): void {
  for (const trigger of triggers) ScriptApp.deleteTrigger(trigger);
}

/** Tells whether the current user has the open trigger in this spreadsheet. */
export function getOpenTriggerState(): OpenTriggerState {
  try {
    return listTriggers(ON_OPEN).length > 0 ? 'on' : 'off';
  } catch (error) {
    if (describeDeniedPermission(error) === undefined) throw error;
    return 'denied';
  }
}

/** Describes the triggers of the current user. Distinguishes broken triggers from those that are off. */
export function getTriggerView(): TriggerView {
  const state = getOpenTriggerState();
  const { startedAt, endedAt } = readRuns() ?? { startedAt: undefined, endedAt: '' };
  const lastRun = endedAt === '' ? {} : { lastRun: endedAt };
  if (startedAt === undefined) return { state: state === 'on' ? 'on' : 'off' };
  if (state !== 'on') return { state: state === 'denied' ? 'denied' : 'removed', ...lastRun };
  const isStopped = startedAt > endedAt && Date.now() - Date.parse(startedAt) > MAX_RUN_MS;
  return { state: isStopped ? 'stopped' : 'on', ...lastRun };
}

/** Adds or deletes the triggers for edits and changes. Only tables that are kept filled need them. */
function setFillTriggers(on: boolean): void {
  const present = listTriggers(ON_EDIT);
  const isNeeded = on && listTables().some(isEnrichmentOn);
  if (present.length === (isNeeded ? 2 : 0)) return;
  deleteTriggers(present);
  if (!isNeeded) return;
  newTrigger(ON_EDIT).onEdit().create();
  newTrigger(ON_EDIT).onChange().create();
}

/**
 * Adds or deletes the current user's triggers in this spreadsheet. Idempotent. If the permission is missing, Google asks for
 * it and ends the execution.
 * @throws Error if Google refuses a trigger
 */
export function switchOpenTrigger(on: boolean): void {
  if (on) ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, TRIGGER_SCOPES);
  withDocumentLock(() => {
    const present = listTriggers(ON_OPEN);
    if (!on) deleteTriggers(present);
    else if (present.length === 0) newTrigger(ON_OPEN).onOpen().create();
    setFillTriggers(on);
    if (!on) PropertiesService.getUserProperties().deleteProperty(getRunsKey());
    else if (readRuns() === undefined) writeRuns({ startedAt: '', endedAt: '' });
  });
}

/**
 * Replaces the current user's triggers. If the permission is missing, Google asks for it and ends the execution.
 * @throws Error if Google refuses a trigger
 */
export function repairTriggers(): void {
  ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, TRIGGER_SCOPES);
  switchOpenTrigger(false);
  switchOpenTrigger(true);
}

/**
 * Adds the triggers for edits and changes once a table is kept filled, if the current user has the open trigger, and deletes
 * them when none is. It never throws: errors go to the error log.
 */
export function updateFillTriggers(): void {
  try {
    withDocumentLock(() => setFillTriggers(listTriggers(ON_OPEN).length > 0));
  } catch (error) {
    if (describeDeniedPermission(error) === undefined) logError(toFailure(error));
  }
}
