// Tokens in D1: the callers of the gateway and their permissions.
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { permitsAlerts } from '../../../shared/alerts-scope.ts';
import type { Family } from '../../../shared/families/index.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import type { ScopeName } from '../../../shared/operations.ts';
import { teams, tokens } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { getLedger } from '../ledger/ledger-object.ts';
import type { Caps, TokenChange } from '../ledger/types.ts';
import type { OperationName } from '../provider-call.ts';
import { selectErasureVersion } from '../refusal-list/erasure-list.ts';
import { type TeamRow, toCapColumns } from './team-repository.ts';

/** What a token permits. null permits everything. */
export interface Scopes {
  families: Family[] | null;
  operations: ScopeName[] | null;
}

/** The caller of a request: a token and its team. */
export interface Caller {
  tokenId: string;
  teamId: string;
  /** Pseudonym of the person who signed in; null for connections that others may use. */
  personId: string | null;
  teamName: string;
  scopes: Scopes;
  ratePerMinute: number;
  /** Milliseconds since 1970; null is never. */
  expiresAt: number | null;
  /** Whether stale records are refreshed in the background. */
  backgroundRefresh: boolean;
  /** The sidebar asks for confirmation above this price; null is never. */
  confirmAboveCredits: number | null;
  /** Credits that a run of a formula without `max_credits` may cost without a confirmation; null is no limit. */
  formulaMaxCredits: number | null;
  /** Changes with every erasure: see {@link selectErasureVersion}. Read when the token was verified. */
  erasureVersion: string;
}

export interface TokenGrant extends Scopes {
  /** Name for people. */
  name: string;
  ratePerMinute: number;
  /** Milliseconds since 1970; null is never. */
  expiresAt: number | null;
}

const ID_LENGTH = 16;
const PREFIX_LENGTH = 8;

export const defaultRatePerMinute = 6000;

const unrestrictedGrant: TokenGrant = {
  name: '',
  families: null,
  operations: null,
  ratePerMinute: defaultRatePerMinute,
  expiresAt: null,
};

/** Returns the public id of a token: the start of its hash. It does not help to guess the token. */
const toTokenId = (hash: string): string => hash.slice(0, ID_LENGTH);

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Compares two hashes of the same algorithm in constant time.
 */
export function isSameHash(hash: string, other: string): boolean {
  return hash.length === other.length && crypto.subtle.timingSafeEqual(toBytes(hash), toBytes(other));
}

/**
 * Finds the caller of a token: by the index of hashes, then by its whole hash in constant time. The token of a person who
 * signs in keeps its id while its value changes.
 * @param hash - SHA-256 of the token, hexadecimal
 * @returns undefined if the token is unknown, expired or revoked, or its team was deleted
 */
export async function findCallerByHash(
  db: D1Database,
  hash: string,
  now: number,
): Promise<Caller | undefined> {
  const found = await findCallerWithHash(db, eq(tokens.hash, hash), now);
  return found !== undefined && isSameHash(found.hash, hash) ? found.caller : undefined;
}

/**
 * Finds the caller of a background job, by the public id of the token that ordered it.
 * @returns undefined if the token is unknown, expired or revoked, or its team was deleted
 */
export async function findCallerByTokenId(
  db: D1Database,
  tokenId: string,
  now: number,
): Promise<Caller | undefined> {
  return (await findCallerWithHash(db, eq(tokens.id, tokenId), now))?.caller;
}

async function findCallerWithHash(
  db: D1Database,
  isToken: SQL,
  now: number,
): Promise<{ hash: string; caller: Caller } | undefined> {
  const found = await drizzle(db)
    .select({
      hash: tokens.hash,
      tokenId: tokens.id,
      teamId: teams.id,
      personId: tokens.personId,
      teamName: teams.name,
      families: tokens.families,
      operations: tokens.operations,
      ratePerMinute: tokens.ratePerMinute,
      expiresAt: tokens.expiresAt,
      backgroundRefresh: teams.backgroundRefresh,
      confirmAboveCredits: teams.confirmAboveCredits,
      formulaMaxCredits: teams.formulaMaxCredits,
      erasureVersion: selectErasureVersion(now),
    })
    .from(tokens)
    .innerJoin(teams, eq(teams.id, tokens.teamId))
    .where(and(isToken, isNull(tokens.revokedAt), isNull(teams.deletedAt)))
    .get();
  if (found === undefined || (found.expiresAt !== null && found.expiresAt <= now)) return undefined;
  const { hash, families, operations, ...caller } = found;
  return { hash, caller: { ...caller, scopes: { families, operations } } };
}

function listMissingScopes(
  { scopes: { families, operations } }: Pick<Caller, 'scopes'>,
  family: Family,
  operation?: OperationName,
): string[] {
  return [
    ...(families === null || families.includes(family) ? [] : [`the family ${family}`]),
    ...(operation === undefined || operations === null || operations.includes(operation)
      ? []
      : [`the operation ${operation}`]),
  ];
}

/**
 * Checks whether a token permits a family and operation.
 * @param operation - absent if any operation will do
 */
export function canUse(caller: Pick<Caller, 'scopes'>, family: Family, operation?: OperationName): boolean {
  return listMissingScopes(caller, family, operation).length === 0;
}

/** What a read of an answer depends on. */
export interface ReadOperation {
  family: Family;
  operation: OperationName;
  credits: number;
}

/**
 * Checks whether a token may read the answers of an operation, cached or not: reading a paid answer takes the scope that buying
 * it takes. Every reader of a cache asks this, unless its route has asked for the scope. Free answers are ids and counts, which
 * bulk orders and schedules need for their prices.
 */
export function mayRead(
  caller: Pick<Caller, 'scopes'>,
  { family, operation, credits }: ReadOperation,
): boolean {
  return credits === 0 || canUse(caller, family, operation);
}

/** Requires the right to read, as {@link mayRead}. @throws ProblemError `forbidden_scope` */
export function requireRead(caller: Pick<Caller, 'scopes'>, read: ReadOperation): void {
  if (read.credits > 0) requireScope(caller, read.family, read.operation);
}

/** Returns the families for which a token permits an operation; null is all. */
export function getFamilies(
  { scopes: { families, operations } }: Caller,
  operation: OperationName,
): readonly Family[] | null {
  return operations === null || operations.includes(operation) ? families : [];
}

/**
 * Requires the scope for a family and operation.
 * @param operation - absent if any operation will do
 * @throws ProblemError `forbidden_scope`, which names the missing scopes
 */
export function requireScope(
  caller: Pick<Caller, 'scopes'>,
  family: Family,
  operation?: OperationName,
): void {
  const missing = listMissingScopes(caller, family, operation);
  if (missing.length === 0) return;
  throw new ProblemError('forbidden_scope', `This token has no scope for ${missing.join(' and ')}.`);
}

/**
 * Requires the right to see and change alert addresses.
 * @throws ProblemError `forbidden_scope`
 */
export function requireAlertsScope({ scopes }: Caller): void {
  if (permitsAlerts(scopes)) return;
  throw new ProblemError(
    'forbidden_scope',
    'This connection may not see or change the team’s alerts.',
    'Ask your admin for a token with the scope alerts.',
  );
}

/** Creates the row of a new token. It contains only the hash and first characters of the token. */
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
    personId: null,
    ...grant,
  };
}

/**
 * Adds a team with one token. Does nothing if they exist.
 * @param grant - Default: no restriction
 */
export async function addTeamWithToken(
  db: D1Database,
  team: Pick<TeamRow, 'id' | 'name'> & Partial<TeamRow>,
  token: string,
  now: number,
  grant: Partial<TokenGrant> = {},
): Promise<void> {
  const row = await createTokenRow(team.id, token, { ...unrestrictedGrant, ...grant }, now);
  const orm = drizzle(db);
  await orm.batch([
    orm
      .insert(teams)
      .values({ ...team, createdAt: now })
      .onConflictDoNothing(),
    orm.insert(tokens).values(row).onConflictDoNothing(),
  ]);
}

/**
 * Creates a team with a token, caps and rate limit if they do not exist. Existing settings of the admin stay unchanged.
 * @param limits - `caps` of the team, `ratePerMinute` of the token
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
  const [existingTeams, existingTokens] = await orm.batch([
    orm.select({ id: teams.id }).from(teams).where(eq(teams.id, team.id)),
    orm.select({ id: tokens.id }).from(tokens).where(eq(tokens.id, id)),
  ]);
  // The rows are inserted last, so that the ledger of every existing row has its limits.
  const ledger = getLedger(env, team.id);
  if (existingTeams.length === 0) await ledger.setBudget({ caps });
  if (existingTokens.length > 0) return;
  await ledger.setToken(id, { ratePerMinute });
  await addTeamWithToken(env.DB, { ...team, ...toCapColumns(caps) }, token, now, { ratePerMinute });
}

const TOKENS_PER_CALL = 500;

/** Applies a change to tokens in the ledgers of their teams. */
export async function setLedgerTokens(
  env: Env,
  tokens: readonly { id: string; teamId: string }[],
  change: TokenChange,
): Promise<void> {
  for (const [team, ofTeam] of Map.groupBy(tokens, ({ teamId }) => teamId)) {
    const ids = ofTeam.map(({ id }) => id);
    for (const some of splitIntoBatches(ids, TOKENS_PER_CALL)) {
      await getLedger(env, team).setTokens(some, change);
    }
  }
}
