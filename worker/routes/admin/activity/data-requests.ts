// /admin/v1/requests: data requests of all teams, their events and their stop, as their team can; and webhook secrets.
import type * as api from '../../../../shared/api/admin-data-requests.ts';
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import { DataRequestRepository } from '../../../data-requests/repository.ts';
import { DataRequestService } from '../../../data-requests/service.ts';
import { toRequestView } from '../../../data-requests/view.ts';
import { createRotation } from '../../../data-requests/webhook-secrets.ts';
import type { RequestRow } from '../../../db/schema.ts';
import { findPayerNames } from '../../../gateway/auth/identity/payer-names.ts';
import { findTeamNames } from '../../../gateway/auth/team-repository.ts';
import { parseProviderMessage } from '../../../gateway/query.ts';
import { DeadLetterRepository } from '../../../queue/dead-letters.ts';
import { findRequestChange } from '../../../tables/changes.ts';
import { listPushesOfRows } from '../../../tables/overview/push-list.ts';
import { RunStore } from '../../../tables/schedules/run-store.ts';
import { cutPage, findStart } from '../../paging.ts';
import { buildAuditInsert } from '../audit-log.ts';
import { type RouteContext, requireFound, route } from '../route.ts';
import { requireTeam } from '../teams.ts';
import { buildTimeline } from './timeline-events.ts';

async function toAdminViews(
  { env, orm }: RouteContext,
  rows: readonly RequestRow[],
): Promise<api.AdminDataRequestView[]> {
  const teams = rows.map(({ teamId }) => teamId);
  const tokens = rows.map(({ tokenId }) => tokenId);
  const [files, teamNames, payerNames] = await Promise.all([
    new DataRequestRepository(env.DB).listFiles(rows.map(({ id }) => id)),
    findTeamNames(orm, teams),
    findPayerNames(env, orm, tokens),
  ]);
  return rows.map((row) => ({
    ...toRequestView(row, files, parseProviderMessage),
    team: row.teamId,
    team_name: teamNames.get(row.teamId) ?? null,
    token: row.tokenId,
    token_name: payerNames.get(row.tokenId) ?? null,
  }));
}

/** @throws ProblemError `not_found` */
async function getAdminView(
  context: RouteContext,
  row: RequestRow | undefined,
): Promise<api.AdminDataRequestView> {
  const [view] = await toAdminViews(context, [requireFound(row)]);
  return requireFound(view);
}

const listDataRequests = route(endpoints.listDataRequests, {
  summary: 'List data requests of all teams or one team, newest first',
  returns: 'A page of requests',
  handle: async ({ query: { after, limit, team } }, context) => {
    const store = new DataRequestRepository(context.env.DB);
    const start = await findStart(after, (start) => store.get(start), 'a data request');
    const rows = await store.list({ team, families: null }, start, limit + 1);
    const { shown, last } = cutPage(rows, limit);
    return { requests: await toAdminViews(context, shown), after: last?.id ?? null };
  },
});

const getDataRequest = route(endpoints.getDataRequest, {
  summary: 'Get a data request',
  returns: 'The request',
  handle: async ({ params: { id } }, context) =>
    getAdminView(context, await new DataRequestRepository(context.env.DB).get(id)),
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

/** D1 binds at most 100 values per statement. */
const MAX_PUSHES = 50;
const MAX_DEAD_LETTERS = 100;

const getTimeline = route(endpoints.getTimeline, {
  summary: 'List what has happened to a data request, oldest first',
  returns: 'The events',
  handle: async ({ params: { id } }, { env }) => {
    const store = new DataRequestRepository(env.DB);
    const row = requireFound(await store.get(id));
    const [files, webhookTimes, run, announcedAt] = await Promise.all([
      store.listFiles([id]),
      store.listWebhookTimes(id),
      new RunStore(env.DB).getByRequest(id),
      findRequestChange(env.DB, row.teamId, id),
    ]);
    // The rows of a schedule's data request are pushed under the id of its run.
    const rowsIds = run === undefined ? [id] : [id, run.id];
    const pushes = await listPushesOfRows(env.DB, row.teamId, rowsIds, MAX_PUSHES);
    const subjects = [id, ...pushes.map(({ push }) => push.id)];
    const deadLetters = await new DeadLetterRepository(env.DB).listFor(subjects, MAX_DEAD_LETTERS);
    const problem = toRequestView(row, files, parseProviderMessage).problem?.detail;
    const isScheduled = run !== undefined;
    return {
      events: buildTimeline({
        row,
        problem,
        files,
        webhookTimes,
        announcedAt,
        isScheduled,
        pushes,
        deadLetters,
      }),
    };
  },
});

/** Describes what a stopped data request costs. */
function describeCharge({
  endedAt,
  charged,
  reserved,
}: RequestRow): Pick<api.StoppedDataRequest, 'charge' | 'message'> {
  if (endedAt === null) {
    return {
      charge: 'expected',
      message: `The provider has the order and charges for what it delivers, up to ${formatNumber(reserved)} credits. The team can still write the rows for free.`,
    };
  }
  if (charged === null) {
    return {
      charge: 'unclear',
      message: `Nobody knows whether its ${formatNumber(reserved)} credits were charged. They count as spent until you reconcile them.`,
    };
  }
  return charged === 0
    ? { charge: 'none', message: 'It has ended, and nothing is charged.' }
    : { charge: 'charged', message: `It had already ended: ${formatNumber(charged)} credits were charged.` };
}

const stopDataRequest = route(endpoints.stopDataRequest, {
  summary:
    'Stop a data request: before it is sent, its credits are released; afterwards the gateway only stops waiting for it',
  description: 'The answer says whether it is charged. Repeating the call changes nothing.',
  returns: 'The data request and its charge',
  handle: async ({ params: { id } }, context) => {
    const { env, now, getProvider } = context;
    const store = new DataRequestRepository(env.DB);
    const row = requireFound(await store.get(id));
    if (row.endedAt === null && !row.cancelRequested) {
      const detail = { team: row.teamId, phase: row.phase };
      await buildAuditInsert(context, 'data_request.stop', id, detail);
      await new DataRequestService({ env, now: () => now, upstream: getProvider }).cancel(row);
    }
    const current = (await store.get(id)) ?? row;
    return { request: await getAdminView(context, current), ...describeCharge(current) };
  },
});

export const dataRequestRoutes = {
  listDataRequests,
  getDataRequest,
  getTimeline,
  stopDataRequest,
  createWebhookSecret,
};
