// Handles searches: returns a page of record ids and the cursor to the next page.
import { families } from '../../../shared/families/index.ts';
import type { QueryOperation, SortField } from '../../../shared/operations.ts';
import type { RecordRepository } from '../record-repository.ts';
import { getStoredFamily, type RecordStore } from '../record-store.ts';
import { buildSortKeys, parseCursor, writeCursor } from './cursor.ts';
import { readChoice, readInteger } from './parameters.ts';
import { parseQueryBody } from './queries.ts';

/** Dependencies of searches and previews. */
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
