// Parses the body of a data request. Contract, "Bulk (data requests)".
import type { Family } from '../../../shared/families/index.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import {
  type BulkOperation,
  operations,
  type QueryStyle,
  type SortField,
} from '../../../shared/operations.ts';
import { stringifyExactly } from '../../lib/exact-json.ts';
import { parseWebhookAddress } from '../../lib/webhook-address.ts';
import { readForm, readJson, readText, toCanonicalJson } from '../api/json-body.ts';
import {
  createTooLongError,
  type ParsedQuery,
  parseDsl,
  parseFilters,
  rejectDuplicates,
} from '../api/queries.ts';
import {
  MISSING,
  NOT_INTEGER,
  NOT_OBJECT,
  NOT_TEXT,
  tooSmall,
  validationError,
} from '../api/service-errors.ts';
import { toInteger } from '../search/filters/compile.ts';
import { MAX_BODY_CHARACTERS } from '../search/parse/index.ts';
import { type KeyList, parseKeyList } from './key-list.ts';
import type { QuerySelection } from './rows.ts';

/** The selected records: listed by key, or matched by a query. */
export type Selection = { keys: KeyList } | { query: QuerySelection };

/** A valid data request. */
export interface Payload {
  selection: Selection;
  webhook?: string;
}

/** Limits the unparsed body: it allows for white space around the query, limit and webhook. */
const MAX_DSL_CHARACTERS = 10 * MAX_BODY_CHARACTERS;

/** Names of the body's query field. */
const queryField: Readonly<Record<QueryStyle, string>> = { filter: 'filters', es_dsl: 'es_dsl_query' };

/** Parses the address of a webhook. It may be on this machine; host names are not resolved. */
function parseWebhook(value: unknown): { webhook?: string } {
  if (value === undefined || value === null) return {};
  const loc = ['body', 'webhook_url'];
  if (typeof value !== 'string') throw validationError({ loc, ...NOT_TEXT });
  const webhook = parseWebhookAddress(value, true);
  if (webhook !== undefined) return { webhook };
  throw validationError({ loc, msg: 'the address is not a public one by https', type: 'value_error.url' });
}

function parseLimit(value: unknown): { limit?: number } {
  if (value === undefined || value === null) return {};
  const limit = toInteger(value);
  if (limit === undefined) throw validationError({ loc: ['body', 'limit'], ...NOT_INTEGER });
  if (limit < 1) throw validationError({ loc: ['body', 'limit'], ...tooSmall(1) });
  return { limit };
}

/** Measures a query without white space. A query too deep to serialise counts as infinitely long. */
function measureLength(query: unknown): number {
  try {
    return stringifyExactly(query).length;
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function findSortFields(family: Family): readonly SortField[] {
  const search = operations.find(
    (operation) => operation.name === 'search' && operation.family === family && operation.style === 'es_dsl',
  );
  return search?.name === 'search' ? search.sorts : [];
}

/**
 * Parses the query of a data request.
 * @param now - the value of `now` in the query, in milliseconds since 1970
 * @throws ServiceError 422 or 400 that names the invalid part
 */
export function parseRequestQuery(
  family: Family,
  { style, query }: QuerySelection,
  now: number,
): ParsedQuery {
  return style === 'filter'
    ? parseFilters(family, query, () => now, [queryField.filter])
    : parseDsl(family, query, findSortFields(family), () => now);
}

function parseQueryPayload({ family }: BulkOperation, style: QueryStyle, text: string, now: number): Payload {
  if (style === 'es_dsl' && text.length > MAX_DSL_CHARACTERS) throw createTooLongError();
  const body = readJson(text);
  if (!isObject(body)) throw validationError({ loc: ['body'], ...NOT_OBJECT });
  const fields = new Map<string, unknown>(Object.entries(body));
  const field = queryField[style];
  const query = fields.get(field);
  if (query === undefined || query === null) throw validationError({ loc: ['body', field], ...MISSING });
  const limit = parseLimit(fields.get('limit'));
  const webhook = parseWebhook(fields.get('webhook_url'));
  if (style === 'filter') rejectDuplicates(text, [field]);
  const selection = { style, query, ...limit };
  parseRequestQuery(family, selection, now);
  if (style === 'es_dsl' && measureLength(query) > MAX_BODY_CHARACTERS) throw createTooLongError();
  return { selection: { query: selection }, ...webhook };
}

/**
 * Parses the body of a data request. It ignores unknown fields, for example an old `data_format`.
 * @param now - milliseconds since 1970, by the provider's clock
 * @throws ServiceError 422 or 400 that names the invalid part
 * @throws RequestTextError
 */
export async function parsePayload(
  operation: BulkOperation,
  request: Request,
  now: number,
): Promise<Payload> {
  const { kind, family } = operation;
  if (kind === 'filter' || kind === 'es_dsl') {
    return parseQueryPayload(operation, kind, await readText(request), now);
  }
  const form = await readForm(request);
  const keys = await parseKeyList(form, kind, family);
  return { selection: { keys }, ...parseWebhook(form.getAll('webhook_url').at(-1)) };
}

/**
 * Builds the text by which identical data requests are recognised.
 * @returns undefined for lists of keys, which may run concurrently
 */
export function buildIdentity({ family }: BulkOperation, selection: Selection): string | undefined {
  return 'keys' in selection ? undefined : `${family}\n${toCanonicalJson(selection.query)}`;
}
