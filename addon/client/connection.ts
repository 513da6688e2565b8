// Stores a connection: for everybody who edits the spreadsheet, or for one person's sidebar.
import { type Connection, connectionProperty, parseConnectionLink } from '../../shared/connection.ts';
import { parseJson } from '../lib/json.ts';

/** Who uses a connection: `sheet` is everybody who edits this spreadsheet, `me` is one person's sidebar. */
export type ConnectionScope = 'sheet' | 'me';

/** The gateway that this release is restricted to; '' allows any. Set by the build. */
declare const CDAPI_GATEWAY: string;

const NOT_CONNECTED = 'Not connected: open CDAPI → Connect.';
const OWNER_NEEDED =
  'Not connected: formulas here need the owner of this spreadsheet to open CDAPI → Connect.';
const SIDEBAR_ONLY =
  'Connected for the sidebar only: for formulas open CDAPI → Connect and share the connection with this spreadsheet.';
const INVALID_LINK =
  'This is not a connection link. Copy the whole link that your admin gave you and paste it again.';
const NO_DOCUMENT =
  'The connection can’t be saved here. Open the spreadsheet itself and choose CDAPI → Connect there.';

/** Marks a spreadsheet that somebody disconnected, so that no older copy is used. */
const DISCONNECTED = 'disconnected';

function isConnection(value: unknown): value is Connection {
  return (
    typeof value === 'object' &&
    value !== null &&
    'url' in value &&
    'token' in value &&
    typeof value.url === 'string' &&
    typeof value.token === 'string'
  );
}

function toConnection(stored: string | null): Connection | undefined {
  const value = parseJson(stored ?? '');
  return isConnection(value) ? value : undefined;
}

/** Document properties are missing where a formula runs without its document. */
function getDocumentProperties(): GoogleAppsScript.Properties.Properties | null {
  return PropertiesService.getDocumentProperties();
}

/** The user property that holds a copy of this spreadsheet's connection. */
const ownerCopyKey = (): string => `${connectionProperty}:${SpreadsheetApp.getActiveSpreadsheet().getId()}`;

/**
 * Returns the connection for a formula: the spreadsheet's, or its owner's copy. A formula sees the owner's user
 * properties, whoever opens the sheet.
 * @throws Error that says how to connect, and who is responsible for it
 */
export function requireFormulaConnection(): Connection {
  const documentProperties = getDocumentProperties();
  const stored = documentProperties?.getProperty(connectionProperty) ?? null;
  const connection = toConnection(stored);
  if (connection !== undefined) return connection;
  if (stored !== null) throw new Error(NOT_CONNECTED);
  const userProperties = PropertiesService.getUserProperties();
  const copy = toConnection(userProperties.getProperty(ownerCopyKey()));
  if (copy !== undefined) return copy;
  if (toConnection(userProperties.getProperty(connectionProperty)) !== undefined)
    throw new Error(SIDEBAR_ONLY);
  throw new Error(documentProperties === null ? OWNER_NEEDED : NOT_CONNECTED);
}

/**
 * Returns the connection for menus and the sidebar: the spreadsheet's, otherwise the current user's.
 * @returns undefined when there is none
 */
export function findConnection(): { connection: Connection; for: ConnectionScope } | undefined {
  const shared = toConnection(getDocumentProperties()?.getProperty(connectionProperty) ?? null);
  if (shared !== undefined) return { connection: shared, for: 'sheet' };
  const userProperties = toConnection(PropertiesService.getUserProperties().getProperty(connectionProperty));
  return userProperties && { connection: userProperties, for: 'me' };
}

/** Tells whether a connection can be stored for all editors of this spreadsheet. */
export function canConnectSheet(): boolean {
  return getDocumentProperties() !== null;
}

/**
 * Parses a connection link.
 * @param link - as it was pasted
 * @throws Error if it is no connection link, or its gateway is not the one of this release
 */
export function parseGatewayLink(link: string): Connection {
  const connection = parseConnectionLink(link);
  if (connection === undefined) throw new Error(INVALID_LINK);
  if (CDAPI_GATEWAY !== '' && connection.url !== CDAPI_GATEWAY) {
    throw new Error(
      `This link leads to ${connection.url}, but this add-on works with ${CDAPI_GATEWAY} only. Ask your admin which add-on to use.`,
    );
  }
  return connection;
}

/**
 * Stores a connection.
 * @param connection - the caller has verified it with the gateway
 * @throws Error if there is no document to store it in
 */
export function saveConnection(connection: Connection, connectedFor: ConnectionScope): void {
  const userProperties = PropertiesService.getUserProperties();
  const serialized = JSON.stringify(connection);
  if (connectedFor === 'me') {
    userProperties.setProperty(connectionProperty, serialized);
    return;
  }
  const documentProperties = getDocumentProperties();
  if (documentProperties === null) throw new Error(NO_DOCUMENT);
  documentProperties.setProperty(connectionProperty, serialized);
  userProperties.setProperty(ownerCopyKey(), serialized);
}

/** Deletes a connection. */
export function deleteConnection(connectedFor: ConnectionScope): void {
  const userProperties = PropertiesService.getUserProperties();
  if (connectedFor === 'me') {
    userProperties.deleteProperty(connectionProperty);
    return;
  }
  getDocumentProperties()?.setProperty(connectionProperty, DISCONNECTED);
  userProperties.deleteProperty(ownerCopyKey());
}
