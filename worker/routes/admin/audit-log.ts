// The audit log: every change by the admin, with its time and target.
import { desc, lt } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { audit } from '../../db/schema.ts';
import type { Admin } from '../../operations/admin-tokens.ts';

/** Actions in the audit log. */
export type AuditAction =
  | 'admin.create'
  | 'admin.revoke'
  | 'team.create'
  | 'team.change'
  | 'team.delete'
  | 'token.create'
  | 'token.change'
  | 'token.revoke'
  | 'domain.assign'
  | 'domain.remove'
  | 'person.revoke'
  | 'person.allow'
  | 'person.delete'
  | 'budget.change'
  | 'top_up.create'
  | 'provider.reconcile'
  | 'provider.settle_dispute'
  | 'webhook_secret.create'
  | 'dead_letter.replay'
  | 'data_request.stop'
  | 'schedule.stop'
  | 'schedule.resume'
  | 'enrichment.stop'
  | 'push.retry'
  | 'record.refresh'
  | 'record.erase'
  | 'database.restore'
  | 'alert.test'
  | 'session.begin'
  | 'session.end';

/** An admin, and how they act. */
export interface Actor extends Admin {
  /** Id of the console's session; null for the admin API. */
  sessionId: string | null;
}

/** An entry of the audit log. */
export interface AuditEntry {
  at: number;
  actor: Actor;
  action: AuditAction;
  /** Id of the changed object. Never a key of a record. */
  target: string;
  /** Details of the change, without secrets and keys of records. */
  detail?: Record<string, unknown>;
}

/**
 * Builds the statement that logs a change. Run it in the same batch as the change. For changes in a Durable Object, run it
 * first: a log entry without its change can be detected, a change without its entry can't.
 */
export function buildAuditInsert(
  orm: DrizzleD1Database,
  { at, actor: { adminToken, sessionId }, action, target, detail = {} }: AuditEntry,
) {
  return orm.insert(audit).values({ at, adminToken, sessionId, action, target, detail });
}

/**
 * Lists entries, newest first.
 * @param before - only entries with a smaller number
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
