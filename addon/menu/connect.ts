// Menu items Connect and Disconnect. A pasted link is verified before it is stored.
import type { MeResponse } from '../../shared/api/account.ts';
import { getRecordPrice } from '../../shared/operations.ts';
import { describeBudget, verifyConnection } from '../client/account.ts';
import {
  type ConnectionScope,
  canConnectSheet,
  deleteConnection,
  findConnection,
  parseGatewayLink,
  saveConnection,
} from '../client/connection.ts';
import { runMenuItem } from './run-item.ts';

const TITLE = 'Connect to CDAPI';
const DISCONNECT_TITLE = 'Disconnect from CDAPI';

/** Shown to everybody who connects. */
export const DATA_TERMS =
  'The data is for your company’s own use: do not sell it, publish it or pass copies on.';

const ASK_FOR_LINK = `Paste the connection link that your admin gave you.

${DATA_TERMS}`;

const formatShareQuestion = (team: string, budget: string): string => `${budget}

Share this connection with everybody who edits this spreadsheet?

Yes: formulas work here, and every editor then spends from the budget of ${team}.
No: only you are connected, in the sidebar. Formulas stay unconnected.`;

const FIRST_STEP = `Put a website into A2 and =CDAPI_ENRICH(A2) beside it. A company that your team has not bought yet costs ${getRecordPrice('company_clean')} credits.`;

/** Formulas run as the owner. Google reveals the owner's address only to some users. */
function formatOwnerHint(): string {
  const owner: GoogleAppsScript.Base.User | null = SpreadsheetApp.getActiveSpreadsheet().getOwner();
  const address = owner === null ? '' : owner.getEmail();
  const named = address === '' ? 'its owner' : `its owner, ${address},`;
  return `If formulas here still say “Not connected”, ${named} must connect once in the same way: formulas run with the owner’s connection.`;
}

const CONNECTED: Readonly<Record<ConnectionScope, () => string>> = {
  sheet: () => `This spreadsheet is connected. ${FIRST_STEP}\n\n${formatOwnerHint()}`,
  me: () =>
    findConnection()?.for === 'sheet'
      ? 'You are connected. This spreadsheet has its own connection, which is used here instead.'
      : 'You are connected: open CDAPI → Open sidebar. Formulas stay unconnected until a connection is shared with the spreadsheet.',
};

/**
 * Verifies a link and stores its connection.
 * @param link - as it was pasted
 * @returns the team behind it
 * @throws Error if the link is invalid, the gateway rejects it, or it can't be stored
 */
export function connectWithLink(link: string, connectedFor: ConnectionScope): MeResponse {
  const connection = parseGatewayLink(link);
  const account = verifyConnection(connection);
  saveConnection(connection, connectedFor);
  return account;
}

/** Menu item: prompts for a connection link, verifies it, asks who may use it, and stores it. */
export function connect(): void {
  runMenuItem(TITLE, (ui) => {
    const answer = ui.prompt(TITLE, ASK_FOR_LINK, ui.ButtonSet.OK_CANCEL);
    if (answer.getSelectedButton() !== ui.Button.OK) return;
    const connection = parseGatewayLink(answer.getResponseText());
    const account = verifyConnection(connection);
    const connectedFor = askForScope(ui, account);
    if (connectedFor === undefined) return;
    saveConnection(connection, connectedFor);
    ui.alert(TITLE, CONNECTED[connectedFor](), ui.ButtonSet.OK);
  });
}

function askForScope(ui: GoogleAppsScript.Base.Ui, account: MeResponse): ConnectionScope | undefined {
  if (!canConnectSheet()) return 'me';
  const question = formatShareQuestion(account.team, describeBudget(account));
  const button = ui.alert(TITLE, question, ui.ButtonSet.YES_NO_CANCEL);
  if (button === ui.Button.YES) return 'sheet';
  return button === ui.Button.NO ? 'me' : undefined;
}

const DISCONNECT: Readonly<Record<ConnectionScope, readonly [question: string, done: string]>> = {
  sheet: [
    'Disconnect this spreadsheet for everybody? Formulas keep their values but stop working.',
    'This spreadsheet is disconnected. If formulas still work, its owner must disconnect too.',
  ],
  me: ['Disconnect your sidebar, in all spreadsheets?', 'You are disconnected.'],
};

/** Menu item: deletes the current connection. */
export function disconnect(): void {
  runMenuItem(DISCONNECT_TITLE, (ui) => {
    const current = findConnection();
    if (current === undefined) {
      ui.alert(DISCONNECT_TITLE, 'Nothing is connected here.', ui.ButtonSet.OK);
      return;
    }
    const [question, done] = DISCONNECT[current.for];
    if (ui.alert(DISCONNECT_TITLE, question, ui.ButtonSet.YES_NO) !== ui.Button.YES) return;
    deleteConnection(current.for);
    ui.alert(DISCONNECT_TITLE, done, ui.ButtonSet.OK);
  });
}
