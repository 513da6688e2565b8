// What the admin did, noted down: who changed a budget, made a token, erased a record, and when.
import { desc, lt } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { audit } from '../../db/schema.ts';

/** Everything that an admin can change. */
export type AuditAction =
  | 'team.create'
  | 'team.change'
  | 'team.delete'
  | 'token.create'
  | 'token.change'
  | 'token.revoke'
  | 'budget.change'
  | 'top_up.create'
  | 'provider.reconcile'
  | 'webhook_secret.create'
  | 'dead_letter.replay'
  | 'record.erase';

/** A line to note down. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  at: number;
  action: AuditAction;
  /** Id of what was touched; never a key of a record. */
  target: string;
  /** What changed to what; no secrets, no keys of records. */
  detail?: Record<string, unknown>;
}

/**
 * Makes the statement that notes a change down. It belongs into the batch that makes the change; where the change is
 * made in an object, it goes before: a line without its change can be told from the ledger, a change without its line
 * from nothing.
 */
export function buildAuditInsert(orm: DrizzleD1Database, { at, action, target, detail = {} }: AuditEntry) {
  return orm.insert(audit).values({ at, action, target, detail });
}

/**
 * Reads what was noted down, the newest first.
 * @param before - only lines with a smaller number
 * @param limit - at most so many
 */
export function listAuditEntries(
  orm: DrizzleD1Database,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<(typeof audit.$inferSelect)[]> {
  return orm
    .select()
    .from(audit)
    .where(before === undefined ? undefined : lt(audit.number, before))
    .orderBy(desc(audit.number))
    .limit(limit)
    .all();
}
