// What each role of admins may do, by route. Owners may do everything; a route that is not listed is theirs alone.
import type { AdminRole } from '../../../shared/api/admin-roles.ts';
import { ProblemError } from '../../http/problem-error.ts';

type LimitedRole = Exclude<AdminRole, 'owner'>;

const everybody: readonly LimitedRole[] = ['finance', 'privacy', 'viewer', 'monitor'];
const operators: readonly LimitedRole[] = ['viewer', 'monitor'];
const readers: readonly LimitedRole[] = ['viewer', 'finance'];
const viewer: readonly LimitedRole[] = ['viewer'];
const finance: readonly LimitedRole[] = ['finance'];
const privacy: readonly LimitedRole[] = ['privacy'];

/** The roles besides owner that may use a route. */
export const routeRoles: Readonly<Record<string, readonly LimitedRole[]>> = {
  'GET /me': everybody,
  'GET /health/deep': operators,
  'GET /metrics': operators,
  'GET /alerts': [...readers, 'monitor'],
  'GET /latency': [...readers, 'monitor'],
  'GET /provider': [...readers, 'monitor'],

  'GET /teams': [...readers, 'privacy'],
  'GET /teams/{id}': readers,
  'GET /usage': readers,
  'GET /budgets': readers,
  'GET /spending': readers,
  'GET /ledger': readers,
  'GET /teams/{id}/ledger': readers,
  'GET /teams/{id}/ledger/sums': readers,
  'GET /teams/{id}/tokens': readers,
  'GET /teams/{id}/tokens/{token_id}': readers,
  'GET /teams/{id}/budget': readers,
  'GET /teams/{id}/topups': readers,
  'GET /teams/{id}/unclear-calls': readers,
  'GET /teams/{id}/disputed-charges': readers,
  'PUT /teams/{id}/budget': finance,
  'POST /teams/{id}/topups': finance,
  'POST /provider/reconcile': finance,
  'POST /provider/settle-dispute': finance,

  'GET /audit': viewer,
  'GET /dead-letters': viewer,
  'GET /domains': viewer,
  'GET /enrichments': viewer,
  'GET /people': viewer,
  'GET /people/{id}': viewer,
  'GET /pushes': viewer,
  'GET /requests': viewer,
  'GET /requests/{id}': viewer,
  'GET /requests/{id}/timeline': viewer,
  'GET /schedules': viewer,
  'GET /settings': viewer,
  'GET /setup': readers,

  'GET /records/{family}/{key}': privacy,
  'POST /record-lookup': privacy,
  'DELETE /records/{family}/{key}': privacy,
  'POST /erasures': privacy,
  'POST /erasure-preview': privacy,
  'GET /erasures': privacy,
  'GET /erasures/{id}': privacy,
  'GET /refused-keys': privacy,
};

/** A method and path, such as `GET /teams/{id}`. */
export const getRouteName = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path}`;

/** Tells whether a role may use a route. @param route - see {@link getRouteName} */
export const mayUse = (role: AdminRole, route: string): boolean =>
  role === 'owner' || (routeRoles[route] ?? []).includes(role);

/** @throws ProblemError `forbidden_scope` */
export function requireRole(role: AdminRole, route: string): void {
  if (mayUse(role, route)) return;
  const allowed = ['owner', ...(routeRoles[route] ?? [])].join(', ');
  throw new ProblemError(
    'forbidden_scope',
    `Roles that may do this: ${allowed}. Yours is ${role}.`,
    'Ask an owner of the gateway to do it, or for an admin token with that role.',
  );
}
