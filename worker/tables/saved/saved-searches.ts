// Stores searches that people save, for the whole team or for one token.
import { and, eq, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { maxSavedSearches } from '../../../shared/api/saved-searches.ts';
import { isInList } from '../../db/json-list.ts';
import { searches } from '../../db/schema.ts';

export type SavedSearchRow = typeof searches.$inferSelect;

/** What people choose of a saved search. */
export type SavedSearchContent = Omit<SavedSearchRow, 'id' | 'teamId' | 'createdAt' | 'updatedAt'>;

/** The team and the token of a caller. */
interface Owner {
  teamId: string;
  tokenId: string;
}

/** The team's searches and the caller's own. */
const isVisibleTo = ({ teamId, tokenId }: Owner): SQL | undefined =>
  and(eq(searches.teamId, teamId), or(isNull(searches.tokenId), eq(searches.tokenId, tokenId)));

const hasSameName = (
  teamId: string,
  { tokenId, foldedName }: Pick<SavedSearchRow, 'tokenId' | 'foldedName'>,
): SQL | undefined =>
  and(
    eq(searches.teamId, teamId),
    tokenId === null ? isNull(searches.tokenId) : eq(searches.tokenId, tokenId),
    eq(searches.foldedName, foldedName),
  );

export class SavedSearchRepository {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  #selectIds(where: SQL | undefined) {
    return this.#orm.select({ id: searches.id }).from(searches).where(where);
  }

  /** Lists the searches that a caller sees, by name. */
  list(owner: Owner): Promise<SavedSearchRow[]> {
    return this.#orm
      .select()
      .from(searches)
      .where(isVisibleTo(owner))
      .orderBy(searches.foldedName, searches.id)
      .all();
  }

  get(id: string, owner: Owner): Promise<SavedSearchRow | undefined> {
    return this.#orm
      .select()
      .from(searches)
      .where(and(eq(searches.id, id), isVisibleTo(owner)))
      .get();
  }

  /** Inserts a search, unless its name is taken or the team has as many as it may. */
  async insert(row: SavedSearchRow): Promise<'inserted' | 'name_taken' | 'too_many'> {
    // One statement, so that searches which are saved at the same time don't exceed the limit together.
    const [added] = await this.#orm
      .insert(searches)
      .select(
        sql`SELECT ${row.id}, ${row.teamId}, ${row.tokenId}, ${row.name}, ${row.foldedName}, ${row.family},
          ${JSON.stringify(row.query)}, ${row.sort}, ${row.columns && JSON.stringify(row.columns)},
          ${row.createdAt}, ${row.updatedAt}
          WHERE (SELECT count(*) FROM ${searches} WHERE ${eq(searches.teamId, row.teamId)}) < ${maxSavedSearches}`,
      )
      .onConflictDoNothing()
      .returning({ id: searches.id });
    if (added !== undefined) return 'inserted';
    return (await this.#selectIds(hasSameName(row.teamId, row)).get()) ? 'name_taken' : 'too_many';
  }

  /**
   * Replaces the content of a search that the caller sees.
   * @returns the new row, or why nothing changed
   */
  async update(
    id: string,
    owner: Owner,
    content: SavedSearchContent,
    now: number,
  ): Promise<SavedSearchRow | 'name_taken' | 'not_found'> {
    const others = and(hasSameName(owner.teamId, content), ne(searches.id, id));
    const [updated] = await this.#orm
      .update(searches)
      .set({ ...content, updatedAt: now })
      .where(and(eq(searches.id, id), isVisibleTo(owner), notExists(this.#selectIds(others))))
      .returning();
    if (updated !== undefined) return updated;
    return (await this.#selectIds(others).get()) ? 'name_taken' : 'not_found';
  }

  async delete(id: string, owner: Owner): Promise<void> {
    await this.#orm.delete(searches).where(and(eq(searches.id, id), isVisibleTo(owner)));
  }
}

export function deleteTokenSearches(orm: DrizzleD1Database, ...tokens: string[]) {
  return orm.delete(searches).where(isInList(searches.tokenId, tokens));
}
