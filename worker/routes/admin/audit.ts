// /admin/v1/audit: the audit log.

import { drizzle } from 'drizzle-orm/d1';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { toIsoTime } from '../../lib/format.ts';
import { listSessionEmails } from '../../operations/console-sessions.ts';
import { listAuditEntries } from './audit-log.ts';
import { type Route, route } from './route.ts';

const list = route(endpoints.listAuditEntries, {
  summary: 'List changes by the admin, newest first',
  returns: 'A page of changes',
  handle: async ({ query: { before, limit } }, { env }) => {
    const rows = await listAuditEntries(drizzle(env.DB), { before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
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
      next: rows.length > limit ? (shown.at(-1)?.number ?? null) : null,
    };
  },
});

export const auditRoutes: readonly Route[] = [list];
