// /admin/v1: data requests of all teams, dead letters and their replay, and webhook secrets.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import { page, teamParams } from '../../../shared/api/admin.ts';
import * as api from '../../../shared/api/admin-data-requests.ts';
import { dataRequestParams } from '../../../shared/api/data-requests.ts';
import { DeadLetterRepository } from '../../data-requests/dead-letters.ts';
import { handleWebhook } from '../../data-requests/provider-webhooks.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { DataRequestService } from '../../data-requests/service.ts';
import { toRequestView } from '../../data-requests/view.ts';
import { createRotation } from '../../data-requests/webhook-secrets.ts';
import { wakeWorkflow } from '../../data-requests/workflow-instances.ts';
import type { DeadLetterRow, RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { findTeamNames } from '../../gateway/auth/team-repository.ts';
import { parseProviderMessage } from '../../gateway/query.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { AlertStore } from '../../tables/alerts/store.ts';
import { enqueue } from '../../tables/job-queue.ts';
import { PushStore } from '../../tables/push/store.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, type Route, type RouteContext, route } from './route.ts';
import { requireTeam } from './teams.ts';

/** Converts data requests to the views of the admin. */
async function toAdminViews(env: Env, rows: readonly RequestRow[]): Promise<api.AdminDataRequestView[]> {
  const [files, names] = await Promise.all([
    new DataRequestRepository(env.DB).listFiles(rows.map(({ id }) => id)),
    findTeamNames(
      drizzle(env.DB),
      rows.map(({ teamId }) => teamId),
    ),
  ]);
  return rows.map((row) => ({
    ...toRequestView(row, files, parseProviderMessage),
    team: row.teamId,
    team_name: names.get(row.teamId) ?? null,
    token: row.tokenId,
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

const list = route({
  method: 'GET',
  path: '/requests',
  summary: 'List data requests of all teams or one team, newest first',
  problems: ['invalid_request'],
  request: z.object({ query: api.adminDataRequestQuery }),
  success: { status: 200, description: 'A page of requests', schema: api.adminDataRequestList },
  handle: async ({ query: { after, limit, team } }, { env }) => {
    const store = new DataRequestRepository(env.DB);
    const start = after === undefined ? undefined : await store.get(after);
    if (after !== undefined && start === undefined)
      throw invalidRequest('after', 'is not the id of a data request');
    const rows = await store.list({ team, families: null }, start, limit + 1);
    const shown = rows.slice(0, limit);
    return {
      requests: await toAdminViews(env, shown),
      after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const get = route({
  method: 'GET',
  path: '/requests/{id}',
  summary: 'Get a data request',
  problems: ['not_found'],
  request: z.object({ params: dataRequestParams }),
  success: { status: 200, description: 'The request', schema: api.adminDataRequestView },
  handle: async ({ params: { id } }, { env }) =>
    getAdminView(env, await new DataRequestRepository(env.DB).get(id)),
});

const listDeadLetters = route({
  method: 'GET',
  path: '/dead-letters',
  summary: 'List dead letters, newest first',
  problems: ['invalid_request'],
  request: z.object({ query: page }),
  success: { status: 200, description: 'A page of dead letters', schema: api.deadLetterList },
  handle: async ({ query: { after, limit } }, { env }) => {
    const deadLetters = new DeadLetterRepository(env.DB);
    const start = after === undefined ? undefined : await deadLetters.get(after);
    if (after !== undefined && start === undefined)
      throw invalidRequest('after', 'is not the id of a dead letter');
    const rows = await deadLetters.list(start, limit + 1);
    const shown = rows.slice(0, limit);
    return {
      dead_letters: shown.map(toDeadLetterView),
      after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

/** Retries the job of a dead letter. Does nothing if its object no longer exists. */
type Replay = (letter: DeadLetterRow, context: RouteContext) => Promise<void>;

const replayHook: Replay = async ({ requestId, body }, { env, now }) => {
  await handleWebhook(env, { request: requestId, body }, now);
  const row = await new DataRequestRepository(env.DB).get(requestId);
  if (row !== undefined) await wakeWorkflow(env, row);
};

const replayRelay: Replay = async ({ requestId }, { env, now, getProvider }) => {
  const row = await new DataRequestRepository(env.DB).get(requestId);
  if (row === undefined) return;
  await new DataRequestService({ env, now: () => now, upstream: getProvider }).retryRelay(row);
  await wakeWorkflow(env, row);
};

/** Restarts a push that has ended, and the pushes to its table that completed after it. */
export async function restartPush(env: Env, push: string, now: number): Promise<void> {
  const due = await new PushStore(env.DB).replay(push, now);
  await enqueue(
    env,
    due.map((id) => ({ kind: 'push', id })),
  );
}

const replayPush: Replay = ({ requestId }, { env, now }) => restartPush(env, requestId, now);

const replayAlert: Replay = async ({ requestId }, { env, now }) => {
  await new AlertStore(env.DB).retry(requestId, now);
};

const replays: Readonly<Record<api.DeadLetterKind, Replay>> = {
  hook: replayHook,
  relay: replayRelay,
  push: replayPush,
  alert: replayAlert,
};

const replay = route({
  method: 'POST',
  path: '/dead-letters/{id}/replay',
  summary: 'Replay a dead letter',
  problems: ['not_found'],
  request: z.object({ params: z.object({ id: z.string().min(1).max(100) }) }),
  success: { status: 200, description: 'The dead letter', schema: api.deadLetterView },
  handle: async ({ params: { id } }, context) => {
    const { env, now, actor } = context;
    const deadLetters = new DeadLetterRepository(env.DB);
    const letter = await deadLetters.get(id);
    if (letter === undefined) throw notFound();
    await buildAuditInsert(drizzle(env.DB), {
      at: now,
      actor,
      action: 'dead_letter.replay',
      target: id,
      detail: { request: letter.requestId, kind: letter.kind },
    });
    await replays[letter.kind](letter, context);
    await deadLetters.markReplayed(id, now);
    return toDeadLetterView({ ...letter, replayedAt: now });
  },
});

const issueWebhookSecret = route({
  method: 'POST',
  path: '/teams/{id}/webhook-secret',
  summary: 'Create a new secret for signing a team’s webhooks; for 24 hours, the previous one signs them too',
  problems: ['not_found'],
  request: z.object({ params: teamParams }),
  success: {
    status: 201,
    description: 'The secret. Only this response contains it',
    schema: api.webhookSecret,
  },
  handle: async ({ params: { id } }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    const { secret, statement } = await createRotation(env, id, now);
    await orm.batch([
      statement,
      buildAuditInsert(orm, { at: now, actor, action: 'webhook_secret.create', target: id }),
    ]);
    return { secret };
  },
});

export const dataRequestRoutes: readonly Route[] = [list, get, listDeadLetters, replay, issueWebhookSecret];
