// Roles of admins, and how endpoints of the admin API declare which roles may use them.
import { byMethod } from './endpoint.ts';

/** Roles of admins, from the most rights to the fewest. */
export const adminRoles = ['owner', 'finance', 'privacy', 'viewer', 'monitor'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** What each role may do, for people. */
export const adminRoleRights: Readonly<Record<AdminRole, string>> = {
  owner: 'everything, also create and revoke admins',
  finance: 'read reports and budgets, change budgets, reconcile unclear calls, resolve disputed charges',
  privacy: 'look records up, find people, erase people and companies, read erasures',
  viewer: 'read everything but records and erasures',
  monitor: 'read health, metrics, latency, the provider’s state and alerts',
};

/** Roles that may read what teams spend. */
export const readers = ['viewer', 'finance'] as const;

/** What the declaration of an endpoint of the admin API has besides those of other APIs. */
export interface AdminDetails {
  /** Section of the API reference. */
  readonly tag: { readonly name: string; readonly description: string };
  /** Roles that may use it. Owners may use every endpoint. */
  readonly roles: readonly AdminRole[];
}

/**
 * Creates declarations of a section of the API reference.
 * @returns a function that takes the roles, `owner` if no other may use the endpoint
 */
export function endpointGroup(name: string, description: string) {
  const tag = { name, description };
  return (...roles: readonly [AdminRole, ...AdminRole[]]) => byMethod<AdminDetails>({ tag, roles });
}

export const mayUse = (role: AdminRole, { roles }: Pick<AdminDetails, 'roles'>): boolean =>
  role === 'owner' || roles.includes(role);
