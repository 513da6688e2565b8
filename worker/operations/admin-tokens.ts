// Admin tokens in D1, besides the deployment's ADMIN_TOKEN. Only their hashes are stored.
import { and, count, desc, eq, gt, isNull, or, type SQL } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { AdminRole } from '../../shared/api/admin-roles.ts';
import { maxAdminTokens } from '../../shared/api/admin-tokens.ts';
import { isWellFormedToken } from '../../shared/tokens.ts';
import { isInList } from '../db/json-list.ts';
import { type AdminTokenRow, adminTokens } from '../db/schema.ts';
import { sha256Hex } from '../lib/hash.ts';

/** An admin, by token or by session. */
export interface Admin {
  /** `current` or `previous`: the deployment's ADMIN_TOKEN; otherwise the id of an admin token. Null: Cloudflare Access. */
  adminToken: string | null;
  role: AdminRole;
}

const ID_LENGTH = 16;

const isValid = (now: number): SQL | undefined =>
  and(isNull(adminTokens.revokedAt), or(isNull(adminTokens.expiresAt), gt(adminTokens.expiresAt, now)));

async function findAdmin(db: D1Database, isToken: SQL, now: number): Promise<Admin | undefined> {
  const row = await drizzle(db)
    .select({ adminToken: adminTokens.id, role: adminTokens.role })
    .from(adminTokens)
    .where(and(isToken, isValid(now)))
    .get();
  return row;
}

/**
 * Finds the admin of a token, by the index of its hash. A mistyped token takes no query.
 * @returns undefined if the token is unknown, expired or revoked
 */
export async function findAdminByToken(
  db: D1Database,
  token: string,
  now: number,
): Promise<Admin | undefined> {
  if (!isWellFormedToken(token, 'admin')) return undefined;
  return findAdmin(db, eq(adminTokens.hash, await sha256Hex(token)), now);
}

/** Finds the admin of a session that an admin token opened. See {@link findAdminByToken}. */
export const findAdminById = (db: D1Database, id: string, now: number): Promise<Admin | undefined> =>
  findAdmin(db, eq(adminTokens.id, id), now);

/** Lists the tokens, newest first, revoked ones included. */
export const listAdminTokens = (orm: DrizzleD1Database): Promise<AdminTokenRow[]> =>
  orm.select().from(adminTokens).orderBy(desc(adminTokens.createdAt), adminTokens.id).all();

/** Finds a token, also a revoked one. */
export const findAdminToken = (orm: DrizzleD1Database, id: string): Promise<AdminTokenRow | undefined> =>
  orm.select().from(adminTokens).where(eq(adminTokens.id, id)).get();

/** Finds the names of tokens by their ids, also of revoked ones. */
export async function findAdminNames(
  orm: DrizzleD1Database,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await orm
    .select({ id: adminTokens.id, name: adminTokens.name })
    .from(adminTokens)
    .where(isInList(adminTokens.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function hasRoomForAdminToken(orm: DrizzleD1Database, now: number): Promise<boolean> {
  const row = await orm.select({ valid: count() }).from(adminTokens).where(isValid(now)).get();
  return (row?.valid ?? 0) < maxAdminTokens;
}

export async function createAdminTokenRow(
  token: string,
  properties: Pick<AdminTokenRow, 'name' | 'role' | 'expiresAt'>,
  now: number,
): Promise<AdminTokenRow> {
  const hash = await sha256Hex(token);
  return { id: hash.slice(0, ID_LENGTH), hash, ...properties, createdAt: now, revokedAt: null };
}

export const buildAdminTokenInsert = (orm: DrizzleD1Database, row: AdminTokenRow) =>
  orm.insert(adminTokens).values(row);

export const buildAdminTokenRevocation = (orm: DrizzleD1Database, id: string, now: number) =>
  orm
    .update(adminTokens)
    .set({ revokedAt: now })
    .where(and(eq(adminTokens.id, id), isNull(adminTokens.revokedAt)));
