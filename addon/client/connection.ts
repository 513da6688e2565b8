// Where a connection is kept: for everybody who edits the spreadsheet, or for one person's sidebar.
import { type Connection, connectionProperty, parseConnectionLink } from '../../shared/connection.ts';
import { parseJson } from '../lib/json.ts';

/** Whom a connection is for: `sheet` everybody who edits this spreadsheet, `me` one person's sidebar. */
export type ConnectionScope = 'sheet' | 'me';

/** The gateway that this release was built for; '' where it works with any. Set by the build. */
declare const CDAPI_GATEWAY: string;

const NOT_CONNECTED = 'Not connected: open CDAPI → Connect.';
const OWNER_NEEDED =
  'Not connected: formulas here need the owner of this spreadsheet to open CDAPI → Connect.';
const SIDEBAR_ONLY =
  'Connected for the sidebar only: for formulas open CDAPI → Connect and share the connection with this spreadsheet.';
const INVALID_LINK =
  'This is not a connection link. Copy the whole link that your admin gave you and paste it again.';
const NO_DOCUMENT =
  'The connection can’t be kept here. Open the spreadsheet itself and choose CDAPI → Connect there.';

/** Stands in the document's property where somebody has disconnected it, so that no older copy counts. */
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

/** A document may have no properties where an add-on's formula runs, and has none where there is no document. */
function getDocumentProperties(): GoogleAppsScript.Properties.Properties | null {
  return PropertiesService.getDocumentProperties();
}

/** The property of a person that holds their copy of this spreadsheet's connection. */
const ownerCopyKey = (): string => `${connectionProperty}:${SpreadsheetApp.getActiveSpreadsheet().getId()}`;

/**
 * The connection that a formula uses: the spreadsheet's, or its owner's copy of it, since the user properties that a
 * formula sees are those of the owner, whoever looks.
 * @throws Error with one sentence that says how to connect, and who
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
 * The connection that menus and the sidebar use: the spreadsheet's, else that of the person who looks.
 * @returns undefined where there is none
 */
export function findConnection(): { connection: Connection; for: ConnectionScope } | undefined {
  const shared = toConnection(getDocumentProperties()?.getProperty(connectionProperty) ?? null);
  if (shared !== undefined) return { connection: shared, for: 'sheet' };
  const userProperties = toConnection(PropertiesService.getUserProperties().getProperty(connectionProperty));
  return userProperties && { connection: userProperties, for: 'me' };
}

/** Whether a connection can be kept for everybody here. */
export function canConnectSheet(): boolean {
  return getDocumentProperties() !== null;
}

/**
 * Reads a connection link.
 * @param link - as it was pasted
 * @throws Error with one sentence, where it is no connection link, or leads to a gateway that this add-on is not built for
 */
export function parseGatewayLink(link: string): Connection {
  const connection = parseConnectionLink(link);
  if (connection === undefined) throw new Error(INVALID_LINK);
  if (CDAPI_GATEWAY !== '' && connection.url !== CDAPI_GATEWAY) {
    throw new Error(
      `This link leads to ${connection.url}, but this add-on works with ${CDAPI_GATEWAY} only. Ask your admin for the add-on that belongs to the link.`,
    );
  }
  return connection;
}

/**
 * Keeps a connection.
 * @param connection - tried before: the gateway accepts it
 * @throws Error with one sentence, where there is no spreadsheet to keep it in
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

/** Forgets a connection. */
export function deleteConnection(connectedFor: ConnectionScope): void {
  const userProperties = PropertiesService.getUserProperties();
  if (connectedFor === 'me') {
    userProperties.deleteProperty(connectionProperty);
    return;
  }
  getDocumentProperties()?.setProperty(connectionProperty, DISCONNECTED);
  userProperties.deleteProperty(ownerCopyKey());
}
