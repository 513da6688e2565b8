// Reads and writes signed-in people. Each has one token.

import { and, asc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { DAY_MS } from '../../../../shared/lib/durations.ts';
import type { RetentionRule } from '../../../db/retention.ts';
import { domains, people, tokens } from '../../../db/schema.ts';
import type { TokenRow } from '../team-repository.ts';
import type { DomainRow } from './domain-repository.ts';

export type PersonRow = typeof people.$inferSelect;

/** People without a sign-in during this time are deleted. */
export const KEPT_DAYS = 365;

/** People of one domain. */
export const maxPeople = 10_000;

/** Returns whether another person of a domain may sign in. */
export async function hasSpaceForPerson(orm: DrizzleD1Database, domain: string): Promise<boolean> {
  return (await orm.$count(people, eq(people.domain, domain))) < maxPeople;
}

/** The place that a person's e-mail address is encrypted for. */
export const getEmailPlace = (id: string): string => `people.email ${id}`;

export function findPerson(orm: DrizzleD1Database, id: string): Promise<PersonRow | undefined> {
  return orm.select().from(people).where(eq(people.id, id)).get();
}

/** Finds a person with the person's token, if it was not revoked. */
export async function findPersonWithToken(
  orm: DrizzleD1Database,
  id: string,
): Promise<{ person: PersonRow; token: TokenRow | null } | undefined> {
  return orm
    .select({ person: people, token: tokens })
    .from(people)
    .leftJoin(tokens, and(eq(tokens.id, people.tokenId), isNull(tokens.revokedAt)))
    .where(eq(people.id, id))
    .get();
}

/**
 * Lists people, the oldest first.
 * @param domain - absent for all
 * @param after - last person of the previous page
 */
export function listPeople(
  orm: DrizzleD1Database,
  domain: string | undefined,
  after: PersonRow | undefined,
  limit: number,
): Promise<PersonRow[]> {
  return orm
    .select()
    .from(people)
    .where(
      and(
        domain === undefined ? undefined : eq(people.domain, domain),
        after && sql`(${people.createdAt}, ${people.id}) > (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(asc(people.createdAt), asc(people.id))
    .limit(limit)
    .all();
}

/** Builds the statement that revokes a person, or allows the person again. */
export function setPersonRevoked(orm: DrizzleD1Database, id: string, revokedAt: number | null) {
  return orm.update(people).set({ revokedAt }).where(eq(people.id, id));
}

export function revokeTokenPerson(orm: DrizzleD1Database, tokenId: string, now: number) {
  return orm
    .update(people)
    .set({ revokedAt: now })
    .where(and(eq(people.tokenId, tokenId), isNull(people.revokedAt)));
}

function revokeToken(orm: DrizzleD1Database, id: string | SQL, now: number, condition?: SQL) {
  return orm
    .update(tokens)
    .set({ revokedAt: now })
    .where(and(eq(tokens.id, id), isNull(tokens.revokedAt), condition));
}

/** Builds the statement that revokes a person's token, whichever it is by then. */
export function revokePersonToken(orm: DrizzleD1Database, id: string, now: number) {
  const tokenId = sql`(SELECT ${people.tokenId} FROM ${people} WHERE ${eq(people.id, id)})`;
  return revokeToken(orm, tokenId, now).returning({ id: tokens.id, teamId: tokens.teamId });
}

/**
 * Replaces the values of all people's tokens, so that none works: after a restore of D1 it would accept values that later
 * sign-ins have replaced. People get new values with the next sign-in, and their tokens keep their ids.
 */
export async function replacePersonTokenValues(orm: DrizzleD1Database): Promise<void> {
  await orm
    .update(tokens)
    .set({ hash: sql`lower(hex(randomblob(32)))` })
    .where(inArray(tokens.id, orm.select({ id: people.tokenId }).from(people)));
}

/** Builds the statements that delete a person. Of a revoked person the pseudonym stays. */
export function deletePerson(orm: DrizzleD1Database, id: string) {
  return [
    orm.update(tokens).set({ personId: null }).where(eq(tokens.personId, id)),
    orm.delete(people).where(and(eq(people.id, id), isNull(people.revokedAt))),
    orm.update(people).set({ email: null }).where(eq(people.id, id)),
  ] as const;
}

/** Deletes people whose last sign-in is a year ago. */
export const peopleRetention: RetentionRule = {
  table: people,
  key: [people.id],
  isExpired: (before) => and(lt(people.lastSeenAt, before), isNull(people.revokedAt)),
  days: KEPT_DAYS,
};

/** Deletes the addresses of revoked people after the same time. Their pseudonyms stay, so that they stay revoked. */
export async function deleteOldEmails(db: D1Database, now: number): Promise<void> {
  await drizzle(db)
    .update(people)
    .set({ email: null })
    .where(and(lt(people.lastSeenAt, now - KEPT_DAYS * DAY_MS), sql`${people.email} IS NOT NULL`));
}

/** A sign-in that replaces the value of a person's token, or the token. */
export interface NewSignIn {
  assignment: DomainRow;
  person: PersonRow & { email: string };
  token: TokenRow;
  /** Id of the person's token as it was read; undefined for a new person. */
  formerTokenId: string | undefined;
}

/**
 * Stores a sign-in in one transaction, if neither the assignment nor the person has changed since they were read.
 * @returns false if they have; nothing is stored then
 */
export async function storeSignIn(
  orm: DrizzleD1Database,
  { assignment, person, token, formerTokenId }: NewSignIn,
): Promise<boolean> {
  const { domain, version } = assignment;
  const isCurrent = sql`EXISTS (SELECT 1 FROM ${domains} WHERE ${and(eq(domains.domain, domain), eq(domains.version, version))})`;
  // Deleted meanwhile: the row must not come back with a token that was revoked.
  const stillExists =
    formerTokenId === undefined
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM ${people} WHERE ${eq(people.id, person.id)})`;
  const isReplaceable = and(
    isNull(people.revokedAt),
    formerTokenId === undefined ? sql`FALSE` : eq(people.tokenId, formerTokenId),
    or(
      sql`${people.tokenId} <> ${token.id}`,
      sql`EXISTS (SELECT 1 FROM ${tokens} WHERE ${and(eq(tokens.id, token.id), isNull(tokens.revokedAt))})`,
    ),
  );
  // No two encryptions of an address are equal, so this one shows that the first statement has written the row.
  const isClaimed = sql`EXISTS (SELECT 1 FROM ${people} WHERE ${and(eq(people.id, person.id), eq(people.email, person.email))})`;
  const { hash, prefix, name, families, operations, ratePerMinute, expiresAt } = token;
  const [, written] = await orm.batch([
    orm
      .insert(people)
      .select(
        sql`SELECT ${person.id}, ${person.domain}, ${person.email}, ${token.id}, ${person.createdAt}, ${person.lastSeenAt}, NULL, ${Number(person.byRule)} WHERE ${isCurrent} AND ${stillExists}`,
      )
      .onConflictDoUpdate({
        target: people.id,
        set: {
          domain: person.domain,
          email: person.email,
          tokenId: token.id,
          lastSeenAt: person.lastSeenAt,
          byRule: person.byRule,
        },
        setWhere: isReplaceable ?? sql`FALSE`,
      }),
    orm
      .insert(tokens)
      .select(
        sql`SELECT ${token.id}, ${token.teamId}, ${hash}, ${prefix}, ${token.createdAt}, ${expiresAt}, NULL, ${name},
          ${families === null ? null : JSON.stringify(families)}, ${operations === null ? null : JSON.stringify(operations)},
          ${ratePerMinute}, ${person.id} WHERE ${isClaimed}`,
      )
      .onConflictDoUpdate({
        target: tokens.id,
        set: { hash, prefix, expiresAt, name, families, operations, ratePerMinute, personId: person.id },
      })
      .returning({ id: tokens.id }),
    ...(formerTokenId === undefined || formerTokenId === token.id
      ? []
      : [revokeToken(orm, formerTokenId, person.lastSeenAt, isClaimed)]),
  ]);
  return written.length === 1;
}
