// Menu items Connect and Disconnect. A pasted link is verified before it is stored.
import type { MeResponse } from '../../shared/api/account.ts';
import type { Connection } from '../../shared/connection.ts';
import { formatCount } from '../../shared/lib/format-count.ts';
import { getRecordPrice } from '../../shared/operations.ts';
import { findCompanyConnection } from '../client/company-connection.ts';
import {
  type ConnectionScope,
  type ConnectionSource,
  canConnectSheet,
  chooseCompanyConnection,
  deleteConnection,
  findConnection,
  parseGatewayLink,
  saveConnection,
} from '../client/connection.ts';
import { call } from '../client/gateway.ts';
import { allowIdentity, isIdentityDisconnected, usesIdentity } from '../client/identity-store.ts';
import { getOwnerAddress } from '../lib/permissions.ts';
import { runMenuItem } from './menu.ts';

const TITLE = 'Connect to CDAPI';
const DISCONNECT_TITLE = 'Disconnect from CDAPI';

const DATA_TERMS = 'The data is for your company’s own use: do not sell it, publish it or pass copies on.';

const ASK_FOR_LINK = `Paste the connection link that your admin gave you.

${DATA_TERMS}`;

const COMPANY_IN_USE = `You are connected through your company: nothing needs to be pasted. A link of your own takes precedence.

${ASK_FOR_LINK}`;

const ACCOUNT_IN_USE = `You are connected through your Google account, in the sidebar. Formulas need a connection link that is shared with this spreadsheet.

${ASK_FOR_LINK}`;

const ASK_FOR_ACCOUNT = `You disconnected from CDAPI. Connect through your Google account again?

Yes: your sidebar works in all spreadsheets, and nothing needs to be pasted.
No: paste a connection link.`;

const ACCOUNT_CHOSEN = 'Your sidebar connects through your Google account again.';

const ASK_FOR_COMPANY = `This spreadsheet is disconnected. Use your company’s connection here again?

Yes: formulas work here, and every editor spends from the company’s budget.
No: paste another connection link.`;

const COMPANY_CHOSEN = 'This spreadsheet uses your company’s connection again.';

/**
 * Requests the account behind a connection. Free.
 * @throws Error if the gateway rejects the token or can't be reached; the message is for people
 */
function verifyConnection(connection: Connection): MeResponse {
  const answer = call(connection, 'getAccount');
  if (!answer.ok) throw new Error(answer.message);
  return answer.body;
}

/** Describes a team's budget in one or two sentences. */
function describeBudget({ team, budget, remaining, spending, mode }: MeResponse): string {
  const caps = [
    ...(budget.day === null ? [] : [`${formatCount(budget.day, 'credit')} a day`]),
    ...(budget.month === null ? [] : [`${formatCount(budget.month, 'credit')} a month`]),
  ];
  const budgetIs = caps.length === 0 ? 'has no limit of credits' : `may spend ${caps.join(' and ')}`;
  return [
    `${team} ${budgetIs}${remaining === null ? '' : `; ${formatCount(remaining, 'credit')} ${remaining === 1 ? 'is' : 'are'} left`}.`,
    ...(spending
      ? []
      : ['Your admin has switched spending off. Records your team already bought still work.']),
    ...(mode === 'embedded' ? ['Its sample records are fictional.'] : []),
  ].join(' ');
}

const formatShareQuestion = (team: string, budget: string): string => `${budget}

Share this connection with everybody who edits this spreadsheet?

Yes: formulas work here, and every editor then spends from the budget of ${team}.
No: only you are connected, in the sidebar. Formulas stay unconnected.`;

const FIRST_STEP = `Put a website into A2 and =CDAPI_ENRICH(A2) beside it. A company that your team has not bought yet costs ${getRecordPrice('company_clean')} credits.`;

const NO_OWNER_HINT =
  'If formulas here still say “Not connected”, use Extensions → CDAPI → Open sidebar, or move the spreadsheet to My Drive: it is in a shared drive and has no owner whose connection formulas could use.';

/** Formulas run as the owner. Google reveals the owner's address only to some users. */
function formatOwnerHint(): string {
  const address = getOwnerAddress();
  if (address === null) return NO_OWNER_HINT;
  const named = address === '' ? 'its owner' : `its owner, ${address},`;
  return `If formulas here still say “Not connected”, ${named} must connect once in the same way: formulas run with the owner’s connection.`;
}

const CONNECTED: Readonly<Record<ConnectionScope, () => string>> = {
  sheet: () => `This spreadsheet is connected. ${FIRST_STEP}\n\n${formatOwnerHint()}`,
  me: () =>
    findConnection()?.for === 'sheet'
      ? 'You are connected. This spreadsheet has its own connection, which is used here instead.'
      : 'You are connected: open Extensions → CDAPI → Open sidebar. Formulas stay unconnected until a connection is shared with the spreadsheet.',
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

/** Finds a connection to return to, which needs no link. */
function findOffer(): { question: string; accept: () => void; accepted: string } | undefined {
  if (isIdentityDisconnected())
    return { question: ASK_FOR_ACCOUNT, accept: allowIdentity, accepted: ACCOUNT_CHOSEN };
  return !usesIdentity() && typeof findCompanyConnection() === 'object'
    ? { question: ASK_FOR_COMPANY, accept: chooseCompanyConnection, accepted: COMPANY_CHOSEN }
    : undefined;
}

/** Menu item: offers the company's connection, or prompts for a link, verifies it, asks for its users, and stores it. */
export function connect(): void {
  runMenuItem(TITLE, (ui) => {
    const current = findConnection();
    const offer = current === undefined ? findOffer() : undefined;
    if (offer !== undefined) {
      const button = ui.alert(TITLE, offer.question, ui.ButtonSet.YES_NO_CANCEL);
      if (button === ui.Button.YES) {
        offer.accept();
        ui.alert(TITLE, offer.accepted, ui.ButtonSet.OK);
      }
      if (button !== ui.Button.NO) return;
    }
    const question = describeCurrent(current?.for);
    const answer = ui.prompt(TITLE, question, ui.ButtonSet.OK_CANCEL);
    if (answer.getSelectedButton() !== ui.Button.OK) return;
    const connection = parseGatewayLink(answer.getResponseText());
    const account = verifyConnection(connection);
    const connectedFor = askForScope(ui, account);
    if (connectedFor === undefined) return;
    saveConnection(connection, connectedFor);
    ui.alert(TITLE, CONNECTED[connectedFor](), ui.ButtonSet.OK);
  });
}

function describeCurrent(source: ConnectionSource | undefined): string {
  if (source === 'identity') return ACCOUNT_IN_USE;
  return source === 'company' ? COMPANY_IN_USE : ASK_FOR_LINK;
}

function askForScope(ui: GoogleAppsScript.Base.Ui, account: MeResponse): ConnectionScope | undefined {
  if (!canConnectSheet()) return 'me';
  const question = formatShareQuestion(account.team, describeBudget(account));
  const button = ui.alert(TITLE, question, ui.ButtonSet.YES_NO_CANCEL);
  if (button === ui.Button.YES) return 'sheet';
  return button === ui.Button.NO ? 'me' : undefined;
}

const DISCONNECT: Readonly<Record<ConnectionSource, readonly [question: string, done: string]>> = {
  sheet: [
    'Disconnect this spreadsheet for everybody? Formulas keep their values but stop working.',
    'This spreadsheet is disconnected. If formulas still work, its owner must disconnect too.',
  ],
  me: ['Disconnect your sidebar, in all spreadsheets?', 'You are disconnected.'],
  identity: [
    'Disconnect your sidebar from your Google account, in all spreadsheets?',
    'You are disconnected. Extensions → CDAPI → Connect brings the connection back.',
  ],
  company: [
    'Stop using your company’s connection in this spreadsheet, for everybody? Formulas keep their values but stop working.',
    'This spreadsheet no longer uses your company’s connection. Extensions → CDAPI → Connect brings it back. If formulas still work, the owner must disconnect too.',
  ],
};

const COMPANY_NEXT = 'Your own connection is deleted. You now use your company’s connection.';

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
    const isCompanyNext = findConnection()?.for === 'company';
    ui.alert(DISCONNECT_TITLE, isCompanyNext ? COMPANY_NEXT : done, ui.ButtonSet.OK);
  });
}
