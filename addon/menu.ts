// The add-on's menu in the spreadsheet.
import { recordCredits } from '../shared/operations.ts';
import { readLink, storeConnection } from './connection.ts';
import { lookupAll } from './gateway.ts';

const CONNECT_TITLE = 'Connect to CDAPI';
const CONNECT_TEXT = `Paste the connection link that your admin gave you.

Everybody who edits this spreadsheet then spends from your team’s budget. The data is for your company’s own use: do not sell it, publish it or pass copies on.`;

const CONNECTED = `Connected. Put a website into A2 and =CDAPI_ENRICH(A2) beside it. A company that your team has not looked up lately costs ${recordCredits('company_clean')} credits.`;

/** Makes the menu. It touches nothing else, since it may run before anybody has agreed to anything. */
export function onOpen(): void {
  SpreadsheetApp.getUi().createAddonMenu().addItem('Connect', 'connect').addToUi();
}

/** Makes the menu right after the add-on was installed. */
export function onInstall(): void {
  onOpen();
}

/** Asks for a connection link, tries it and keeps it for this spreadsheet. */
export function connect(): void {
  const ui = SpreadsheetApp.getUi();
  const answer = ui.prompt(CONNECT_TITLE, CONNECT_TEXT, ui.ButtonSet.OK_CANCEL);
  if (answer.getSelectedButton() !== ui.Button.OK) return;
  try {
    const connection = readLink(answer.getResponseText());
    const [tried] = lookupAll(connection, [{ family: 'company_clean', by: 'website', keys: [] }]);
    if (tried !== undefined && !tried.ok) throw new Error(tried.sentence);
    storeConnection(connection);
    ui.alert(CONNECT_TITLE, CONNECTED, ui.ButtonSet.OK);
  } catch (error) {
    ui.alert(CONNECT_TITLE, error instanceof Error ? error.message : String(error), ui.ButtonSet.OK);
  }
}
