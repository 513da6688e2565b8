// /admin/v1/admins: admin tokens with roles, and the caller's own role.
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin-roles.ts';
import { generateToken } from '../../../shared/tokens.ts';
import type { AdminTokenRow } from '../../db/schema.ts';
import { invalidRequest, ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import {
  buildAdminTokenInsert,
  buildAdminTokenRevocation,
  createAdminTokenRow,
  hasRoomForAdminToken,
  listAdminTokens,
} from '../../operations/admin-tokens.ts';
import { listSessionEmails } from '../../operations/console-sessions.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, type Route, route } from './route.ts';

const toView = ({ id, name, role, createdAt, expiresAt, revokedAt }: AdminTokenRow): api.AdminTokenView => ({
  id,
  name,
  role,
  created_at: toIsoTime(createdAt),
  expires_at: expiresAt === null ? null : toIsoTime(expiresAt),
  revoked_at: revokedAt === null ? null : toIsoTime(revokedAt),
});

const create = route({
  method: 'POST',
  path: '/admins',
  summary: 'Create an admin token with a role; only this response contains it',
  problems: ['invalid_request', 'too_large', 'too_many'],
  request: z.object({ body: api.newAdminToken }),
  success: { status: 201, description: 'The token', schema: api.issuedAdminToken },
  handle: async ({ body }, { env, now, actor, randomBytes }) => {
    const expiresAt = body.expires_at === null ? null : Date.parse(body.expires_at);
    if (expiresAt !== null && expiresAt <= now) throw invalidRequest('expires_at', 'is in the past');
    const orm = drizzle(env.DB);
    if (!(await hasRoomForAdminToken(orm, now)))
      throw new ProblemError(
        'too_many',
        `There are ${api.maxAdminTokens} admins.`,
        'Revoke some of them first.',
      );
    const { name, role } = body;
    const token = generateToken(randomBytes, 'admin');
    const row = await createAdminTokenRow(token, { name, role, expiresAt }, now);
    await orm.batch([
      buildAdminTokenInsert(orm, row),
      buildAuditInsert(orm, {
        at: now,
        actor,
        action: 'admin.create',
        target: row.id,
        detail: { name, role },
      }),
    ]);
    return { ...toView(row), token };
  },
});

const list = route({
  method: 'GET',
  path: '/admins',
  summary: 'List admin tokens, newest first, revoked ones included',
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'The tokens without their values', schema: api.adminTokenList },
  handle: async (_, { env }) => ({ admins: (await listAdminTokens(drizzle(env.DB))).map(toView) }),
});

const revoke = route({
  method: 'DELETE',
  path: '/admins/{id}',
  summary: 'Revoke an admin token: it is refused at once, and its sessions of the console end',
  problems: ['not_found'],
  request: z.object({ params: api.adminTokenParams }),
  success: { status: 204, description: 'Revoked, or already revoked before' },
  handle: async ({ params: { id } }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    const row = (await listAdminTokens(orm)).find((token) => token.id === id);
    if (row === undefined) throw notFound();
    if (row.revokedAt !== null) return undefined;
    await orm.batch([
      buildAdminTokenRevocation(orm, id, now),
      buildAuditInsert(orm, { at: now, actor, action: 'admin.revoke', target: id }),
    ]);
    return undefined;
  },
});

const self = route({
  method: 'GET',
  path: '/me',
  summary: 'Get the role of the caller',
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'Role and name', schema: api.adminSelf },
  handle: async (_, { env, actor: { adminToken, sessionId, role } }) => {
    const emails = await listSessionEmails(env, sessionId === null ? [] : [sessionId]);
    const tokens = adminToken === null ? [] : await listAdminTokens(drizzle(env.DB));
    const name = emails.get(sessionId ?? '') ?? tokens.find(({ id }) => id === adminToken)?.name ?? '';
    return { role, name };
  },
});

export const adminRoutes: readonly Route[] = [create, list, revoke, self];
