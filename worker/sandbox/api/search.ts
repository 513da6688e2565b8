// Handles collect, enrich and searches: one record for one key, or a page of record ids and the cursor to the next page.

import { families, getSubject, type KeyKind } from '../../../shared/families/index.ts';
import { normaliseId, normaliseShorthandName, normaliseWebsite } from '../../../shared/keys/index.ts';
import { looksLikeUrl, parseProfileUrl } from '../../../shared/keys/profile.ts';
import type { QueryOperation, RecordOperation, SortField } from '../../../shared/operations.ts';
import { stringifyExactly } from '../../lib/exact-json.ts';
import type { RecordRepository } from '../record-repository.ts';
import { getStoredFamily, parseStoredRecord, type RecordStore } from '../record-store.ts';
import { buildSortKeys, parseCursor, writeCursor } from './cursor.ts';
import { readChoice, readInteger } from './parameters.ts';
import { parseQueryBody } from './queries.ts';
import { detailError, MISSING, NOT_INTEGER, tooSmall, validationError } from './service-errors.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Parses the key of a collect: digits are an id, other texts a shorthand name or a profile URL. Contract, "Keys". */
function parsePathKey(
  { family, keys }: RecordOperation,
  text: string,
): { kind: KeyKind; value: string } | undefined {
  const loc = ['path', `${families[family].subject}_id`];
  if (/^-?\d+$/.test(text)) {
    const id = normaliseId(text);
    if (id.ok) return id;
    if (/[1-9]/.test(text) && !text.startsWith('-')) return undefined;
    throw validationError({ loc, ...tooSmall(1) });
  }
  if (!keys.includes('shorthand_name')) throw validationError({ loc, ...NOT_INTEGER });
  const name = looksLikeUrl(text) ? parseProfileUrl(text, family) : normaliseShorthandName(text);
  return name.ok ? name : undefined;
}

/** Parses the key of an enrich: a bare domain or a full URL. Other texts match nothing. */
function parseQueryKey(name: string, query: URLSearchParams): { kind: KeyKind; value: string } | undefined {
  const text = query.get(name);
  if (text === null) throw validationError({ loc: ['query', name], ...MISSING });
  const website = normaliseWebsite(text);
  return website.ok ? website : undefined;
}

/**
 * Handles one collect or enrich.
 * @param key - the decoded last segment of the path, for operations whose path contains the key
 * @returns the record as JSON
 * @throws ServiceError 404 if no record has the key, 422 if the key is invalid
 */
export async function handleRecord(
  store: RecordStore,
  operation: RecordOperation,
  key: string | undefined,
  query: URLSearchParams,
): Promise<Response> {
  const { family, keyParameter } = operation;
  const recordKey =
    keyParameter === undefined ? parsePathKey(operation, key ?? '') : parseQueryKey(keyParameter, query);
  const stored = recordKey && (await store.find(getStoredFamily(family), recordKey.kind, recordKey.value));
  if (!stored) throw detailError(404, getSubject(family).notFoundMessage);
  const fields = query.getAll('fields');
  if (fields.length === 0) return new Response(stored.data, { headers: JSON_TYPE });
  const selected = Object.entries(parseStoredRecord(stored)).filter(([name]) => fields.includes(name));
  return new Response(stringifyExactly(Object.fromEntries(selected)), { headers: JSON_TYPE });
}

export interface SearchContext {
  repository: RecordRepository;
  /** Milliseconds since 1970, by the provider's clock. */
  now: () => number;
}

/** Provider API, "Limits". */
const itemsPerPage = { name: 'items_per_page', default: 1000, min: 1, max: 1000 };

async function findLastUpdate(
  store: RecordStore,
  operation: QueryOperation,
  id: string,
): Promise<string | undefined> {
  const family = getStoredFamily(operation.family);
  const record = (await store.findByIds(family, [id])).get(id);
  if (record === undefined) return undefined;
  const updated: unknown = JSON.parse(record.data)[families[family].updatedField];
  return typeof updated === 'string' ? updated : undefined;
}

/**
 * Handles a search.
 * @param body - the unparsed body
 * @returns the ids of a page, with the totals and the next page's cursor in headers
 * @throws ServiceError 422 or 400 if the request is invalid
 */
export async function handleSearch(
  context: SearchContext,
  operation: QueryOperation,
  parameters: URLSearchParams,
  body: string,
): Promise<Response> {
  const { family, style, sorts } = operation;
  const { repository, now } = context;
  const size = readInteger(parameters, itemsPerPage);
  const requestedSort = style === 'filter' ? readChoice(parameters, 'sort', sorts) : undefined;
  const parsed = parseQueryBody(family, style, body, sorts, now);
  const sort: SortField | undefined = requestedSort ?? parsed.sort;
  const after = parameters.get('after');
  const { total, hits } = await repository.search(getStoredFamily(family), {
    query: parsed.query,
    sort: buildSortKeys(family, sort),
    // One hit more than the page shows whether another page follows.
    size: size + 1,
    ...(after === null ? {} : { after: parseCursor(family, sort, after) }),
  });
  const page = hits.slice(0, size);
  const headers = new Headers({
    'x-total-results': String(total),
    'x-total-pages': String(Math.ceil(total / size)),
    'x-items-per-page': String(size),
  });
  const last = page.at(-1);
  if (last !== undefined && hits.length > size) {
    const updated =
      sort === undefined ? await findLastUpdate(repository.store, operation, last.id) : undefined;
    headers.set('x-next-page-after', writeCursor(family, sort, last, updated));
  }
  headers.set('content-type', 'application/json');
  // Ids stay text: a number can't hold those beyond 2^53.
  return new Response(`[${page.map(({ id }) => id).join(',')}]`, { headers });
}
