// Parses the body of a data request. Contract, "Bulk (data requests)".
import { isObject } from '../../../shared/lib/is-object.ts';
import type { BulkOperation, QueryStyle } from '../../../shared/operations.ts';
import { stringifyExactly } from '../../lib/exact-json.ts';
import { parseWebhookAddress as addressOf } from '../../lib/webhook-address.ts';
import { findDuplicateKey, readForm, readJson, readText, toCanonicalJson } from '../api/json-body.ts';
import { queryError, type ServiceError, validationError } from '../api/service-errors.ts';
import { MAX_BODY_CHARACTERS } from '../search/parse/index.ts';
import { type KeyList, parseKeyList } from './key-list.ts';
import type { QueryService } from './query-service.ts';

export interface QuerySelection {
  style: QueryStyle;
  /** The filter object or the DSL body, as JSON with bigints. */
  query: unknown;
  /** Maximum number of delivered records. */
  limit?: number;
}

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

function parseWebhook(value: unknown): { webhook?: string } {
  if (value === undefined || value === null) return {};
  const loc = ['body', 'webhook_url'];
  if (typeof value !== 'string')
    throw validationError({ loc, msg: 'str type expected', type: 'type_error.str' });
  const webhook = parseWebhookAddress(value);
  if (webhook !== undefined) return { webhook };
  throw validationError({ loc, msg: 'the address is not a public one by https', type: 'value_error.url' });
}

function parseLimit(value: unknown): { limit?: number } {
  if (value === undefined || value === null) return {};
  const loc = ['body', 'limit'];
  const limit = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit)) {
    throw validationError({ loc, msg: 'value is not a valid integer', type: 'type_error.integer' });
  }
  if (limit >= 1) return { limit };
  const msg = 'ensure this value is greater than or equal to 1';
  throw validationError({ loc, msg, type: 'value_error.number.not_ge', ctx: { limit_value: 1 } });
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

function createTooLongError(): ServiceError {
  return queryError(`Query validation failed: it is longer than ${MAX_BODY_CHARACTERS} characters`);
}

function checkDuplicates(text: string): void {
  const duplicate = findDuplicateKey(text, [queryField.filter]);
  if (duplicate === undefined) return;
  throw validationError({
    loc: ['body', queryField.filter, duplicate],
    msg: 'Duplicate keys are not allowed within filters',
    type: 'value_error.duplicate',
  });
}

function parseQueryPayload(
  { family }: BulkOperation,
  style: QueryStyle,
  text: string,
  queryService: QueryService,
  now: number,
): Payload {
  if (style === 'es_dsl' && text.length > MAX_DSL_CHARACTERS) throw createTooLongError();
  const body = readJson(text);
  if (!isObject(body)) {
    throw validationError({ loc: ['body'], msg: 'value is not a valid dict', type: 'type_error.dict' });
  }
  const fields = new Map<string, unknown>(Object.entries(body));
  const field = queryField[style];
  const query = fields.get(field);
  if (query === undefined || query === null) {
    throw validationError({ loc: ['body', field], msg: 'field required', type: 'value_error.missing' });
  }
  const limit = parseLimit(fields.get('limit'));
  const webhook = parseWebhook(fields.get('webhook_url'));
  if (style === 'filter') checkDuplicates(text);
  queryService.checkQuery({ family, style, query, now });
  if (style === 'es_dsl' && measureLength(query) > MAX_BODY_CHARACTERS) throw createTooLongError();
  return { selection: { query: { style, query, ...limit } }, ...webhook };
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
  queryService: QueryService,
  now: number,
): Promise<Payload> {
  const { kind, family } = operation;
  if (kind === 'filter' || kind === 'es_dsl') {
    return parseQueryPayload(operation, kind, await readText(request), queryService, now);
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

/**
 * Parses the address of a webhook. Host names are not resolved.
 * @returns the normalised address; undefined if it is invalid, carries credentials, or is neither public https nor on
 * this machine
 */
export function parseWebhookAddress(text: string): string | undefined {
  return addressOf(text, true);
}
