// The audit log, /admin/v1/audit: every change by the admin, with its time and target.
import { desc, lt } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { audit } from '../../db/schema.ts';
import { toIsoTime } from '../../lib/format.ts';
import { listSessionEmails } from '../../operations/console-sessions.ts';
import { cutPage } from '../paging.ts';
import { type RouteContext, route } from './route.ts';

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
  | 'team_rules.import'
  | 'person.revoke'
  | 'person.allow'
  | 'person.delete'
  | 'budget.change'
  | 'top_up.create'
  | 'provider.reconcile'
  | 'provider.resolve_dispute'
  | 'webhook_secret.create'
  | 'dead_letter.replay'
  | 'dead_letter.dismiss'
  | 'data_request.stop'
  | 'schedule.stop'
  | 'schedule.resume'
  | 'enrichment.stop'
  | 'push.retry'
  | 'record.refresh'
  | 'record.erase'
  | 'record.allow'
  | 'subject.report'
  | 'database.restore'
  | 'alert.test'
  | 'team_alert.create'
  | 'team_alert.change'
  | 'team_alert.delete'
  | 'session.begin'
  | 'session.end';

/**
 * Builds the statement that logs a change. Run it in the same batch as the change. For changes in a Durable Object, run it
 * first: a log entry without its change can be detected, a change without its entry can't.
 * @param target - id of the changed object, never a key of a record
 * @param detail - without secrets and keys of records
 */
export function buildAuditInsert(
  { env, now, actor: { adminToken, sessionId } }: Pick<RouteContext, 'env' | 'now' | 'actor'>,
  action: AuditAction,
  target: string,
  detail: Record<string, unknown> = {},
) {
  return drizzle(env.DB).insert(audit).values({ at: now, adminToken, sessionId, action, target, detail });
}

/** Lists entries, newest first. @param before - only entries with a smaller number */
const listEntries = (orm: DrizzleD1Database, before: number | undefined, limit: number) =>
  orm
    .select()
    .from(audit)
    .where(before === undefined ? undefined : lt(audit.number, before))
    .orderBy(desc(audit.number))
    .limit(limit)
    .all();

export const listAuditEntries = route(endpoints.listAuditEntries, {
  summary: 'List changes by the admin, newest first',
  returns: 'A page of changes',
  handle: async ({ query: { before, limit } }, { env, orm }) => {
    const { shown, last } = cutPage(await listEntries(orm, before, limit + 1), limit);
    const emails = await listSessionEmails(
      env,
      shown.flatMap(({ sessionId }) => sessionId ?? []),
    );
    return {
      audit: shown.map(({ at, adminToken, sessionId, ...row }) => ({
        ...row,
        at: toIsoTime(at),
        admin_token: adminToken,
        session: sessionId,
        email: emails.get(sessionId ?? '') ?? null,
      })),
      next: last?.number ?? null,
    };
  },
});
