// /sheets/v1/searches: searches that people keep, for the whole team or for themselves.

import { and, eq, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import {
  maxSavedQueryLength,
  maxSavedSearches,
  type SavedSearch,
  type SavedSearchRequest,
  savedSearch,
  savedSearchesResponse,
  savedSearchRequest,
} from '../../../shared/api/saved-searches.ts';
import { searches } from '../../db/schema.ts';
import { type Caller, canUseFamily, requireScope } from '../../gateway/auth/tokens.ts';
import { buildProviderQuery } from '../../gateway/query.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { invalidRequest } from '../route.ts';
import { type Route, smallRoute } from './route.ts';

type Row = typeof searches.$inferSelect;

const params = z.object({ id: z.uuid().toLowerCase().describe('Id of the saved search.') });

const notFound = (): ProblemError =>
  new ProblemError('not_found', 'There is no saved search under this id.', 'Look the id up in the list.');

function toView(row: Row): SavedSearch {
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

/** The team's searches, and the caller's own. */
const visibleTo = ({ teamId, tokenId }: Caller): SQL | undefined =>
  and(eq(searches.teamId, teamId), or(isNull(searches.tokenId), eq(searches.tokenId, tokenId)));

/** A name stands once with an owner, however it is written. */
const fold = (name: string): string => name.normalize('NFKC').toLowerCase();

/**
 * Reads what is to be kept.
 * @throws ProblemError where the token may not use the family, or the family has no such query
 */
function parseContent(body: SavedSearchRequest, caller: Caller) {
  const { name, family, query, sort, columns, shared } = body;
  const { operations } = caller.scopes;
  requireScope(caller, family, operations?.includes('preview') ? 'preview' : 'search');
  const { body: said } = buildProviderQuery('search', family, query, sort);
  if (said.length > maxSavedQueryLength) {
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

type Content = ReturnType<typeof parseContent>;

/** Searches of the same owner and name. */
const hasSameName = ({ teamId }: Caller, { tokenId, foldedName }: Content): SQL | undefined =>
  and(
    eq(searches.teamId, teamId),
    tokenId === null ? isNull(searches.tokenId) : eq(searches.tokenId, tokenId),
    eq(searches.foldedName, foldedName),
  );

const selectIds = (orm: DrizzleD1Database, where: SQL | undefined) =>
  orm.select({ id: searches.id }).from(searches).where(where);

const list = smallRoute({
  method: 'GET',
  path: '/searches',
  summary: 'Saved searches',
  description: 'Those of families that the token may not use are left out.',
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'Saved searches, by name', schema: savedSearchesResponse },
  handle: async (_, { env, caller }) => {
    const rows = await drizzle(env.DB)
      .select()
      .from(searches)
      .where(visibleTo(caller))
      .orderBy(searches.foldedName, searches.id);
    return { searches: rows.filter(({ family }) => canUseFamily(caller, family)).map(toView) };
  },
});

const create = smallRoute({
  method: 'POST',
  path: '/searches',
  summary: 'Save a search; spends nothing',
  description: `At most ${maxSavedSearches} a team.`,
  problems: ['invalid_request', 'unknown_field', 'too_large', 'forbidden_scope', 'name_taken', 'too_many'],
  request: z.object({ body: savedSearchRequest }),
  success: { status: 201, description: 'The saved search', schema: savedSearch },
  handle: async ({ body }, { env, caller, now, newId }) => {
    const content = parseContent(body, caller);
    const { teamId } = caller;
    const orm = drizzle(env.DB);
    const row: Row = { id: newId(), teamId, ...content, createdAt: now, updatedAt: now };
    // One statement, so that searches which are saved at once do not pass the bound together.
    const [added] = await orm
      .insert(searches)
      .select(
        sql`SELECT ${row.id}, ${teamId}, ${row.tokenId}, ${row.name}, ${row.foldedName}, ${row.family},
          ${JSON.stringify(row.query)}, ${row.sort}, ${row.columns && JSON.stringify(row.columns)}, ${now}, ${now}
          WHERE (SELECT count(*) FROM ${searches} WHERE ${eq(searches.teamId, teamId)}) < ${maxSavedSearches}`,
      )
      .onConflictDoNothing()
      .returning({ id: searches.id });
    if (added !== undefined) return toView(row);
    throw new ProblemError(
      (await selectIds(orm, hasSameName(caller, content)).get()) ? 'name_taken' : 'too_many',
    );
  },
});

/** @throws ProblemError `not_found`, `forbidden_scope` */
async function find(orm: DrizzleD1Database, id: string, caller: Caller): Promise<Row> {
  const row = await orm
    .select()
    .from(searches)
    .where(and(eq(searches.id, id), visibleTo(caller)))
    .get();
  if (row === undefined) throw notFound();
  requireScope(caller, row.family);
  return row;
}

const get = smallRoute({
  method: 'GET',
  path: '/searches/{id}',
  summary: 'A saved search',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params }),
  success: { status: 200, description: 'The saved search', schema: savedSearch },
  handle: async ({ params: { id } }, { env, caller }) => toView(await find(drizzle(env.DB), id, caller)),
});

const update = smallRoute({
  method: 'PUT',
  path: '/searches/{id}',
  summary: 'Put another search in the place of a saved one',
  problems: ['not_found', 'invalid_request', 'unknown_field', 'too_large', 'forbidden_scope', 'name_taken'],
  request: z.object({ params, body: savedSearchRequest }),
  success: { status: 200, description: 'The saved search', schema: savedSearch },
  handle: async ({ params: { id }, body }, { env, caller, now }) => {
    const orm = drizzle(env.DB);
    const before = await find(orm, id, caller);
    const content = parseContent(body, caller);
    const others = and(hasSameName(caller, content), ne(searches.id, id));
    const [changed] = await orm
      .update(searches)
      .set({ ...content, updatedAt: now })
      .where(and(eq(searches.id, before.id), visibleTo(caller), notExists(selectIds(orm, others))))
      .returning();
    if (changed !== undefined) return toView(changed);
    throw (await selectIds(orm, others).get()) ? new ProblemError('name_taken') : notFound();
  },
});

const remove = smallRoute({
  method: 'DELETE',
  path: '/searches/{id}',
  summary: 'Delete a saved search',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params }),
  success: { status: 204, description: 'Deleted' },
  handle: async ({ params: { id } }, { env, caller }) => {
    const orm = drizzle(env.DB);
    await find(orm, id, caller);
    await orm.delete(searches).where(and(eq(searches.id, id), visibleTo(caller)));
    return undefined;
  },
});

export const savedSearchRoutes: readonly Route[] = [list, create, get, update, remove];
