// The admin API: /admin/v1.
import { Hono } from 'hono';
import type { Env } from '../../env.ts';
import type { Services } from '../../gateway/services.ts';
import { addRoutes } from '../route.ts';
import { auditRoutes } from './audit.ts';
import { requireAdmin } from './authenticate.ts';
import { budgetRoutes } from './budget.ts';
import { dataRequestRoutes } from './data-requests.ts';
import { ledgerRoutes } from './ledger.ts';
import { providerRoutes } from './provider.ts';
import { recordRoutes } from './records.ts';
import type { Route } from './route.ts';
import { teamRoutes } from './teams.ts';
import { tokenRoutes } from './tokens.ts';
import { usageRoutes } from './usage.ts';

/** All admin routes. The API reference is generated from them too. */
export const adminRouteTable: readonly Route[] = [
  ...teamRoutes,
  ...tokenRoutes,
  ...budgetRoutes,
  ...usageRoutes,
  ...ledgerRoutes,
  ...providerRoutes,
  ...recordRoutes,
  ...dataRequestRoutes,
  ...auditRoutes,
];

/** Services that the admin routes need. */
export type AdminServices<E extends Env> = Pick<Services<E>, 'now' | 'getUpstream' | 'evictAnswers'>;

const getRandomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/**
 * Creates the admin API, protected by ADMIN_TOKEN.
 * @param randomBytes - a cryptographic random source
 */
export function createAdminRoutes<E extends Env>(
  services: AdminServices<E>,
  randomBytes: (length: number) => Uint8Array = getRandomBytes,
): Hono<{ Bindings: E }> {
  const routes = new Hono<{ Bindings: E }>();
  routes.use(requireAdmin(services.now));
  addRoutes(routes, adminRouteTable, (c) => ({
    env: c.env,
    now: services.now(),
    request: c.req.raw,
    randomBytes,
    getProvider: () => services.getUpstream(c.env),
    evictAnswers: services.evictAnswers,
  }));
  return routes;
}
