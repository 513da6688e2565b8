// Reads and writes the domains whose people may sign in. Writes are statements, so that callers can batch them.

import { and, asc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { DAY_MS } from '../../../../shared/lib/durations.ts';
import { domains, people, teams, tokens } from '../../../db/schema.ts';

export type DomainRow = typeof domains.$inferSelect;

export function findDomain(orm: DrizzleD1Database, domain: string): Promise<DomainRow | undefined> {
  return orm.select().from(domains).where(eq(domains.domain, domain)).get();
}

/**
 * Lists assignments by domain.
 * @param after - last domain of the previous page
 */
export function listDomains(orm: DrizzleD1Database, after = '', limit: number): Promise<DomainRow[]> {
  return orm
    .select()
    .from(domains)
    .where(gt(domains.domain, after))
    .orderBy(asc(domains.domain))
    .limit(limit)
    .all();
}

export function putDomain(orm: DrizzleD1Database, row: DomainRow) {
  const { createdAt: _, ...change } = row;
  return orm.insert(domains).values(row).onConflictDoUpdate({ target: domains.domain, set: change });
}

export function deleteDomain(orm: DrizzleD1Database, domain: string) {
  return orm.delete(domains).where(eq(domains.domain, domain));
}

const isTokenOfDomain = (orm: DrizzleD1Database, domain: string, condition?: SQL): SQL | undefined =>
  and(
    isNull(tokens.revokedAt),
    inArray(
      tokens.id,
      orm
        .select({ id: people.tokenId })
        .from(people)
        .where(and(eq(people.domain, domain), condition)),
    ),
  );

/** Lists the live tokens of a domain's people. */
export function listDomainTokens(
  orm: DrizzleD1Database,
  domain: string,
): Promise<{ id: string; teamId: string }[]> {
  return orm
    .select({ id: tokens.id, teamId: tokens.teamId })
    .from(tokens)
    .where(isTokenOfDomain(orm, domain))
    .all();
}

/**
 * Builds the statement that revokes the tokens of a domain's people.
 * @param exceptTeam - its tokens stay, and those of people with a rule; null if only the latter do
 */
export function revokeDomainTokens(
  orm: DrizzleD1Database,
  domain: string,
  now: number,
  exceptTeam?: string | null,
) {
  return orm
    .update(tokens)
    .set({ revokedAt: now })
    .where(
      and(
        isTokenOfDomain(orm, domain, exceptTeam === undefined ? undefined : eq(people.byRule, false)),
        sql`${tokens.teamId} IS NOT ${exceptTeam ?? null}`,
      ),
    )
    .returning({ id: tokens.id, teamId: tokens.teamId });
}

/**
 * Builds the statement that gives the tokens of a domain's people the scopes and rate of its assignment, and its latest expiry.
 * @param at - when the domain was assigned
 */
export function updateDomainTokens(
  orm: DrizzleD1Database,
  { domain, families, operations, ratePerMinute, tokenDays }: DomainRow,
  at: number,
) {
  const latestExpiry = at + tokenDays * DAY_MS;
  return orm
    .update(tokens)
    .set({ families, operations, ratePerMinute, expiresAt: sql`min(${tokens.expiresAt}, ${latestExpiry})` })
    .where(isTokenOfDomain(orm, domain));
}

/** Finds the assignment of a domain, with the name of its team: null without a team, or if it was deleted. */
export function findActiveDomain(
  orm: DrizzleD1Database,
  domain: string,
): Promise<{ assignment: DomainRow; team: string | null } | undefined> {
  return orm
    .select({ assignment: domains, team: teams.name })
    .from(domains)
    .leftJoin(teams, and(eq(teams.id, domains.teamId), isNull(teams.deletedAt)))
    .where(eq(domains.domain, domain))
    .get();
}
