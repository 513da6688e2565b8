// Admins and their roles: what each may do, and the bodies of admin tokens.
import * as z from 'zod';
import { time } from './common.ts';

/** Roles of admins, from the most rights to the fewest. */
export const adminRoles = ['owner', 'finance', 'privacy', 'viewer', 'monitor'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** What each role may do, for people. */
export const adminRoleRights: Readonly<Record<AdminRole, string>> = {
  owner: 'everything, also create and revoke admins',
  finance: 'read reports and budgets, change budgets, reconcile unclear calls, resolve disputed charges',
  privacy: 'look records up, erase people and companies, read erasures',
  viewer: 'read everything but records and erasures',
  monitor: 'read health, metrics, latency, the provider’s state and alerts',
};

const role = z.enum(adminRoles).describe('What the admin may do.');
const name = z.string().trim().min(1).max(100).describe('Name for people, such as that of the monitor.');

export const adminTokenParams = z.object({ id: z.string() });

export const newAdminToken = z.strictObject({
  name,
  role,
  expires_at: time.nullable().default(null).describe('Null: never.'),
});

/** An admin token, without its value. */
export const adminTokenView = z.object({
  id: z.string(),
  name: z.string(),
  role,
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
});
export type AdminTokenView = z.infer<typeof adminTokenView>;

export const issuedAdminToken = adminTokenView.extend({
  token: z.string().describe('Only this response contains it.'),
});
export type IssuedAdminToken = z.infer<typeof issuedAdminToken>;

export const adminTokenList = z.object({ admins: z.array(adminTokenView) });

export const adminSelf = z.object({
  role,
  name: z.string().describe('Name or e-mail address. Empty for ADMIN_TOKEN.'),
});

/** The most admin tokens that are not revoked. */
export const maxAdminTokens = 100;
