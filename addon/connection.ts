// Where this spreadsheet's connection is kept.

import { type Connection, connectionProperty, parseConnectionLink } from '../shared/connection.ts';
import { readJson } from './json.ts';

const NOT_CONNECTED = 'Not connected: open CDAPI → Connect.';
const NOWHERE_TO_KEEP =
  'The connection can’t be kept here. Open the spreadsheet itself and choose CDAPI → Connect there.';

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

/**
 * The connection of the spreadsheet that is open.
 * @throws Error with one sentence that says how to connect
 */
export function readConnection(): Connection {
  const stored = PropertiesService.getDocumentProperties()?.getProperty(connectionProperty);
  const connection = readJson(stored ?? '');
  if (!isConnection(connection)) throw new Error(NOT_CONNECTED);
  return connection;
}

/**
 * Reads a connection link.
 * @param link - as it was pasted
 * @throws Error with one sentence, where it is no connection link
 */
export function readLink(link: string): Connection {
  const connection = parseConnectionLink(link);
  if (connection === undefined) {
    throw new Error(
      'This is not a connection link. Copy the whole link that your admin gave you and paste it again.',
    );
  }
  return connection;
}

/**
 * Keeps a connection for everybody who edits this spreadsheet.
 * @param connection - tried before: the gateway accepts it
 * @throws Error with one sentence, where there is no spreadsheet to keep it in
 */
export function storeConnection(connection: Connection): void {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  if (properties === null) throw new Error(NOWHERE_TO_KEEP);
  properties.setProperty(connectionProperty, JSON.stringify(connection));
}
