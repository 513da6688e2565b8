// What data requests need of the search, and how they get it.
import type { Family } from '../../../shared/families/index.ts';
import { operations, type QueryStyle, type SortField } from '../../../shared/operations.ts';
import { orderOf } from '../api/cursor.ts';
import { type ReadQuery, readDsl, readFilters } from '../api/queries.ts';
import { engineRefusal } from '../api/engine-errors.ts';
import type { SandboxBindings } from '../bindings.ts';
import { libraryOf } from '../record-repository.ts';
import { storedFamily } from '../record-store.ts';

/** A query of a data request. */
export interface RequestQuery {
  family: Family;
  style: QueryStyle;
  /** The filter object or the DSL body, as it came in JSON. */
  query: unknown;
  /** What `now` means in it: milliseconds since 1970. */
  now: number;
}

/** What a query matches. */
export interface SelectedIds {
  /** In the order that the query asks for, at most as many as were wanted. */
  ids: string[];
  /** How many it matches in all. */
  total: number;
}

/** The part of the search that data requests use. */
export interface RequestServices {
  /**
   * Reads a query without running it.
   * @throws ServiceError 422 or 400 that says what is wrong with it
   */
  checkQuery: (query: RequestQuery) => void;
  /**
   * Runs a query.
   * @throws ServiceError where it can't be run to its end
   */
  selectIds: (env: SandboxBindings, query: RequestQuery, limit: number) => Promise<SelectedIds>;
}

function sortsOf(family: Family): readonly SortField[] {
  const search = operations.find(
    (operation) => operation.name === 'search' && operation.family === family && operation.style === 'es_dsl',
  );
  return search?.name === 'search' ? search.sorts : [];
}

function read({ family, style, query, now }: RequestQuery): ReadQuery {
  return style === 'filter'
    ? readFilters(family, query, () => now, ['filters'])
    : readDsl(family, query, sortsOf(family), () => now);
}

/** The search of the sandbox. */
export const requestServices: RequestServices = {
  checkQuery: (query) => {
    read(query);
  },
  selectIds: async (env, asked, limit) => {
    const { family } = asked;
    const { query, sort } = read(asked);
    try {
      const request = { query, sort: orderOf(family, sort), size: limit };
      const { total, hits } = await libraryOf(env.SANDBOX_DB).search(storedFamily(family), request);
      return { ids: hits.map(({ id }) => id), total };
    } catch (error) {
      throw engineRefusal(error) ?? error;
    }
  },
};
