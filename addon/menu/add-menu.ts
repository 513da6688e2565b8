// What happens when the spreadsheet is opened: the add-on's menu.

/** Captions that are also the titles of what their items ask. */
export const FREEZE_TITLE = 'Freeze to values';
export const REFRESH_TITLE = 'Refresh selection';
export const OPENING_TITLE = 'Complete rows on opening';

/** Makes the menu. It touches nothing else, since it may run before anybody has agreed to anything. */
export function onOpen(): void {
  const ui = SpreadsheetApp.getUi();
  ui.createAddonMenu()
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

/** Makes the menu right after the add-on was installed. */
export function onInstall(): void {
  onOpen();
}
