// /admin/v1: data requests of all teams, and webhook secrets.

import { drizzle } from 'drizzle-orm/d1';
import type * as api from '../../../shared/api/admin-data-requests.ts';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { toRequestView } from '../../data-requests/view.ts';
import { createRotation } from '../../data-requests/webhook-secrets.ts';
import type { RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { findPayerNames } from '../../gateway/auth/identity/payer-names.ts';
import { findTeamNames } from '../../gateway/auth/team-repository.ts';
import { parseProviderMessage } from '../../gateway/query.ts';
import { cutPage, findStart } from '../paging.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, route } from './route.ts';
import { requireTeam } from './teams.ts';

async function toAdminViews(env: Env, rows: readonly RequestRow[]): Promise<api.AdminDataRequestView[]> {
  const [files, names, payers] = await Promise.all([
    new DataRequestRepository(env.DB).listFiles(rows.map(({ id }) => id)),
    findTeamNames(
      drizzle(env.DB),
      rows.map(({ teamId }) => teamId),
    ),
    findPayerNames(
      env,
      drizzle(env.DB),
      rows.map(({ tokenId }) => tokenId),
    ),
  ]);
  return rows.map((row) => ({
    ...toRequestView(row, files, parseProviderMessage),
    team: row.teamId,
    team_name: names.get(row.teamId) ?? null,
    token: row.tokenId,
    token_name: payers.get(row.tokenId) ?? null,
  }));
}

/**
 * Returns the view of the admin of a data request.
 * @throws ProblemError `not_found`
 */
export async function getAdminView(env: Env, row: RequestRow | undefined): Promise<api.AdminDataRequestView> {
  const [view] = row === undefined ? [] : await toAdminViews(env, [row]);
  if (view === undefined) throw notFound();
  return view;
}

const listDataRequests = route(endpoints.listDataRequests, {
  summary: 'List data requests of all teams or one team, newest first',
  returns: 'A page of requests',
  handle: async ({ query: { after, limit, team } }, { env }) => {
    const store = new DataRequestRepository(env.DB);
    const start = await findStart(after, (start) => store.get(start), 'a data request');
    const rows = await store.list({ team, families: null }, start, limit + 1);
    const { shown, last } = cutPage(rows, limit);
    return {
      requests: await toAdminViews(env, shown),
      after: last?.id ?? null,
    };
  },
});

const getDataRequest = route(endpoints.getDataRequest, {
  summary: 'Get a data request',
  returns: 'The request',
  handle: async ({ params: { id } }, { env }) =>
    getAdminView(env, await new DataRequestRepository(env.DB).get(id)),
});

const createWebhookSecret = route(endpoints.createWebhookSecret, {
  summary: 'Create a new secret for signing a team’s webhooks; for 24 hours, the previous one signs them too',
  returns: 'The secret. Only this response contains it',
  handle: async ({ params: { id } }, { env, now, actor, orm }) => {
    await requireTeam(orm, id);
    const { secret, statement } = await createRotation(env, id, now);
    await orm.batch([statement, buildAuditInsert({ env, now, actor }, 'webhook_secret.create', id)]);
    return { secret };
  },
});

export const dataRequestRoutes = { listDataRequests, getDataRequest, createWebhookSecret };
