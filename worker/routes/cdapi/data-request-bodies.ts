// Parses the bodies of data requests in the drop-in API with the provider's validation errors. Contract, "Bulk".
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { maxQueryLength } from '../../../shared/api/query.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkOperation, QueryStyle } from '../../../shared/operations.ts';
import type { Selection } from '../../data-requests/order/order.ts';
import type { ListKind } from '../../data-requests/order/parse-keys.ts';
import { parseKeys, splitLines } from '../../data-requests/order/parse-keys.ts';
import { readRequestForm, readRequestText } from '../../http/read-body.ts';
import { parseExactly, parseJson, stringifyExactly } from '../../lib/exact-json.ts';
import { isNestedDeeper, MAX_BODY_DEPTH } from '../../lib/json-depth.ts';
import { describeJsonIssue, type JsonIssue } from '../../lib/json-issue.ts';
import { parseWebhookAddress } from '../../lib/webhook-address.ts';
import { TOO_DEEP } from '../route.ts';
import { createProblemResponse, createRefusal } from './responses.ts';

/** A query has at most 15,000 characters (provider API, "Credits and limits"); filters are shorter. */
export const MAX_QUERY_BYTES = 256 * 1024;

/** The sandbox accepts this much white space in data requests; the provider documents nothing. */
const MAX_DSL_BYTES = 10 * maxQueryLength;

/**
 * Creates the response to a body that is too large.
 * @param isDsl - the service limits the length of DSL queries
 */
export function createTooLargeResponse(isDsl: boolean): Response {
  if (!isDsl) return createProblemResponse('too_large');
  const message = `Query validation failed: it is longer than ${maxQueryLength} characters`;
  return createRefusal('invalid_request', { Error: message }, {}, 400);
}

/** Removes the white space of a DSL query: data requests don't count it, searches do. @throws SyntaxError if it is not JSON */
export const compactQuery = (text: string): string => stringifyExactly(parseExactly(text, BigInt));

/** Tells whether a DSL query is too long for the provider, which does not count white space. False if it is not JSON. */
export function isQueryTooLong(text: string): boolean {
  if (text.length <= maxQueryLength) return false;
  try {
    return compactQuery(text).length > maxQueryLength;
  } catch {
    return false;
  }
}

/** Fits a form with 10,000 URLs of 250 characters. Decoding takes several times as much memory. */
const MAX_FORM_BYTES = 4 * 1024 * 1024;

/** A validation error in the service's 422 format. */
export interface Issue extends Omit<JsonIssue, 'ctx'> {
  ctx?: object;
}

/** The parsed body, or its validation errors. */
export type ParsedBody = { selection: Selection; webhook: string | null } | { issues: Issue[] };

const missingIssue = { msg: 'field required', type: 'value_error.missing' };

function invalidBody(loc: Issue['loc'], msg: string, type: string, ctx?: object): { issues: Issue[] } {
  return { issues: [{ loc, msg, type, ...(ctx && { ctx }) }] };
}

function parseWebhook(value: unknown, loopback: boolean): { webhook: string | null } | { issues: Issue[] } {
  if (value === undefined || value === null) return { webhook: null };
  const loc = ['body', 'webhook_url'];
  if (typeof value !== 'string') return invalidBody(loc, 'str type expected', 'type_error.str');
  const webhook = parseWebhookAddress(value, loopback);
  return webhook === undefined
    ? invalidBody(loc, 'the address is not a public one by https', 'value_error.url')
    : { webhook };
}

function parseLimit(value: unknown): { limit?: number } | { issues: Issue[] } {
  if (value === undefined || value === null) return {};
  const loc = ['body', 'limit'];
  const limit = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit)) {
    return invalidBody(loc, 'value is not a valid integer', 'type_error.integer');
  }
  return limit >= 1
    ? { limit }
    : invalidBody(loc, 'ensure this value is greater than or equal to 1', 'value_error.number.not_ge', {
        limit_value: 1,
      });
}

/** Body member with the query, by style. */
export const queryFields: Readonly<Record<QueryStyle, string>> = {
  filter: 'filters',
  es_dsl: 'es_dsl_query',
};

/** Finds a member of an object. The provider uses the last one of repeated members. */
function findMember({ children = [] }: Node, name: string): Node | undefined {
  return children.findLast(({ children: [key] = [] }) => key?.value === name)?.children?.[1];
}

function readMember(tree: Node, name: string): unknown {
  const member = findMember(tree, name);
  return member && getNodeValue(member);
}

/**
 * Parses a body with a query. The query stays unparsed text, so that duplicate names and large numbers reach the provider
 * unchanged.
 */
function parseQueryBody(style: QueryStyle, text: string, loopback: boolean): ParsedBody {
  if (parseJson(text) === undefined) return { issues: [describeJsonIssue(text)] };
  if (isNestedDeeper(text, MAX_BODY_DEPTH)) return invalidBody(['body'], TOO_DEEP, 'value_error');
  const tree = parseTree(text);
  if (tree?.type !== 'object') return invalidBody(['body'], 'value is not a valid dict', 'type_error.dict');
  const field = queryFields[style];
  const query = findMember(tree, field);
  if (query === undefined || query.type === 'null')
    return { issues: [{ loc: ['body', field], ...missingIssue }] };
  const limit = parseLimit(readMember(tree, 'limit'));
  const webhook = parseWebhook(readMember(tree, 'webhook_url'), loopback);
  if ('issues' in limit) return limit;
  if ('issues' in webhook) return webhook;
  const queryText = text.slice(query.offset, query.offset + query.length);
  return { selection: { query: queryText, ...limit }, ...webhook };
}

const listFields: Readonly<Record<ListKind, string>> = {
  ids: 'ids',
  id_file: 'ids_file',
  shorthand_names: 'shorthand_names',
  urls: 'urls',
};

/** A key with its position: from 0 in a form, from 1 in a file. */
interface KeyEntry {
  position: number;
  text: string | undefined;
}

async function readEntries(form: FormData, kind: ListKind, field: string): Promise<KeyEntry[] | undefined> {
  if (kind !== 'id_file') {
    return [...form.getAll(field), ...form.getAll(`${field}[]`)].map((value, position) => ({
      position,
      text: typeof value === 'string' ? value : undefined,
    }));
  }
  const file = form.getAll(field).at(-1);
  if (typeof file === 'string') return undefined;
  if (file === undefined) return [];
  return splitLines(await file.text()).map(({ line, text }) => ({ position: line, text }));
}

async function parseListBody(
  { family }: BulkOperation,
  kind: ListKind,
  form: FormData,
  loopback: boolean,
): Promise<ParsedBody> {
  const field = listFields[kind];
  const entries = await readEntries(form, kind, field);
  if (entries === undefined) return invalidBody(['body', field], 'a file is expected', 'value_error.file');
  const texts = entries.map(({ text }) => text);
  const parsed = parseKeys(kind, family, texts);
  if ('empty' in parsed) return { issues: [{ loc: ['body', field], ...missingIssue }] };
  if ('tooMany' in parsed) {
    const msg = `ensure this value has at most ${maxRequestRecords} items`;
    return invalidBody(['body', field], msg, 'value_error.list.max_items', {
      limit_value: maxRequestRecords,
    });
  }
  if ('issues' in parsed) {
    return {
      issues: parsed.issues.map(({ index, msg, ...issue }) => {
        const position = entries[index]?.position ?? index;
        const message = kind === 'id_file' ? `line ${position}: ${msg}` : msg;
        return { loc: ['body', field, position], msg: message, ...issue };
      }),
    };
  }
  const webhook = parseWebhook(form.getAll('webhook_url').at(-1), loopback);
  return 'issues' in webhook ? webhook : { selection: { keys: parsed.keys }, ...webhook };
}

/**
 * Parses the body of a data request. Unknown members, such as the obsolete `data_format`, are ignored.
 * @param loopback - whether webhooks may point to this machine
 * @returns undefined if the body is too large
 * @throws RequestTextProblem
 */
export async function parseBody(
  operation: BulkOperation,
  request: Request,
  loopback: boolean,
): Promise<ParsedBody | undefined> {
  const { kind } = operation;
  if (kind === 'filter' || kind === 'es_dsl') {
    const text = await readRequestText(request, kind === 'filter' ? MAX_QUERY_BYTES : MAX_DSL_BYTES);
    return text === undefined ? undefined : parseQueryBody(kind, text, loopback);
  }
  const form = await readRequestForm(request, MAX_FORM_BYTES);
  return form && parseListBody(operation, kind, form, loopback);
}
