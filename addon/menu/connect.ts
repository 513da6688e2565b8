// Menu items Connect and Disconnect. A pasted link is verified before it is stored.
import type { MeResponse } from '../../shared/api/account.ts';
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
import { unwrap } from '../client/http.ts';
import { allowIdentity, isIdentityDisconnected, usesIdentity } from '../client/identity-store.ts';
import { getOwnerAddress } from '../lib/permissions.ts';
import { formatCount, type Text, t, translate } from '../texts/texts.ts';
import { runMenuItem } from './menu.ts';

const TITLE = 'Connect to CDAPI';
const DISCONNECT_TITLE = 'Disconnect from CDAPI';

const DATA_TERMS = 'The data is for your company’s own use: do not sell it, publish it or pass copies on.';

const PARAGRAPH = '\n\n';

const askForLink = (): string =>
  [t('Paste the connection link that your admin gave you.'), t(DATA_TERMS)].join(PARAGRAPH);

const askForAccount = (): string =>
  [
    t('You disconnected from CDAPI. Connect through your Google account again?'),
    t(
      'Yes: your sidebar works in all spreadsheets, and nothing needs to be pasted.\nNo: paste a connection link.',
    ),
  ].join(PARAGRAPH);

const ACCOUNT_CHOSEN = 'Your sidebar connects through your Google account again.';

const askForCompany = (): string =>
  [
    t('This spreadsheet is disconnected. Use your company’s connection here again?'),
    t(
      'Yes: formulas work here, and every editor spends from the company’s budget.\nNo: paste another connection link.',
    ),
  ].join(PARAGRAPH);

const COMPANY_CHOSEN = 'This spreadsheet uses your company’s connection again.';

/** Describes a team's budget in one or two sentences. */
function describeBudget({ team, budget, remaining, spending, mode }: MeResponse): string {
  const caps = [
    ...(budget.day === null ? [] : [t('{credits} a day', { credits: formatCount(budget.day, 'credit') })]),
    ...(budget.month === null
      ? []
      : [t('{credits} a month', { credits: formatCount(budget.month, 'credit') })]),
  ];
  const limit =
    caps.length === 0
      ? t('{team} has no limit of credits', { team })
      : t('{team} may spend {caps}', { team, caps: caps.join(t(' and ')) });
  const left = { limit, credits: formatCount(remaining ?? 0, 'credit') };
  return [
    remaining === null
      ? `${limit}.`
      : remaining === 1
        ? t('{limit}; {credits} is left.', left)
        : t('{limit}; {credits} are left.', left),
    ...(spending
      ? []
      : [t('Your admin has switched spending off. Records your team already bought still work.')]),
    ...(mode === 'sandbox' ? [t('Its sample records are fictional.')] : []),
  ].join(' ');
}

const formatShareQuestion = (team: string, budget: string): string =>
  [
    budget,
    t('Share this connection with everybody who edits this spreadsheet?'),
    t(
      'Yes: formulas work here, and every editor then spends from the budget of {team}.\nNo: only you are connected, in the sidebar. Formulas stay unconnected.',
      { team },
    ),
  ].join(PARAGRAPH);

const NO_OWNER_HINT =
  'If formulas here still say “Not connected”, use Extensions → CDAPI → Open sidebar, or move the spreadsheet to My Drive: it is in a shared drive and has no owner whose connection formulas could use.';

/** Formulas run as the owner. Google reveals the owner's address only to some users. */
function formatOwnerHint(): string {
  const address = getOwnerAddress();
  if (address === null) return t(NO_OWNER_HINT);
  return t(
    address === ''
      ? 'If formulas here still say “Not connected”, its owner must connect once in the same way: formulas run with the owner’s connection.'
      : 'If formulas here still say “Not connected”, its owner, {address}, must connect once in the same way: formulas run with the owner’s connection.',
    { address },
  );
}

const CONNECTED: Readonly<Record<ConnectionScope, () => string>> = {
  sheet: () =>
    [
      t(
        'This spreadsheet is connected. Put a website into A2 and =CDAPI_ENRICH(A2) beside it. A company that your team has not bought yet costs {credits} credits.',
        { credits: getRecordPrice('company_clean') },
      ),
      formatOwnerHint(),
    ].join(PARAGRAPH),
  me: () =>
    findConnection()?.for === 'sheet'
      ? t('You are connected. This spreadsheet has its own connection, which is used here instead.')
      : t(
          'You are connected: open Extensions → CDAPI → Open sidebar. Formulas stay unconnected until a connection is shared with the spreadsheet.',
        ),
};

/**
 * Verifies a link and stores its connection.
 * @param link - as it was pasted
 * @returns the team behind it
 * @throws Error if the link is invalid, the gateway rejects it, or it can't be stored
 */
export function connectWithLink(link: string, connectedFor: ConnectionScope): MeResponse {
  const connection = parseGatewayLink(link);
  const account = unwrap(call(connection, 'getAccount'));
  saveConnection(connection, connectedFor);
  return account;
}

/** Finds a connection to return to, which needs no link. */
function findOffer(): { question: string; accept: () => void; accepted: string } | undefined {
  if (isIdentityDisconnected())
    return { question: askForAccount(), accept: allowIdentity, accepted: t(ACCOUNT_CHOSEN) };
  return !usesIdentity() && typeof findCompanyConnection() === 'object'
    ? { question: askForCompany(), accept: chooseCompanyConnection, accepted: t(COMPANY_CHOSEN) }
    : undefined;
}

/** Menu item: offers the company's connection, or prompts for a link, verifies it, asks for its users, and stores it. */
export function connect(): void {
  runMenuItem(TITLE, (ui) => {
    const current = findConnection();
    const offer = current === undefined ? findOffer() : undefined;
    if (offer !== undefined) {
      const button = ui.alert(t(TITLE), offer.question, ui.ButtonSet.YES_NO_CANCEL);
      if (button === ui.Button.YES) {
        offer.accept();
        ui.alert(t(TITLE), offer.accepted, ui.ButtonSet.OK);
      }
      if (button !== ui.Button.NO) return;
    }
    const question = describeCurrent(current?.for);
    const answer = ui.prompt(t(TITLE), question, ui.ButtonSet.OK_CANCEL);
    if (answer.getSelectedButton() !== ui.Button.OK) return;
    const connection = parseGatewayLink(answer.getResponseText());
    const account = unwrap(call(connection, 'getAccount'));
    const connectedFor = askForScope(ui, account);
    if (connectedFor === undefined) return;
    saveConnection(connection, connectedFor);
    ui.alert(t(TITLE), CONNECTED[connectedFor](), ui.ButtonSet.OK);
  });
}

function describeCurrent(source: ConnectionSource | undefined): string {
  const inUse = {
    identity: t(
      'You are connected through your Google account, in the sidebar. Formulas need a connection link that is shared with this spreadsheet.',
    ),
    company: t(
      'You are connected through your company: nothing needs to be pasted. A link of your own takes precedence.',
    ),
  };
  return source === 'identity' || source === 'company'
    ? [inUse[source], askForLink()].join(PARAGRAPH)
    : askForLink();
}

function askForScope(ui: GoogleAppsScript.Base.Ui, account: MeResponse): ConnectionScope | undefined {
  if (!canConnectSheet()) return 'me';
  const question = formatShareQuestion(account.team, describeBudget(account));
  const button = ui.alert(t(TITLE), question, ui.ButtonSet.YES_NO_CANCEL);
  if (button === ui.Button.YES) return 'sheet';
  return button === ui.Button.NO ? 'me' : undefined;
}

const DISCONNECT: Readonly<Record<ConnectionSource, readonly [question: Text, done: Text]>> = {
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
      ui.alert(t(DISCONNECT_TITLE), t('Nothing is connected here.'), ui.ButtonSet.OK);
      return;
    }
    const [question, done] = DISCONNECT[current.for];
    if (ui.alert(t(DISCONNECT_TITLE), translate(question), ui.ButtonSet.YES_NO) !== ui.Button.YES) return;
    deleteConnection(current.for);
    const isCompanyNext = findConnection()?.for === 'company';
    ui.alert(t(DISCONNECT_TITLE), isCompanyNext ? t(COMPANY_NEXT) : translate(done), ui.ButtonSet.OK);
  });
}
