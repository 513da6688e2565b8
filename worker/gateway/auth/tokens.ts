// Teams and their tokens, as D1 holds them, and what a token may do.
import { and, eq, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Family } from '../../../shared/families/index.ts';
import { teams, tokens } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { getLedger } from '../ledger/ledger-object.ts';
import type { Caps } from '../ledger/types.ts';
import type { OperationName } from '../provider-call.ts';
import { selectErasureVersion } from '../refusal-list/erasure-list.ts';

/** What a token may use; null is all. */
export interface Scopes {
  families: Family[] | null;
  operations: OperationName[] | null;
}

/** Who is asking: a token and the team it belongs to. */
export interface Caller {
  tokenId: string;
  teamId: string;
  teamName: string;
  scopes: Scopes;
  /** Calls that the token may make in a minute. */
  ratePerMinute: number;
  /** Milliseconds since 1970; null is never. */
  expiresAt: number | null;
  /** Does its team have stale records bought again behind the answer? */
  backgroundRefresh: boolean;
  /** The sidebar asks once more before it spends more credits than this; null is never. */
  confirmAboveCredits: number | null;
  /** The state of the erasures when the token was looked up: see {@link selectErasureVersion}. */
  erasureVersion: string;
}

/** What a token is made with. */
export interface TokenGrant extends Scopes {
  /** What people call it. */
  name: string;
  ratePerMinute: number;
  /** Milliseconds since 1970; null is never. */
  expiresAt: number | null;
}

const ID_LENGTH = 16;
const PREFIX_LENGTH = 8;

/** Calls that a token may make in a minute where nobody says otherwise. */
export const defaultRatePerMinute = 6000;

const unrestrictedGrant: TokenGrant = {
  name: '',
  families: null,
  operations: null,
  ratePerMinute: defaultRatePerMinute,
  expiresAt: null,
};

/** A token's id is the start of its hash: public, and no help in finding the token. */
const toTokenId = (hash: string): string => hash.slice(0, ID_LENGTH);

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Compares two hashes in a time that tells nothing of where they differ.
 * @param one - hexadecimal, of the same digest as the other
 */
export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && crypto.subtle.timingSafeEqual(toBytes(one), toBytes(other));
}

/**
 * Finds the caller behind a token: by its public id, then by its whole hash, compared in constant time.
 * @param hash - SHA-256 of the token, hexadecimal
 * @param now - milliseconds since 1970
 * @returns undefined where the token is unknown, expired or revoked, and where its team was deleted
 */
export async function findCallerByHash(
  db: D1Database,
  hash: string,
  now: number,
): Promise<Caller | undefined> {
  const found = await findCallerWithHash(db, toTokenId(hash), now);
  return found !== undefined && isSameHash(found.hash, hash) ? found.caller : undefined;
}

/**
 * Finds the caller whose token ordered work that nobody waits for, by the token's public id.
 * @param now - milliseconds since 1970
 * @returns undefined where the token is unknown, expired or revoked, and where its team was deleted
 */
export async function findCallerByTokenId(
  db: D1Database,
  tokenId: string,
  now: number,
): Promise<Caller | undefined> {
  return (await findCallerWithHash(db, tokenId, now))?.caller;
}

async function findCallerWithHash(
  db: D1Database,
  tokenId: string,
  now: number,
): Promise<{ hash: string; caller: Caller } | undefined> {
  const found = await drizzle(db)
    .select({
      hash: tokens.hash,
      tokenId: tokens.id,
      teamId: teams.id,
      teamName: teams.name,
      families: tokens.families,
      operations: tokens.operations,
      ratePerMinute: tokens.ratePerMinute,
      expiresAt: tokens.expiresAt,
      backgroundRefresh: teams.backgroundRefresh,
      confirmAboveCredits: teams.confirmAboveCredits,
      erasureVersion: selectErasureVersion(now),
    })
    .from(tokens)
    .innerJoin(teams, eq(teams.id, tokens.teamId))
    .where(and(eq(tokens.id, tokenId), isNull(tokens.revokedAt), isNull(teams.deletedAt)))
    .get();
  if (found === undefined || (found.expiresAt !== null && found.expiresAt <= now)) return undefined;
  const { hash, families, operations, ...caller } = found;
  return { hash, caller: { ...caller, scopes: { families, operations } } };
}

/** May a token use a family at all? */
export function canUseFamily({ scopes }: Caller, family: Family): boolean {
  return scopes.families === null || scopes.families.includes(family);
}

/**
 * Refuses what a token has no scope for.
 * @param operation - absent where the family is all that counts
 * @throws ProblemError `forbidden_scope` that names what is missing
 */
export function requireScope(caller: Caller, family: Family, operation?: OperationName): void {
  const { operations } = caller.scopes;
  const missing = [
    ...(canUseFamily(caller, family) ? [] : [`the family ${family}`]),
    ...(operation === undefined || operations === null || operations.includes(operation)
      ? []
      : [`the operation ${operation}`]),
  ];
  if (missing.length === 0) return;
  throw new ProblemError('forbidden_scope', `This token has no scope for ${missing.join(' and ')}.`);
}

/**
 * The row of a new token.
 * @param token - in the clear; only its hash and its first characters are in the row
 * @param now - milliseconds since 1970
 */
export async function createTokenRow(
  teamId: string,
  token: string,
  grant: TokenGrant,
  now: number,
): Promise<typeof tokens.$inferSelect> {
  const hash = await sha256Hex(token);
  return {
    id: toTokenId(hash),
    teamId,
    hash,
    prefix: token.slice(0, PREFIX_LENGTH),
    createdAt: now,
    revokedAt: null,
    ...grant,
  };
}

/**
 * Adds a team with one token, or does nothing where they are there already.
 * @param team - its id and name
 * @param token - the token in the clear; only its hash and its first characters are stored
 * @param now - milliseconds since 1970
 * @param grant - what the token may do, where that is not everything
 */
export async function addTeamWithToken(
  db: D1Database,
  team: { id: string; name: string },
  token: string,
  now: number,
  grant: Partial<TokenGrant> = {},
): Promise<void> {
  const row = await createTokenRow(team.id, token, { ...unrestrictedGrant, ...grant }, now);
  const orm = drizzle(db);
  await orm.batch([
    orm.insert(teams).values({ id: team.id, name: team.name, createdAt: now }).onConflictDoNothing(),
    orm.insert(tokens).values(row).onConflictDoNothing(),
  ]);
}

/**
 * Sees to it that a team is there with a token, its caps and its rate. What is there already stays as the admin has it.
 * @param token - in the clear
 * @param limits - `caps` of the team, `ratePerMinute` of the token
 * @param now - milliseconds since 1970
 */
export async function ensureTeam(
  env: Env,
  team: { id: string; name: string },
  token: string,
  { caps, ratePerMinute }: { caps: Caps; ratePerMinute: number },
  now: number,
): Promise<void> {
  const id = toTokenId(await sha256Hex(token));
  const orm = drizzle(env.DB);
  const [knownTeams, knownTokens] = await orm.batch([
    orm.select({ id: teams.id }).from(teams).where(eq(teams.id, team.id)),
    orm.select({ id: tokens.id }).from(tokens).where(eq(tokens.id, id)),
  ]);
  // The rows come last: where they are, the ledger knows.
  const ledger = getLedger(env, team.id);
  if (knownTeams.length === 0) await ledger.setBudget({ caps });
  if (knownTokens.length > 0) return;
  await ledger.setToken(id, { ratePerMinute });
  await addTeamWithToken(env.DB, team, token, now, { ratePerMinute });
}
