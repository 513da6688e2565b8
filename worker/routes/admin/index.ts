// The admin API: /admin/v1.
import { drizzle } from 'drizzle-orm/d1';
import { Hono } from 'hono';
import type { AdminName } from '../../../shared/api/admin-endpoints.ts';
import type { Env } from '../../env.ts';
import type { Services } from '../../gateway/services.ts';
import { addRoutes } from '../route.ts';
import { dataRequestRoutes } from './activity/data-requests.ts';
import { deadLetterRoutes } from './activity/dead-letters.ts';
import { enrichmentRoutes } from './activity/enrichments.ts';
import { pushRoutes } from './activity/pushes.ts';
import { scheduleRoutes } from './activity/schedules.ts';
import { adminTokenRoutes } from './admins.ts';
import { listAuditEntries } from './audit-log.ts';
import { type AdminEnv, requireAdmin } from './authenticate.ts';
import { budgetRoutes } from './budget.ts';
import { alertRoutes } from './deployment/alerts.ts';
import { getSettings } from './deployment/settings.ts';
import { getSetup } from './deployment/setup.ts';
import { domainRoutes } from './domains.ts';
import { erasureRoutes } from './erasures.ts';
import { peopleRoutes } from './people.ts';
import { personSearchRoutes } from './person-searches.ts';
import { providerRoutes } from './provider.ts';
import { recordRoutes } from './records.ts';
import { budgetReportRoutes } from './reports/budgets.ts';
import { getCosts } from './reports/costs.ts';
import { getLatency } from './reports/latency.ts';
import { ledgerRoutes } from './reports/ledger.ts';
import { continueRestoreRoute } from './restores.ts';
import type { Actor, Route } from './route.ts';
import { reportSubject } from './subject-report.ts';
import { teamAlertRoutes } from './team-alerts.ts';
import { teamRuleRoutes } from './team-rules.ts';
import { teamRoutes } from './teams.ts';
import { tokenRoutes } from './tokens.ts';
import { getUsage } from './usage.ts';

/** All routes of the admin API, by the names of their endpoints. */
export const adminRoutes: Readonly<Record<AdminName, Route>> = {
  ...adminTokenRoutes,
  ...teamRoutes,
  ...teamAlertRoutes,
  ...tokenRoutes,
  ...domainRoutes,
  ...teamRuleRoutes,
  ...peopleRoutes,
  ...budgetRoutes,
  getUsage,
  getCosts,
  getLatency,
  ...ledgerRoutes,
  ...budgetReportRoutes,
  ...providerRoutes,
  ...recordRoutes,
  ...erasureRoutes,
  reportSubject,
  ...personSearchRoutes,
  ...dataRequestRoutes,
  ...deadLetterRoutes,
  ...scheduleRoutes,
  ...enrichmentRoutes,
  ...pushRoutes,
  listAuditEntries,
  ...alertRoutes,
  getSettings,
  getSetup,
  continueRestore: continueRestoreRoute,
};
export const adminRouteTable: readonly Route[] = Object.values(adminRoutes);

export const getRandomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** Services that the admin routes need. */
export type AdminServices<E extends Env> = Pick<Services<E>, 'now' | 'getUpstream' | 'evictAnswers'>;

/** Creates the context of the admin routes. */
export const createCallContext = <E extends Env>(
  { now, getUpstream, evictAnswers }: AdminServices<E>,
  env: E,
  actor: Actor,
) => ({
  env,
  orm: drizzle(env.DB),
  now: now(),
  actor,
  randomBytes: getRandomBytes,
  getProvider: async () => getUpstream(env),
  evictAnswers,
});

/** Creates the admin API, protected by ADMIN_TOKEN and admin tokens. */
export function createAdminRoutes<E extends Env>(services: AdminServices<E>): Hono<AdminEnv<E>> {
  const app = new Hono<AdminEnv<E>>();
  app.use(requireAdmin(services.now));
  addRoutes(app, adminRouteTable, (c) => ({
    ...createCallContext(services, c.env, { ...c.get('admin'), sessionId: null }),
    request: c.req.raw,
  }));
  return app;
}
