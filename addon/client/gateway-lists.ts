// Gateway calls for columns that are kept filled, and for reports of tables.
import type {
  Enrichment,
  EnrichmentBody,
  EnrichmentList,
  FillResponse,
  TableReport,
} from '../../shared/api/lists.ts';
import type { Connection } from '../../shared/connection.ts';
import { send } from './gateway.ts';
import { type BodyGuard, createGuard, type GatewayResult } from './http.ts';

const isList = createGuard<EnrichmentList>({ enrichments: 'list' });
const isEnrichment = createGuard<Enrichment>({ id: 'string', state: 'string' });
const isFilled = createGuard<FillResponse>({ rows: 'list' });
const isReport = createGuard<TableReport>({ snapshots: 'number' });
const isAnyBody: BodyGuard<unknown> = (body): body is unknown => body !== null;

const toPath = (id: string, rest = ''): string => `enrichments/${encodeURIComponent(id)}${rest}`;

/** Lists the columns of the team that are kept filled. */
export function listEnrichments(connection: Connection): GatewayResult<EnrichmentList> {
  return send(connection, { method: 'get', path: 'enrichments' }, isList);
}

/** Keeps the columns of a table filled, or changes how. Spends nothing. */
export function putEnrichment(
  connection: Connection,
  id: string,
  body: EnrichmentBody,
): GatewayResult<Enrichment> {
  return send(connection, { method: 'put', path: toPath(id), body }, isEnrichment);
}

/** Stops to keep a column filled. */
export function deleteEnrichment(connection: Connection, id: string): GatewayResult<unknown> {
  return send(connection, { method: 'delete', path: toPath(id) }, isAnyBody);
}

/** Records keys that are never bought. */
export function addKnownKeys(connection: Connection, id: string, keys: string[]): GatewayResult<unknown> {
  return send(connection, { method: 'post', path: toPath(id, '/known'), body: { keys } }, isAnyBody);
}

/**
 * Looks up the keys of rows without values; buys only new ones, within the budgets.
 * @param repeated - those of the keys that other rows have
 */
export function fillNewKeys(
  connection: Connection,
  id: string,
  keys: string[],
  repeated: string[],
): GatewayResult<FillResponse> {
  const body = { keys, ...(repeated.length === 0 ? {} : { repeated }) };
  return send(connection, { method: 'post', path: toPath(id, '/fill'), body }, isFilled);
}

/** Reports that the sheet of a kept column was deleted. */
export function reportMissingEnrichment(connection: Connection, id: string): GatewayResult<unknown> {
  return send(connection, { method: 'post', path: toPath(id, '/missing'), body: {} }, isAnyBody);
}

/** Returns what a table reports. */
export function getTableReport(connection: Connection, table: string): GatewayResult<TableReport> {
  return send(connection, { method: 'get', path: `tables/${encodeURIComponent(table)}/report` }, isReport);
}

/** Changes what a table reports. */
export function putTableReport(
  connection: Connection,
  table: string,
  body: TableReport,
): GatewayResult<TableReport> {
  const path = `tables/${encodeURIComponent(table)}/report`;
  return send(connection, { method: 'put', path, body }, isReport);
}
