// What each role of admins may do, by endpoint. Owners may do everything; an endpoint that is not listed is theirs alone.
import type { AdminName } from '../../../shared/api/admin-endpoints.ts';
import type { AdminRole } from '../../../shared/api/admin-roles.ts';
import { ProblemError } from '../../http/problem-error.ts';

type LimitedRole = Exclude<AdminRole, 'owner'>;

const everybody: readonly LimitedRole[] = ['finance', 'privacy', 'viewer', 'monitor'];
const operators: readonly LimitedRole[] = ['viewer', 'monitor'];
const readers: readonly LimitedRole[] = ['viewer', 'finance'];
const viewer: readonly LimitedRole[] = ['viewer'];
const finance: readonly LimitedRole[] = ['finance'];
const privacy: readonly LimitedRole[] = ['privacy'];

/** An endpoint of the admin API, or one outside of it. */
export type GuardedName = AdminName | 'deepHealth' | 'metrics';

/** The roles besides owner that may use an endpoint. */
const endpointRoles: Readonly<Partial<Record<GuardedName, readonly LimitedRole[]>>> = {
  getSelf: everybody,
  deepHealth: operators,
  metrics: operators,
  listAlerts: [...readers, 'monitor'],
  getLatency: [...readers, 'monitor'],
  getProvider: [...readers, 'monitor'],

  listTeams: [...readers, 'privacy'],
  getTeam: readers,
  getUsage: readers,
  getCosts: readers,
  listBudgets: readers,
  getSpending: readers,
  exportLedger: readers,
  listLedger: readers,
  listLedgerSums: readers,
  listTeamAlerts: viewer,
  listTokens: readers,
  getToken: readers,
  getBudget: readers,
  listTopUps: readers,
  listUnclearCalls: readers,
  listDisputedCharges: readers,
  setBudget: finance,
  createTopUp: finance,
  reconcile: finance,
  resolveDispute: finance,

  listAuditEntries: viewer,
  listDeadLetters: viewer,
  listDomains: viewer,
  listEnrichments: viewer,
  listPeople: viewer,
  getPerson: viewer,
  listPushes: viewer,
  listDataRequests: viewer,
  getDataRequest: viewer,
  getTimeline: viewer,
  listSchedules: viewer,
  listTeamRules: viewer,
  getSettings: viewer,
  getSetup: readers,

  getRecordByPath: privacy,
  getRecord: privacy,
  eraseByPath: privacy,
  erase: privacy,
  previewErasure: privacy,
  listErasures: privacy,
  getErasure: privacy,
  listRefusedKeys: privacy,
  reportSubject: privacy,
};

export const mayUse = (role: AdminRole, name: GuardedName): boolean =>
  role === 'owner' || (endpointRoles[name] ?? []).includes(role);

/** @throws ProblemError `forbidden_scope` */
export function requireRole(role: AdminRole, name: GuardedName): void {
  if (mayUse(role, name)) return;
  const allowed = ['owner', ...(endpointRoles[name] ?? [])].join(', ');
  throw new ProblemError(
    'forbidden_scope',
    `Roles that may do this: ${allowed}. Yours is ${role}.`,
    'Ask an owner of the gateway to do it, or for an admin token with that role.',
  );
}
