// Teams and their tokens, as D1 holds them.
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { sha256Hex } from '../hash.ts';
import { teams, tokens } from '../schema.ts';

/** Who is asking: a token and the team it belongs to. */
export interface Caller {
  tokenId: string;
  teamId: string;
  teamName: string;
}

const PREFIX_LENGTH = 8;

/**
 * Finds the caller behind a token.
 * @param hash - SHA-256 of the token, hexadecimal
 * @param now - milliseconds since 1970
 * @returns undefined where the token is unknown, expired or revoked
 */
export async function findCaller(db: D1Database, hash: string, now: number): Promise<Caller | undefined> {
  return drizzle(db)
    .select({ tokenId: tokens.id, teamId: teams.id, teamName: teams.name })
    .from(tokens)
    .innerJoin(teams, eq(teams.id, tokens.teamId))
    .where(
      and(
        eq(tokens.hash, hash),
        isNull(tokens.revokedAt),
        or(isNull(tokens.expiresAt), gt(tokens.expiresAt, now)),
      ),
    )
    .get();
}

/**
 * Adds a team with one token, or does nothing where they are there already.
 * @param team - its id and name
 * @param token - the token in the clear; only its hash and its first characters are stored
 * @param now - milliseconds since 1970
 */
export async function addTeamWithToken(
  db: D1Database,
  team: { id: string; name: string },
  token: string,
  now: number,
): Promise<void> {
  const hash = await sha256Hex(token);
  const orm = drizzle(db);
  await orm.batch([
    orm.insert(teams).values({ id: team.id, name: team.name, createdAt: now }).onConflictDoNothing(),
    orm
      .insert(tokens)
      .values({
        id: hash.slice(0, 16),
        teamId: team.id,
        hash,
        prefix: token.slice(0, PREFIX_LENGTH),
        createdAt: now,
      })
      .onConflictDoNothing(),
  ]);
}
