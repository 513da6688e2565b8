// Runs the checks from the menu, in one or several executions, and stores the findings between them.
import { type CheckContext, runCheck as findOut, Stopped } from './check.ts';
import { CHECKS } from './checks/index.ts';
import { deleteTrigger, TRIGGER_EVENT } from './checks/triggers.ts';
import { writeReport } from './report.ts';
import {
  clearState,
  deleteFinding,
  getProperties,
  KEYS,
  readFindings,
  saveFinding,
  savePage,
} from './stores.ts';

const TITLE = 'CDAPI check';
const CELLS_NAME = 'CDAPI check cells';
const AGAIN = 'Choose CDAPI check → Run to continue.';

/** Google ends an execution after six minutes. A check takes at most about a minute. */
const MAX_RUN_MS = 4.5 * 60_000;
const MAX_WAIT_MS = 40_000;
const POLL_MS = 1000;
const TOAST_SECONDS = 60;

type Spreadsheet = GoogleAppsScript.Spreadsheet.Spreadsheet;

const isStopped = (): boolean => getProperties().getProperty(KEYS.stop) !== null;

function waitFor<T>(read: () => T, isFinal: (value: T) => boolean): T {
  const end = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const value = read();
    if (isFinal(value) || Date.now() > end) return value;
    if (isStopped()) throw new Stopped();
    Utilities.sleep(POLL_MS);
  }
}

/** Remembers the locale, which some checks change, in case that Google ends the execution. */
function restoreLocale(spreadsheet: Spreadsheet): void {
  const properties = getProperties();
  const locale = spreadsheet.getSpreadsheetLocale();
  const before = properties.getProperty(KEYS.locale);
  if (before === null) properties.setProperty(KEYS.locale, locale);
  else if (before !== locale) spreadsheet.setSpreadsheetLocale(before);
}

/** Runs the checks that have no finding yet. @returns why it ended early; undefined if all have findings */
function runChecks(spreadsheet: Spreadsheet): string | undefined {
  const start = Date.now();
  const done = readFindings();
  const remaining = CHECKS.filter(({ id }) => !done.has(id));
  const sheet = spreadsheet.getSheetByName(CELLS_NAME) ?? spreadsheet.insertSheet(CELLS_NAME);
  const count = (left: number): string => `${CHECKS.length - left} of ${CHECKS.length} checks are done.`;
  for (const [at, check] of remaining.entries()) {
    const progress = count(remaining.length - at);
    if (isStopped()) return `Stopped. ${progress} ${AGAIN}`;
    if (Date.now() - start > MAX_RUN_MS) return `${progress} ${AGAIN}`;
    spreadsheet.toast(`${progress} Now: ${check.id}`, TITLE, TOAST_SECONDS);
    const context: CheckContext = { spreadsheet, sheet: sheet.clear(), nonce: Utilities.getUuid(), waitFor };
    try {
      const finding = findOut(check, context);
      saveFinding(check.id, finding);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return `Stopped. ${progress} ${AGAIN}`;
    }
  }
  return undefined;
}

/** Writes the report and cleans up. @returns what to tell */
function finish(spreadsheet: Spreadsheet): string {
  const findings = readFindings();
  const failed = writeReport(spreadsheet, CHECKS, findings);
  const cells = spreadsheet.getSheetByName(CELLS_NAME);
  if (cells !== null) spreadsheet.deleteSheet(cells);
  getProperties().deleteProperty(KEYS.locale);
  const waits = getProperties().getProperty(KEYS.trigger) === null;
  if (waits) deleteFinding(TRIGGER_EVENT);
  else checkReset();
  const summary = `${CHECKS.length} checks are done, ${failed} failed. Copy cell F2 of the sheet “${TITLE}” into an issue.`;
  const advice = 'One check needs a reload: reload the spreadsheet, then choose CDAPI check → Run again.';
  return waits ? `${summary} ${advice}` : summary;
}

/** Menu item: runs the checks, or continues. */
export function checkRun(): void {
  const ui = SpreadsheetApp.getUi();
  const lock = LockService.getScriptLock();
  if (!lock.tryLock(1)) {
    ui.alert('The check is already running. To stop it, choose CDAPI check → Stop.');
    return;
  }
  try {
    const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
    getProperties().deleteProperty(KEYS.stop);
    restoreLocale(spreadsheet);
    if (getProperties().getProperty(KEYS.page) === null) {
      getProperties().setProperty(KEYS.pageOpened, 'yes');
      ui.showSidebar(HtmlService.createHtmlOutputFromFile('Page').setTitle(TITLE));
    }
    const unfinished = runChecks(spreadsheet);
    restoreLocale(spreadsheet);
    ui.alert(unfinished ?? finish(spreadsheet));
  } finally {
    lock.releaseLock();
  }
}

/** Menu item: stops the run after the current check, or while it waits. */
export function checkStop(): void {
  getProperties().setProperty(KEYS.stop, 'stop');
}

/** Menu item: deletes the findings, so that the next run starts from the beginning. */
export function checkReset(): void {
  restoreLocale(SpreadsheetApp.getActiveSpreadsheet());
  clearState();
  deleteTrigger();
}

/** Called by the sidebar's page: an answer with a date. */
export const checkDate = (): unknown => ({ at: new Date(0) });

/** Called by the sidebar's page: fails. */
export function checkFailure(): never {
  throw new Error('on purpose');
}

/** Called by the sidebar's page: stores what it has found. */
export function checkPage(findings: string): void {
  savePage(findings);
}

/** Simple trigger: adds the menu. */
export function onOpen(): void {
  SpreadsheetApp.getUi()
    .createMenu(TITLE)
    .addItem('Run', 'checkRun')
    .addItem('Stop', 'checkStop')
    .addItem('Start over', 'checkReset')
    .addToUi();
}
