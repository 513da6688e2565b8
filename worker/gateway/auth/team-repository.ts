// Reads and writes teams and tokens in D1. Writes are statements, so that callers can batch them with an audit entry.
import { and, asc, eq, gt, isNull, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { QueryBuilder } from 'drizzle-orm/sqlite-core';
import { isInList } from '../../db/json-list.ts';
import { teams, tokens } from '../../db/schema.ts';
import type { Caps } from '../ledger/types.ts';

export type TeamRow = typeof teams.$inferSelect;
export type TokenRow = typeof tokens.$inferSelect;

/** Finds a team by its id, deleted teams included. */
export function findTeam(orm: DrizzleD1Database, id: string): Promise<TeamRow | undefined> {
  return orm.select().from(teams).where(eq(teams.id, id)).get();
}

/**
 * Lists teams that were not deleted, the oldest first.
 * @param after - last team of the previous page
 */
export function listTeams(
  orm: DrizzleD1Database,
  after: TeamRow | undefined,
  limit: number,
): Promise<TeamRow[]> {
  return orm
    .select()
    .from(teams)
    .where(
      and(
        isNull(teams.deletedAt),
        after && sql`(${teams.createdAt}, ${teams.id}) > (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(asc(teams.createdAt), asc(teams.id))
    .limit(limit)
    .all();
}

/** Lists the ids and names of teams that were not deleted, by name. */
export const listTeamNames = (orm: DrizzleD1Database): Promise<Pick<TeamRow, 'id' | 'name'>[]> =>
  orm
    .select({ id: teams.id, name: teams.name })
    .from(teams)
    .where(isNull(teams.deletedAt))
    .orderBy(sql`${teams.name} COLLATE NOCASE`, asc(teams.id))
    .all();

/** Lists the ids of all teams, deleted ones included, the oldest first. */
export async function listTeamIds(orm: DrizzleD1Database): Promise<string[]> {
  const rows = await orm.select({ id: teams.id }).from(teams).orderBy(asc(teams.createdAt), asc(teams.id));
  return rows.map(({ id }) => id);
}

/** Finds the names of teams by id, those of deleted teams included. */
export async function findTeamNames(
  orm: DrizzleD1Database,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await orm
    .select({ id: teams.id, name: teams.name })
    .from(teams)
    .where(isInList(teams.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Lists the ids of teams that were not deleted by their name, upper and lower case alike. */
export async function listTeamsByName(
  orm: DrizzleD1Database,
  name: string,
  limit: number,
): Promise<string[]> {
  const rows = await orm
    .select({ id: teams.id })
    .from(teams)
    .where(and(isNull(teams.deletedAt), sql`lower(${teams.name}) = lower(${name})`))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Returns the columns of a team with copies of its caps. */
export const toCapColumns = ({ day, month }: Caps): Pick<TeamRow, 'dayCap' | 'monthCap'> => ({
  dayCap: day,
  monthCap: month,
});

export function insertTeam(orm: DrizzleD1Database, team: TeamRow) {
  return orm.insert(teams).values(team).onConflictDoNothing();
}

/** Builds the statement that inserts a team that a restore has lost, as a deleted one: its ledger and orders are still there. */
export function insertLostTeam(orm: DrizzleD1Database, id: string, now: number) {
  const team = { id, name: 'Lost in a restore', createdAt: now, deletedAt: now };
  return orm.insert(teams).values(team).onConflictDoNothing();
}

export function updateTeam(
  orm: DrizzleD1Database,
  id: string,
  change: Partial<Omit<TeamRow, 'id' | 'createdAt' | 'deletedAt'>>,
) {
  return orm.update(teams).set(change).where(eq(teams.id, id));
}

/** Builds the statements that mark a team as deleted and revoke its tokens. */
export function deleteTeam(orm: DrizzleD1Database, id: string, now: number) {
  return [
    orm.update(teams).set({ deletedAt: now }).where(eq(teams.id, id)),
    orm
      .update(tokens)
      .set({ revokedAt: now })
      .where(and(eq(tokens.teamId, id), isNull(tokens.revokedAt))),
  ] as const;
}

export function findToken(orm: DrizzleD1Database, team: string, id: string): Promise<TokenRow | undefined> {
  return orm
    .select()
    .from(tokens)
    .where(and(eq(tokens.id, id), eq(tokens.teamId, team)))
    .get();
}

export async function findTokenTeam(orm: DrizzleD1Database, id: string): Promise<string | undefined> {
  const row = await orm.select({ team: tokens.teamId }).from(tokens).where(eq(tokens.id, id)).get();
  return row?.team;
}

/**
 * Lists tokens of a team, revoked ones included, the oldest first.
 * @param after - last token of the previous page
 */
export function listTokens(
  orm: DrizzleD1Database,
  team: string,
  after: TokenRow | undefined,
  limit: number,
): Promise<TokenRow[]> {
  return orm
    .select()
    .from(tokens)
    .where(
      and(
        eq(tokens.teamId, team),
        after && sql`(${tokens.createdAt}, ${tokens.id}) > (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(asc(tokens.createdAt), asc(tokens.id))
    .limit(limit)
    .all();
}

/** Tells whether any team has a token that is neither revoked nor expired. */
export async function hasValidToken(orm: DrizzleD1Database, now: number): Promise<boolean> {
  const row = await orm
    .select({ id: tokens.id })
    .from(tokens)
    .where(and(isNull(tokens.revokedAt), or(isNull(tokens.expiresAt), gt(tokens.expiresAt, now))))
    .limit(1)
    .get();
  return row !== undefined;
}

export function insertToken(orm: DrizzleD1Database, token: TokenRow) {
  return orm.insert(tokens).values(token);
}

export function updateToken(
  orm: DrizzleD1Database,
  id: string,
  change: Partial<Pick<TokenRow, 'name' | 'ratePerMinute' | 'revokedAt'>>,
) {
  return orm.update(tokens).set(change).where(eq(tokens.id, id));
}

// SQL expressions for queries of other folders over their own tables.

const builder = new QueryBuilder();

/** Selects the name of a team; NULL if there is no such team. */
export const selectTeamName = (id: SQLWrapper): SQL<string | null> =>
  sql<string | null>`(SELECT ${teams.name} FROM ${teams} WHERE ${eq(teams.id, id)})`;

/** Selects a cap of a team; NULL if it has none, or the team was deleted. */
export const selectCap = (id: SQLWrapper, cap: 'dayCap' | 'monthCap'): SQL<number | null> =>
  sql<
    number | null
  >`(SELECT ${teams[cap]} FROM ${teams} WHERE ${and(eq(teams.id, id), isNull(teams.deletedAt))})`;

/** Creates the function that selects a column of a token; NULL if there is no such token. */
const selectOfToken =
  (column: SQLWrapper) =>
  (id: SQLWrapper): SQL<string | null> =>
    sql<string | null>`(SELECT ${column} FROM ${tokens} WHERE ${eq(tokens.id, id)})`;

export const selectTokenName = selectOfToken(tokens.name);
export const selectTokenPerson = selectOfToken(tokens.personId);
export const selectTokenPrefix = selectOfToken(tokens.prefix);

/** Builds the condition that a token belongs to a team and is neither revoked nor expired. */
export const isValidToken = (id: SQLWrapper, team: SQLWrapper, now: number): SQL<boolean> =>
  sql<boolean>`EXISTS (SELECT 1 FROM ${tokens} WHERE ${and(
    eq(tokens.id, id),
    eq(tokens.teamId, team),
    isNull(tokens.revokedAt),
    or(isNull(tokens.expiresAt), gt(tokens.expiresAt, now)),
  )})`;

/** Builds the condition that a team exists and was not deleted. */
export const isActiveTeam = (id: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${teams} WHERE ${teams.id} = ${id} AND ${teams.deletedAt} IS NULL)`;

/** Selects the ids of teams that were deleted before a time, in milliseconds since 1970. */
export const selectTeamsDeletedBefore = (time: number) =>
  builder.select({ id: teams.id }).from(teams).where(lt(teams.deletedAt, time));
