// Adds the menu when the spreadsheet opens.

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

/** Adds the menu right after the installation. */
export function onInstall(): void {
  onOpen();
}
