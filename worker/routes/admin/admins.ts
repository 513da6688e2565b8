// /admin/v1/admins: admin tokens with roles, and the caller's own role.
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import * as api from '../../../shared/api/admin-tokens.ts';
import { generateToken } from '../../../shared/tokens.ts';
import type { AdminTokenRow } from '../../db/schema.ts';
import { invalidRequest, ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import {
  buildAdminTokenInsert,
  buildAdminTokenRevocation,
  createAdminTokenRow,
  findAdminToken,
  hasRoomForAdminToken,
  listAdminTokens,
} from '../../operations/admin-tokens.ts';
import { listSessionEmails } from '../../operations/console-sessions.ts';
import { buildAuditInsert } from './audit-log.ts';
import { requireFound, route } from './route.ts';

const toView = ({ id, name, role, createdAt, expiresAt, revokedAt }: AdminTokenRow): api.AdminTokenView => ({
  id,
  name,
  role,
  created_at: toIsoTime(createdAt),
  expires_at: expiresAt === null ? null : toIsoTime(expiresAt),
  revoked_at: revokedAt === null ? null : toIsoTime(revokedAt),
});

const createAdmin = route(endpoints.createAdmin, {
  summary: 'Create an admin token with a role; only this response contains it',
  returns: 'The token',
  handle: async ({ body }, { env, now, actor, randomBytes, orm }) => {
    const expiresAt = body.expires_at === null ? null : Date.parse(body.expires_at);
    if (expiresAt !== null && expiresAt <= now) throw invalidRequest('expires_at', 'is in the past');
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
      buildAuditInsert({ env, now, actor }, 'admin.create', row.id, { name, role }),
    ]);
    return { ...toView(row), token };
  },
});

const listAdmins = route(endpoints.listAdmins, {
  summary: 'List admin tokens, newest first, revoked ones included',
  returns: 'The tokens without their values',
  handle: async (_, { orm }) => ({ admins: (await listAdminTokens(orm)).map(toView) }),
});

const revokeAdmin = route(endpoints.revokeAdmin, {
  summary: 'Revoke an admin token: it is refused at once, and its sessions of the console end',
  returns: 'Revoked, or already revoked before',
  handle: async ({ params: { id } }, { env, now, actor, orm }) => {
    const row = requireFound(await findAdminToken(orm, id));
    if (row.revokedAt !== null) return undefined;
    await orm.batch([
      buildAdminTokenRevocation(orm, id, now),
      buildAuditInsert({ env, now, actor }, 'admin.revoke', id),
    ]);
    return undefined;
  },
});

const getSelf = route(endpoints.getSelf, {
  summary: 'Get the role of the caller',
  returns: 'Role and name',
  handle: async (_, { env, orm, actor: { adminToken, sessionId, role } }) => {
    const emails = await listSessionEmails(env, sessionId === null ? [] : [sessionId]);
    const token = adminToken === null ? undefined : await findAdminToken(orm, adminToken);
    const name = emails.get(sessionId ?? '') ?? token?.name ?? '';
    return { role, name };
  },
});

export const adminTokenRoutes = { createAdmin, listAdmins, revokeAdmin, getSelf };
