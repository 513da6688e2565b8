// /sheets/v1/searches: saved searches, shared with the team or private to a token.
import {
  maxSavedQueryLength,
  maxSavedSearches,
  type SavedSearch,
  type SavedSearchRequest,
} from '../../../shared/api/saved-searches.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { type Caller, canUse, requireScope } from '../../gateway/auth/tokens.ts';
import { buildProviderQuery } from '../../gateway/query.ts';
import { invalidRequest, ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import {
  type SavedSearchContent,
  SavedSearchRepository,
  type SavedSearchRow,
} from '../../tables/saved/saved-searches.ts';
import { type Route, smallRoute } from './route.ts';

const notFound = (): ProblemError =>
  new ProblemError('not_found', 'This saved search does not exist.', 'Check the list of saved searches.');

function toView(row: SavedSearchRow): SavedSearch {
  const { id, name, family, query, sort, columns, tokenId, createdAt, updatedAt } = row;
  return {
    id,
    name,
    family,
    query,
    ...(sort === null ? {} : { sort }),
    ...(columns === null ? {} : { columns }),
    shared: tokenId === null,
    created_at: toIsoTime(createdAt),
    updated_at: toIsoTime(updatedAt),
  };
}

/** Folds a name for comparison. Names are unique for each owner. */
const fold = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Returns the operation that saved searches require of a token: `preview` instead of `search` if it has that one. */
const getQueryOperation = ({ scopes: { operations } }: Caller) =>
  operations?.includes('preview') ? 'preview' : 'search';

/**
 * Validates a saved search.
 * @throws ProblemError if the token may not use the family, or the family does not support the query
 */
function parseContent(body: SavedSearchRequest, caller: Caller): SavedSearchContent {
  const { name, family, query, sort, columns, shared } = body;
  requireScope(caller, family, getQueryOperation(caller));
  const { body: providerBody } = buildProviderQuery('search', family, query, sort);
  if (providerBody.length > maxSavedQueryLength) {
    throw invalidRequest('query', `is longer than ${maxSavedQueryLength} characters`);
  }
  return {
    name,
    foldedName: fold(name),
    family,
    query,
    sort: sort ?? null,
    columns: columns ?? null,
    tokenId: shared ? null : caller.tokenId,
  };
}

const list = smallRoute(endpoints.listSearches, {
  summary: 'List saved searches',
  description:
    'Families outside the token’s scopes are left out; without the operation `search` or `preview`, all are.',
  returns: 'Saved searches, by name',
  handle: async (_, { env, caller }) => {
    const rows = await new SavedSearchRepository(env.DB).list(caller);
    const operation = getQueryOperation(caller);
    return { searches: rows.filter(({ family }) => canUse(caller, family, operation)).map(toView) };
  },
});

const create = smallRoute(endpoints.createSearch, {
  summary: 'Save a search; free',
  description: `At most ${maxSavedSearches} for each team.`,
  returns: 'The saved search',
  handle: async ({ body }, { env, caller, now, newId }) => {
    const content = parseContent(body, caller);
    const { teamId } = caller;
    const row: SavedSearchRow = { id: newId(), teamId, ...content, createdAt: now, updatedAt: now };
    const result = await new SavedSearchRepository(env.DB).insert(row);
    if (result !== 'inserted') throw new ProblemError(result);
    return toView(row);
  },
});

/**
 * Finds a saved search that the caller can see.
 * @throws ProblemError `not_found`, `forbidden_scope`
 */
async function find(searches: SavedSearchRepository, id: string, caller: Caller): Promise<SavedSearchRow> {
  const row = await searches.get(id, caller);
  if (row === undefined) throw notFound();
  requireScope(caller, row.family, getQueryOperation(caller));
  return row;
}

const get = smallRoute(endpoints.getSearch, {
  summary: 'Get a saved search',
  returns: 'The saved search',
  handle: async ({ params: { id } }, { env, caller }) =>
    toView(await find(new SavedSearchRepository(env.DB), id, caller)),
});

const update = smallRoute(endpoints.putSearch, {
  summary: 'Replace a saved search',
  returns: 'The saved search',
  handle: async ({ params: { id }, body }, { env, caller, now }) => {
    const searches = new SavedSearchRepository(env.DB);
    await find(searches, id, caller);
    const result = await searches.update(id, caller, parseContent(body, caller), now);
    if (result === 'name_taken') throw new ProblemError('name_taken');
    if (result === 'not_found') throw notFound();
    return toView(result);
  },
});

const remove = smallRoute(endpoints.deleteSearch, {
  summary: 'Delete a saved search',
  returns: 'Deleted',
  handle: async ({ params: { id } }, { env, caller }) => {
    const searches = new SavedSearchRepository(env.DB);
    await find(searches, id, caller);
    await searches.delete(id, caller);
    return undefined;
  },
});

export const savedSearchRoutes: readonly Route[] = [list, create, get, update, remove];
