// Admin tokens with roles: their bodies and endpoints of /admin/v1.
import * as z from 'zod';
import { adminRoles, endpointGroup } from './admin-roles.ts';
import { time } from './common.ts';

const role = z.enum(adminRoles).describe('What the admin may do.');
const name = z.string().trim().min(1).max(100).describe('Name for people, such as that of the monitor.');

const newAdminToken = z.strictObject({
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

const adminSelf = z.object({
  role,
  name: z.string().describe('Name or e-mail address. Empty for ADMIN_TOKEN.'),
});

/** The most admin tokens that are not revoked. */
export const maxAdminTokens = 100;

const admins = endpointGroup('Admins', 'Admin tokens with roles.');

export const adminTokenEndpoints = {
  createAdmin: admins('owner').post('/admins', { body: newAdminToken }, issuedAdminToken, ['too_many'], {
    status: 201,
  }),
  listAdmins: admins('owner').get('/admins', {}, z.object({ admins: z.array(adminTokenView) })),
  revokeAdmin: admins('owner').remove('/admins/{id}', { params: z.object({ id: z.string() }) }),
  getSelf: admins(...adminRoles).get('/me', {}, adminSelf),
};
