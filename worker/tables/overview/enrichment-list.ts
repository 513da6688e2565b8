// Lists the columns that are kept filled, of all teams, for the admin.
import { and, asc, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type EnrichmentRow, enrichments } from '../../db/schema.ts';
import { isValidToken, selectTeamName } from '../../gateway/auth/team-repository.ts';

type EnrichmentId = Pick<EnrichmentRow, 'teamId' | 'id'>;

/** An enrichment with the name of its team. */
export interface ListedEnrichment {
  row: EnrichmentRow;
  /** Whether the token that pays for the closed spreadsheet is valid. */
  hasPayer: boolean;
  teamName: string | null;
}

const selectListed = (db: D1Database, now: number) =>
  drizzle(db)
    .select({
      row: enrichments,
      hasPayer: isValidToken(enrichments.tokenId, enrichments.teamId, now).mapWith(Boolean),
      teamName: selectTeamName(enrichments.teamId),
    })
    .from(enrichments);

export const findListedEnrichment = (
  db: D1Database,
  { teamId, id }: EnrichmentId,
  now: number,
): Promise<ListedEnrichment | undefined> =>
  selectListed(db, now)
    .where(and(eq(enrichments.teamId, teamId), eq(enrichments.id, id)))
    .get();

/**
 * Lists a page of enrichments by team and id.
 * @param after - the last one of the previous page
 */
export const listEnrichments = (
  db: D1Database,
  team: string | undefined,
  after: EnrichmentId | undefined,
  limit: number,
  now: number,
): Promise<ListedEnrichment[]> =>
  selectListed(db, now)
    .where(
      and(
        team === undefined ? undefined : eq(enrichments.teamId, team),
        after && sql`(${enrichments.teamId}, ${enrichments.id}) > (${after.teamId}, ${after.id})`,
      ),
    )
    .orderBy(asc(enrichments.teamId), asc(enrichments.id))
    .limit(limit)
    .all();
