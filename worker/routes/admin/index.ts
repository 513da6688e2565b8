// The admin API: /admin/v1.
import { drizzle } from 'drizzle-orm/d1';
import { Hono } from 'hono';
import { type AdminName, findAdminName } from '../../../shared/api/admin-endpoints.ts';
import type { Env } from '../../env.ts';
import type { Services } from '../../gateway/services.ts';
import { addRoutes } from '../route.ts';
import { deadLetterRoutes } from './activity/dead-letters.ts';
import { enrichmentRoutes } from './activity/enrichments.ts';
import { pushRoutes } from './activity/pushes.ts';
import { scheduleRoutes } from './activity/schedules.ts';
import { stopDataRequest } from './activity/stop.ts';
import { getTimeline } from './activity/timeline.ts';
import { adminRoutes as adminTokenRoutes } from './admins.ts';
import { listAuditEntries } from './audit-log.ts';
import { type AdminEnv, requireAdmin } from './authenticate.ts';
import { budgetRoutes } from './budget.ts';
import { dataRequestRoutes } from './data-requests.ts';
import { alertRoutes } from './deployment/alerts.ts';
import { getSettings } from './deployment/settings.ts';
import { getSetup } from './deployment/setup.ts';
import { domainRoutes } from './domains.ts';
import { erasureRoutes } from './erasures.ts';
import { peopleRoutes } from './people.ts';
import { providerRoutes } from './provider.ts';
import { recordRoutes } from './records.ts';
import { budgetReportRoutes } from './reports/budgets.ts';
import { getCosts } from './reports/costs.ts';
import { getLatency } from './reports/latency.ts';
import { ledgerRoutes } from './reports/ledger.ts';
import { continueRestoreRoute } from './restores.ts';
import { requireRole } from './roles.ts';
import type { Route } from './route.ts';
import { reportSubject } from './subject-report.ts';
import { teamAlertRoutes } from './team-alerts.ts';
import { teamRuleRoutes } from './team-rules.ts';
import { teamRoutes } from './teams.ts';
import { tokenRoutes } from './tokens.ts';
import { getUsage } from './usage.ts';

const routes: readonly Route[] = [
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
  ...dataRequestRoutes,
  ...deadLetterRoutes,
  getTimeline,
  stopDataRequest,
  ...scheduleRoutes,
  ...enrichmentRoutes,
  ...pushRoutes,
  listAuditEntries,
  ...alertRoutes,
  getSettings,
  getSetup,
  continueRestoreRoute,
];

/** All admin routes by name, each for the roles that may use it. The API reference is generated from them too. */
export const adminRoutes: ReadonlyMap<AdminName, Route> = new Map(
  routes.map((definition) => {
    const name = findAdminName(definition);
    const respond: Route['respond'] = async (context, params) => {
      requireRole(context.actor.role, name);
      return definition.respond(context, params);
    };
    return [name, { ...definition, respond }];
  }),
);
export const adminRouteTable: readonly Route[] = [...adminRoutes.values()];

/** Services that the admin routes need. */
export type AdminServices<E extends Env> = Pick<Services<E>, 'now' | 'getUpstream' | 'evictAnswers'>;

const getRandomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** Creates the admin API, protected by ADMIN_TOKEN and admin tokens. */
export function createAdminRoutes<E extends Env>(
  services: AdminServices<E>,
  randomBytes: (length: number) => Uint8Array = getRandomBytes,
): Hono<AdminEnv<E>> {
  const app = new Hono<AdminEnv<E>>();
  app.use(requireAdmin(services.now));
  addRoutes(app, adminRouteTable, (c) => ({
    env: c.env,
    orm: drizzle(c.env.DB),
    now: services.now(),
    request: c.req.raw,
    actor: { ...c.get('admin'), sessionId: null },
    randomBytes,
    getProvider: async () => services.getUpstream(c.env),
    evictAnswers: services.evictAnswers,
  }));
  return app;
}
