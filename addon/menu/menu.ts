// The menu: adds it when the spreadsheet opens, and runs its items.

import { describeDeniedPermission, getReason } from '../lib/permissions.ts';
import { setPersonsLanguage } from '../texts/person.ts';
import { t, translate } from '../texts/texts.ts';

/** Captions that are also dialog titles. */
export const FREEZE_TITLE = 'Freeze to values';
export const REFRESH_TITLE = 'Refresh selection';
export const OPENING_TITLE = 'Complete rows on opening';
export const FORMULAS_TITLE = 'Use formulas here';

/**
 * Adds the menu, in English where the language can't be read: it may run before the user has granted permissions.
 * @param event - without authorization until somebody uses the add-on in this spreadsheet; its formulas don't exist until then
 */
export function onOpen(event?: { authMode?: unknown }): void {
  setPersonsLanguage();
  const ui = SpreadsheetApp.getUi();
  const menu = ui.createAddonMenu();
  if (String(event?.authMode) === 'NONE') menu.addItem(t(FORMULAS_TITLE), 'useFormulas').addSeparator();
  menu
    .addItem(t('Open sidebar'), 'openSidebar')
    .addItem(t('Connect'), 'connect')
    .addItem(t('Disconnect'), 'disconnect')
    .addSeparator()
    .addItem(t(REFRESH_TITLE), 'refreshSelection')
    .addSubMenu(
      ui
        .createMenu(t(FREEZE_TITLE))
        .addItem(t('Selection'), 'freezeSelection')
        .addItem(t('This sheet'), 'freezeSheet'),
    )
    .addItem(t(OPENING_TITLE), 'completeOnOpening')
    .addSeparator()
    .addItem(t('Help'), 'help')
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
  setPersonsLanguage();
  const ui = SpreadsheetApp.getUi();
  try {
    work(ui);
  } catch (error) {
    const reason = getReason(error);
    ui.alert(translate(title), describeDeniedPermission(error) ?? reason, ui.ButtonSet.OK);
  }
}
