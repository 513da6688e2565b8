// /admin/v1: data requests of all teams, dead letters and their replay, and webhook secrets.

import { drizzle } from 'drizzle-orm/d1';
import type * as api from '../../../shared/api/admin-data-requests.ts';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { DataRequestService } from '../../data-requests/service.ts';
import { toRequestView } from '../../data-requests/view.ts';
import { createRotation } from '../../data-requests/webhook-secrets.ts';
import type { DeadLetterRow, RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { findPayerNames } from '../../gateway/auth/identity/payer-names.ts';
import { findTeamNames } from '../../gateway/auth/team-repository.ts';
import { parseProviderMessage } from '../../gateway/query.ts';
import { toIsoTime } from '../../lib/format.ts';
import { DeadLetterRepository } from '../../queue/dead-letters.ts';
import { enqueue } from '../../queue/jobs.ts';
import { AlertStore } from '../../tables/alerts/store.ts';
import { PushStore } from '../../tables/push/store.ts';
import { cutPage, findStart } from '../paging.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, type Route, type RouteContext, requireFound, route } from './route.ts';
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

function toDeadLetterView({ id, at, kind, requestId, error, replayedAt }: DeadLetterRow): api.DeadLetterView {
  return {
    id,
    at: toIsoTime(at),
    kind,
    request: requestId,
    error,
    replayed_at: replayedAt === null ? null : toIsoTime(replayedAt),
  };
}

const list = route(endpoints.listDataRequests, {
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

const get = route(endpoints.getDataRequest, {
  summary: 'Get a data request',
  returns: 'The request',
  handle: async ({ params: { id } }, { env }) =>
    getAdminView(env, await new DataRequestRepository(env.DB).get(id)),
});

const listDeadLetters = route(endpoints.listDeadLetters, {
  summary: 'List dead letters, newest first',
  returns: 'A page of dead letters',
  handle: async ({ query: { after, limit } }, { env }) => {
    const deadLetters = new DeadLetterRepository(env.DB);
    const start = await findStart(after, (start) => deadLetters.get(start), 'a dead letter');
    const rows = await deadLetters.list(start, limit + 1);
    const { shown, last } = cutPage(rows, limit);
    return {
      dead_letters: shown.map(toDeadLetterView),
      after: last?.id ?? null,
    };
  },
});

/** Retries the job of a dead letter. Does nothing if its object no longer exists. */
type Replay = (letter: DeadLetterRow, context: RouteContext) => Promise<void>;

const replayRelay: Replay = async ({ requestId }, { env, now, getProvider }) => {
  const row = await new DataRequestRepository(env.DB).get(requestId);
  if (row === undefined) return;
  await new DataRequestService({ env, now: () => now, upstream: getProvider }).retryRelay(row);
};

/** Restarts a push that has ended, and the pushes to its table that completed after it. */
export async function restartPush(env: Env, push: string, now: number): Promise<void> {
  await new PushStore(env.DB).replay(push, now);
  await enqueue(env, [{ kind: 'push', id: push }]);
}

const replayPush: Replay = ({ requestId }, { env, now }) => restartPush(env, requestId, now);

const replayAlert: Replay = async ({ requestId }, { env, now }) => {
  await new AlertStore(env.DB).retry(requestId, now);
};

const replays: Readonly<Record<api.DeadLetterKind, Replay>> = {
  relay: replayRelay,
  push: replayPush,
  alert: replayAlert,
};

const replay = route(endpoints.replayDeadLetter, {
  summary: 'Replay a dead letter',
  returns: 'The dead letter',
  handle: async ({ params: { id } }, context) => {
    const { env, now, actor } = context;
    const deadLetters = new DeadLetterRepository(env.DB);
    const letter = requireFound(await deadLetters.get(id));
    await buildAuditInsert({ env, now, actor }, 'dead_letter.replay', id, {
      request: letter.requestId,
      kind: letter.kind,
    });
    await replays[letter.kind](letter, context);
    await deadLetters.markReplayed(id, now);
    return toDeadLetterView({ ...letter, replayedAt: now });
  },
});

const issueWebhookSecret = route(endpoints.createWebhookSecret, {
  summary: 'Create a new secret for signing a team’s webhooks; for 24 hours, the previous one signs them too',
  returns: 'The secret. Only this response contains it',
  handle: async ({ params: { id } }, { env, now, actor, orm }) => {
    await requireTeam(orm, id);
    const { secret, statement } = await createRotation(env, id, now);
    await orm.batch([statement, buildAuditInsert({ env, now, actor }, 'webhook_secret.create', id)]);
    return { secret };
  },
});

export const dataRequestRoutes: readonly Route[] = [list, get, listDeadLetters, replay, issueWebhookSecret];
