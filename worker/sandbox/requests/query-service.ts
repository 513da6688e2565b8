// Validates and runs the queries of data requests.
import type { Family } from '../../../shared/families/index.ts';
import { operations, type QueryStyle, type SortField } from '../../../shared/operations.ts';
import { buildSortKeys } from '../api/cursor.ts';
import { type ParsedQuery, parseDsl, parseFilters, toServiceError } from '../api/queries.ts';
import { getRecordRepository } from '../record-repository.ts';
import { getStoredFamily } from '../record-store.ts';

export interface RequestQuery {
  family: Family;
  style: QueryStyle;
  /** The filter object or the DSL body, as JSON with bigints. */
  query: unknown;
  /** The value of `now` in the query, in milliseconds since 1970. */
  now: number;
}

export interface SelectedIds {
  /** In the query's order, limited to the requested number. */
  ids: string[];
  /** Number of all matches. */
  total: number;
}

/** The part of the search that data requests use. */
export interface QueryService {
  /**
   * Validates a query without running it.
   * @throws ServiceError 422 or 400 that names the invalid part
   */
  checkQuery: (query: RequestQuery) => void;
  /**
   * Runs a query.
   * @throws ServiceError if the query exceeds a limit of the engine
   */
  selectIds: (db: D1Database, query: RequestQuery, limit: number) => Promise<SelectedIds>;
}

function findSortFields(family: Family): readonly SortField[] {
  const search = operations.find(
    (operation) => operation.name === 'search' && operation.family === family && operation.style === 'es_dsl',
  );
  return search?.name === 'search' ? search.sorts : [];
}

function parseQuery({ family, style, query, now }: RequestQuery): ParsedQuery {
  return style === 'filter'
    ? parseFilters(family, query, () => now, ['filters'])
    : parseDsl(family, query, findSortFields(family), () => now);
}

export const queryService: QueryService = {
  checkQuery: (query) => {
    parseQuery(query);
  },
  selectIds: async (db, request, limit) => {
    const { family } = request;
    const { query, sort } = parseQuery(request);
    try {
      const search = { query, sort: buildSortKeys(family, sort), size: limit };
      const { total, hits } = await getRecordRepository(db).search(getStoredFamily(family), search);
      return { ids: hits.map(({ id }) => id), total };
    } catch (error) {
      throw toServiceError(error, request.style) ?? error;
    }
  },
};
