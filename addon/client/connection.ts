// Finds and stores connections: of a spreadsheet, for everybody who edits it; of one person, by a link or the Google account; of the company.
import { type Connection, connectionProperty, parseConnectionLink } from '../../shared/connection.ts';
import { AddonError } from '../lib/addon-error.ts';
import { getDocumentProperties } from '../lib/document-store.ts';
import { createGuard, parseAs } from '../lib/json.ts';
import { getOwnerAddress, getSpreadsheet } from '../lib/permissions.ts';
import { t } from '../texts/texts.ts';
import {
  describeFormulaRefusal,
  describeInvalidLink,
  type FormulaSwitch,
  findCompanyConnection,
  readFormulaSwitch,
  registerFormulas,
  setFormulaSwitch,
} from './company-connection.ts';
import { unwrap } from './http.ts';
import { connectIdentity, findIdentityConnection } from './identity-connection.ts';
import { disconnectIdentity, mayConnectIdentity, readIdentity, usesIdentity } from './identity-store.ts';

/** Who uses a pasted link: `sheet` is everybody who edits this spreadsheet, `me` is one person's sidebar. */
export type ConnectionScope = 'sheet' | 'me';

/** Where a connection comes from: a pasted link, the person's Google account, or the company's settings. */
export type ConnectionSource = ConnectionScope | 'identity' | 'company';

/** The connection in use, and where it comes from. */
export interface FoundConnection<Source = ConnectionSource> {
  connection: Connection;
  for: Source;
}

/** Where a formula's connection comes from: never from the person who looks at it. */
export type FormulaConnectionSource = Exclude<ConnectionSource, 'me' | 'identity'>;

const NO_CONNECTION = 'Not connected. Paste the connection link of your admin under Activity.';
const NOT_CONNECTED = 'Not connected: open Extensions → CDAPI → Connect.';
const OWNER_NEEDED =
  'Not connected: formulas here need the owner of this spreadsheet to open Extensions → CDAPI → Connect.';
const NO_OWNER =
  'Not connected: formulas can’t read the connection of this spreadsheet, which is in a shared drive and has no owner. Use Extensions → CDAPI → Open sidebar instead, or move the spreadsheet to My Drive.';
const SIDEBAR_ONLY =
  'Connected for the sidebar only: for formulas open Extensions → CDAPI → Connect and share the connection with this spreadsheet.';
const INVALID_LINK =
  'This is not a connection link. Copy the whole link that your admin gave you and paste it again.';
const NO_COMPANY = 'Your company has no connection for this add-on. Paste a connection link instead.';
const NO_DOCUMENT =
  'The connection can’t be saved here. Open the spreadsheet itself and choose Extensions → CDAPI → Connect there.';

/** Marks a spreadsheet that somebody disconnected, so that neither an older copy nor the company's connection is used. */
const DISCONNECTED = 'disconnected';

/** Marks a spreadsheet in which somebody chose the company's connection, so that no older copy is used. */
const COMPANY = 'company';

const isConnection = createGuard<Connection>({ url: 'string', token: 'string' });

const toConnection = (stored: string | null): Connection | undefined => parseAs(stored, isConnection);

/** The user property that holds a copy of this spreadsheet's connection. */
const ownerCopyKey = (): string => `${connectionProperty}:${getSpreadsheet().getId()}`;

/** What is stored for this spreadsheet: a connection, a mark, or null. */
const readSheetValue = (): string | null => getDocumentProperties()?.getProperty(connectionProperty) ?? null;

/**
 * Tells whether the company's connection may be used: nobody has disconnected this spreadsheet. The mark in the script's
 * properties counts more than that of the spreadsheet, which formulas may not see, or see as an older copy.
 */
const allowsCompany = (stored: string | null, decided: FormulaSwitch): boolean =>
  decided === undefined ? stored === null || stored === COMPANY : decided === 'on';

/** Explains why a formula has no connection. */
function describeMissing(): string {
  const userProperties = PropertiesService.getUserProperties();
  const personal = toConnection(userProperties.getProperty(connectionProperty)) ?? readIdentity();
  if (personal !== undefined) return t(SIDEBAR_ONLY);
  if (getDocumentProperties() !== null) return t(NOT_CONNECTED);
  return getOwnerAddress() === null ? t(NO_OWNER) : t(OWNER_NEEDED);
}

/**
 * Finds the connection for a formula: the spreadsheet's, its owner's copy, or the company's. A formula sees the owner's
 * user properties, whoever opens the sheet.
 * @throws Error with instructions how to connect, and for whom
 */
export function findFormulaConnection(): FoundConnection<FormulaConnectionSource> {
  const stored = readSheetValue() ?? PropertiesService.getUserProperties().getProperty(ownerCopyKey());
  const connection = toConnection(stored);
  if (connection !== undefined) return { connection, for: 'sheet' };
  const company = findCompanyConnection();
  const decided = company === undefined ? undefined : readFormulaSwitch();
  if (!allowsCompany(stored, decided)) throw new Error(t(NOT_CONNECTED));
  if (company === 'invalid') throw new Error(describeInvalidLink());
  if (company === undefined) throw new Error(describeMissing());
  const refusal = describeFormulaRefusal(decided);
  if (refusal !== undefined) throw new Error(refusal);
  return { connection: company, for: 'company' };
}

/**
 * Returns the connection for a formula.
 * @throws Error as {@link findFormulaConnection}
 */
export const requireFormulaConnection = (): Connection => findFormulaConnection().connection;

/**
 * Finds the connection for menus and the sidebar: the spreadsheet's, the current user's, or the company's. A spreadsheet
 * that somebody disconnected does not use the company's. Where people connect by their Google accounts, each has a budget
 * and can be revoked, so the sidebar does not fall back to the company's.
 * @returns undefined when there is none, or the person's must be renewed
 */
export function findConnection(): FoundConnection | undefined {
  const stored = readSheetValue();
  const shared = toConnection(stored);
  if (shared !== undefined) return { connection: shared, for: 'sheet' };
  const personal = toConnection(PropertiesService.getUserProperties().getProperty(connectionProperty));
  if (personal !== undefined) return { connection: personal, for: 'me' };
  const identity = findIdentityConnection();
  if (usesIdentity()) return identity && { connection: identity, for: 'identity' };
  const company = findCompanyConnection();
  return typeof company === 'object' && allowsCompany(stored, readFormulaSwitch())
    ? { connection: company, for: 'company' }
    : undefined;
}

/**
 * Returns the current connection.
 * @throws AddonError `not_connected`, or why signing in failed
 */
export function requireConnection(): Connection {
  const current = findConnection();
  if (current !== undefined) return current.connection;
  if (mayConnectIdentity()) return unwrap(connectIdentity());
  const isInvalid = findCompanyConnection() === 'invalid';
  throw new AddonError('not_connected', isInvalid ? describeInvalidLink() : t(NO_CONNECTION));
}

/**
 * Registers this spreadsheet for formulas with the company's connection, whichever connection the person's sidebar uses.
 * @returns whether the person must decide
 */
export function registerCompanyFormulas(): boolean {
  if (typeof findCompanyConnection() !== 'object') return false;
  const stored = readSheetValue();
  if (toConnection(stored) !== undefined) return false;
  const decided = readFormulaSwitch();
  return allowsCompany(stored, decided) && registerFormulas(decided);
}

/** Tells whether a connection can be stored for all editors of this spreadsheet. */
export function canConnectSheet(): boolean {
  return getDocumentProperties() !== null;
}

/**
 * Parses a connection link.
 * @throws Error if it is no connection link, or its gateway is not the one of this release
 */
export function parseGatewayLink(link: string): Connection {
  const connection = parseConnectionLink(link);
  if (connection === undefined) throw new Error(t(INVALID_LINK));
  if (CDAPI_GATEWAY !== '' && connection.url !== CDAPI_GATEWAY) {
    throw new Error(
      t(
        'This link leads to {url}, but this add-on works with {gateway} only. Ask your admin which add-on to use.',
        { url: connection.url, gateway: CDAPI_GATEWAY },
      ),
    );
  }
  return connection;
}

/**
 * Stores a connection or a mark for this spreadsheet, with a copy that formulas find without document properties if the
 * current user owns it.
 * @throws Error if there is no document to store it in
 */
function writeSheetValue(value: string): void {
  const documentProperties = getDocumentProperties();
  if (documentProperties === null) throw new Error(t(NO_DOCUMENT));
  documentProperties.setProperty(connectionProperty, value);
  PropertiesService.getUserProperties().setProperty(ownerCopyKey(), value);
}

/**
 * Stores a connection.
 * @param connection - the caller has verified it with the gateway
 * @throws Error if there is no document to store it in
 */
export function saveConnection(connection: Connection, connectedFor: ConnectionScope): void {
  const serialized = JSON.stringify(connection);
  if (connectedFor === 'sheet') writeSheetValue(serialized);
  else PropertiesService.getUserProperties().setProperty(connectionProperty, serialized);
}

/**
 * Uses the company's connection in this spreadsheet, again or also in formulas.
 * @throws Error if there is none
 */
export function chooseCompanyConnection(): void {
  const company = findCompanyConnection();
  if (typeof company !== 'object')
    throw new Error(company === undefined ? t(NO_COMPANY) : describeInvalidLink());
  if (canConnectSheet()) writeSheetValue(COMPANY);
  setFormulaSwitch(true);
}

/**
 * Deletes a connection. The company's stays for other spreadsheets.
 * @throws Error if there is no document that could be marked as disconnected
 */
export function deleteConnection(source: ConnectionSource): void {
  if (source === 'me') PropertiesService.getUserProperties().deleteProperty(connectionProperty);
  else if (source === 'identity') disconnectIdentity();
  else {
    const isCompany = typeof findCompanyConnection() === 'object';
    if (isCompany) setFormulaSwitch(false);
    if (!isCompany || canConnectSheet()) writeSheetValue(DISCONNECTED);
  }
}
