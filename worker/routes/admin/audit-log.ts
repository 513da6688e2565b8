// The audit log, /admin/v1/audit: every change by the admin, with its time and target.
import { desc, lt, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { type AuditName, auditNameKinds } from '../../../shared/api/admin-reports.ts';
import { audit } from '../../db/schema.ts';
import { findEmails, findPayerNames } from '../../gateway/auth/identity/payer-names.ts';
import { findTeamNames } from '../../gateway/auth/team-repository.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { findAdminNames } from '../../operations/admin-tokens.ts';
import { listSessionEmails } from '../../operations/console-sessions.ts';
import { cutPage } from '../paging.ts';
import { type RouteContext, route } from './route.ts';

/** Actions, with their labels in the console. */
export const auditLabels = {
  'admin.create': 'Admin token created',
  'admin.revoke': 'Admin token revoked',
  'team.create': 'Team created',
  'team.change': 'Team changed',
  'team.delete': 'Team deleted',
  'token.create': 'Token created',
  'token.change': 'Token changed',
  'token.revoke': 'Token revoked',
  'domain.assign': 'Domain assigned',
  'domain.remove': 'Domain removed',
  'team_rules.import': 'Rules for teams replaced',
  'person.revoke': 'Person revoked',
  'person.allow': 'Person allowed',
  'person.delete': 'Data of a person deleted',
  'budget.change': 'Budget changed',
  'top_up.create': 'Credits added',
  'provider.reconcile': 'Unclear calls reconciled',
  'provider.resolve_dispute': 'Disputed charge resolved',
  'webhook_secret.create': 'Webhook secret created',
  'dead_letter.replay': 'Failed messages replayed',
  'dead_letter.dismiss': 'Failed messages dismissed',
  'data_request.stop': 'Bulk order stopped',
  'schedule.stop': 'Schedule stopped',
  'schedule.resume': 'Schedule resumed',
  'enrichment.stop': 'Filling of a column stopped',
  'push.retry': 'Delivery retried',
  'record.refresh': 'Record bought again',
  'record.erase': 'Person or company erased',
  'record.allow': 'Erased company allowed again',
  'subject.report': 'Subject access report',
  'subject.search': 'Search for a person',
  'subject.search_stop': 'Search for a person stopped',
  'database.restore': 'Database restored',
  'alert.test': 'Test of operator alerts',
  'team_alert.create': 'Alert address added',
  'team_alert.change': 'Alert address changed',
  'team_alert.delete': 'Alert address deleted',
  'session.begin': 'Signed in',
  'session.end': 'Signed out',
};

export type AuditAction = keyof typeof auditLabels;

/**
 * Builds the statement that logs a change. Run it in the same batch as the change. For changes in a Durable Object, run it
 * first: a log entry without its change can be detected, a change without its entry can't.
 * @param target - id of the changed object, never a key of a record
 * @param detail - without secrets and keys of records
 * @param condition - of the entry, for a change that a concurrent request may make first
 */
export function buildAuditInsert(
  { env, now, actor: { adminToken, sessionId } }: Pick<RouteContext, 'env' | 'now' | 'actor'>,
  action: AuditAction,
  target: string,
  detail: Record<string, unknown> = {},
  condition: SQL = sql`true`,
) {
  return drizzle(env.DB)
    .insert(audit)
    .select(
      sql`SELECT NULL, ${now}, ${adminToken}, ${sessionId}, ${action}, ${target}, ${JSON.stringify(detail)} WHERE ${condition}`,
    );
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

/** Leaves out names that can't be decrypted: the log is needed most when a secret is lost. */
const findReadable = (names: Promise<ReadonlyMap<string, string>>): Promise<ReadonlyMap<string, string>> =>
  names.catch((error: unknown) => {
    if (error instanceof ProblemError) return new Map<string, string>();
    throw error;
  });

/** Finds the names of the ids in entries: their targets, teams and admins. */
async function findNames(
  { env, orm }: RouteContext,
  rows: readonly (typeof audit.$inferSelect)[],
): Promise<AuditName[]> {
  const found = rows.flatMap(({ target, adminToken, detail }) => [target, adminToken, detail.team]);
  const ids = [...new Set(found.filter((id) => typeof id === 'string'))];
  const [team, token, person, admin] = await Promise.all([
    findTeamNames(orm, ids),
    findReadable(findPayerNames(env, orm, ids)),
    findReadable(findEmails(env, orm, ids)),
    findAdminNames(orm, ids),
  ]);
  const kinds = { team, token, person, admin };
  return ids.flatMap((id) =>
    auditNameKinds.flatMap((kind) => {
      const name = kinds[kind].get(id);
      return name === undefined ? [] : [{ id, kind, name }];
    }),
  );
}

export const listAuditEntries = route(endpoints.listAuditEntries, {
  summary: 'List changes by the admin, newest first',
  returns: 'A page of changes',
  handle: async ({ query: { before, limit } }, context) => {
    const { env, orm } = context;
    const { shown, last } = cutPage(await listEntries(orm, before, limit + 1), limit);
    const sessions = shown.flatMap(({ sessionId }) => sessionId ?? []);
    const [emails, names] = await Promise.all([
      findReadable(listSessionEmails(env, sessions)),
      findNames(context, shown),
    ]);
    return {
      audit: shown.map(({ at, adminToken, sessionId, ...row }) => ({
        ...row,
        at: toIsoTime(at),
        admin_token: adminToken,
        session: sessionId,
        email: emails.get(sessionId ?? '') ?? null,
      })),
      names,
      next: last?.number ?? null,
    };
  },
});
