// The menu: adds it when the spreadsheet opens, and runs its items.
import { describeDeniedPermission, getReason } from '../lib/permissions.ts';

/** Captions that are also dialog titles. */
export const FREEZE_TITLE = 'Freeze to values';
export const REFRESH_TITLE = 'Refresh selection';
export const OPENING_TITLE = 'Complete rows on opening';
export const FORMULAS_TITLE = 'Use formulas here';

/**
 * Adds the menu. It calls no other service, because it may run before the user has granted permissions.
 * @param event - without authorization until somebody uses the add-on in this spreadsheet; its formulas don't exist until then
 */
export function onOpen(event?: { authMode?: unknown }): void {
  const ui = SpreadsheetApp.getUi();
  const menu = ui.createAddonMenu();
  if (String(event?.authMode) === 'NONE') menu.addItem(FORMULAS_TITLE, 'useFormulas').addSeparator();
  menu
    .addItem('Open sidebar', 'openSidebar')
    .addItem('Connect', 'connect')
    .addItem('Disconnect', 'disconnect')
    .addSeparator()
    .addItem(REFRESH_TITLE, 'refreshSelection')
    .addSubMenu(
      ui
        .createMenu(FREEZE_TITLE)
        .addItem('Selection', 'freezeSelection')
        .addItem('This sheet', 'freezeSheet'),
    )
    .addItem(OPENING_TITLE, 'completeOnOpening')
    .addSeparator()
    .addItem('Help', 'help')
    .addToUi();
}

export function onInstall(): void {
  onOpen();
}

/**
 * Runs a menu item. Errors are shown as a message, not as a script error.
 * @param title - of the error dialog
 * @param work - receives the spreadsheet's user interface
 */
export function runMenuItem(title: string, work: (ui: GoogleAppsScript.Base.Ui) => void): void {
  const ui = SpreadsheetApp.getUi();
  try {
    work(ui);
  } catch (error) {
    const reason = getReason(error);
    ui.alert(title, describeDeniedPermission(error) ?? reason, ui.ButtonSet.OK);
  }
}
