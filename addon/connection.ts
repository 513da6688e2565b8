// Where this spreadsheet's connection is kept.
import { type Connection, connectionProperty, parseConnectionLink } from '../shared/connection.ts';

const NOT_CONNECTED = 'Not connected: open CDAPI → Connect.';

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
  if (!stored) throw new Error(NOT_CONNECTED);
  const connection: unknown = JSON.parse(stored);
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
 */
export function storeConnection(connection: Connection): void {
  PropertiesService.getDocumentProperties().setProperty(connectionProperty, JSON.stringify(connection));
}
