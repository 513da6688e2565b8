// /admin/v1/dead-letters: jobs that failed too often, and their replay or dismissal.
import { drizzle } from 'drizzle-orm/d1';
import type * as api from '../../../../shared/api/admin-data-requests.ts';
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import { DataRequestRepository } from '../../../data-requests/repository.ts';
import { DataRequestService } from '../../../data-requests/service.ts';
import type { DeadLetterRow } from '../../../db/schema.ts';
import type { Env } from '../../../env.ts';
import { findTeamNames } from '../../../gateway/auth/team-repository.ts';
import { toIsoTime } from '../../../lib/format.ts';
import { DeadLetterRepository } from '../../../queue/dead-letters.ts';
import { enqueue } from '../../../queue/jobs.ts';
import { AlertStore } from '../../../tables/alerts/store.ts';
import { PushStore } from '../../../tables/push/store.ts';
import { cutPage, findStart } from '../../paging.ts';
import { buildAuditInsert } from '../audit-log.ts';
import { type RouteContext, requireFound, route } from '../route.ts';

async function toViews(env: Env, rows: readonly DeadLetterRow[]): Promise<api.DeadLetterView[]> {
  const teams = rows.map(({ teamId }) => teamId);
  const names = await findTeamNames(drizzle(env.DB), teams);
  const toTime = (at: number | null): string | null => (at === null ? null : toIsoTime(at));
  return rows.map(({ id, at, kind, teamId, requestId, code, error, replayedAt, dismissedAt }) => ({
    ...{ id, at: toIsoTime(at), kind, team: teamId, team_name: names.get(teamId) ?? null },
    ...{ request: requestId, code, error, replayed_at: toTime(replayedAt) },
    dismissed_at: toTime(dismissedAt),
  }));
}

const listDeadLetters = route(endpoints.listDeadLetters, {
  summary: 'List dead letters, newest first, by team, kind, error code, state and age',
  returns: 'A page of dead letters',
  handle: async ({ query: { after, limit, before, ...filter } }, { env }) => {
    const deadLetters = new DeadLetterRepository(env.DB);
    const start = await findStart(after, (start) => deadLetters.get(start), 'a dead letter');
    const chosen = { ...filter, before: before === undefined ? undefined : Date.parse(before) };
    const { shown, last } = cutPage(await deadLetters.list(start, limit + 1, chosen), limit);
    return { dead_letters: await toViews(env, shown), after: last?.id ?? null };
  },
});

/** Retries the job of a dead letter. Does nothing if its object no longer exists. */
type Replay = (letter: DeadLetterRow, context: RouteContext) => Promise<void>;

const replayWebhook: Replay = async ({ requestId }, { env, now, getProvider }) => {
  const row = await new DataRequestRepository(env.DB).get(requestId);
  if (row === undefined) return;
  await new DataRequestService({ env, now: () => now, upstream: getProvider }).resendWebhook(row);
};

/** Restarts a push that has ended, and the pushes to its table that completed after it. */
export async function restartPush(env: Env, push: string, now: number): Promise<void> {
  await new PushStore(env.DB).replay(push, now);
  await enqueue(env, [{ kind: 'push', id: push }]);
}

const replays: Readonly<Record<api.DeadLetterKind, Replay>> = {
  webhook: replayWebhook,
  push: ({ requestId }, { env, now }) => restartPush(env, requestId, now),
  alert: ({ requestId }, { env, now }) => new AlertStore(env.DB).retry(requestId, now),
};

async function replayLetter(letter: DeadLetterRow, context: RouteContext): Promise<void> {
  const { env, now } = context;
  const { id, requestId: request, kind } = letter;
  await buildAuditInsert(context, 'dead_letter.replay', id, { request, kind });
  await replays[kind](letter, context);
  await new DeadLetterRepository(env.DB).markReplayed(id, now);
}

const replayDeadLetter = route(endpoints.replayDeadLetter, {
  summary: 'Replay a dead letter',
  returns: 'The dead letter',
  handle: async ({ params: { id } }, context) => {
    const { env, now } = context;
    const letter = requireFound(await new DeadLetterRepository(env.DB).get(id));
    await replayLetter(letter, context);
    const [view] = await toViews(env, [{ ...letter, replayedAt: now }]);
    return requireFound(view);
  },
});

const replayDeadLetters = route(endpoints.replayDeadLetters, {
  summary: 'Replay dead letters that are open, the oldest first',
  returns: 'How many were replayed',
  handle: async ({ body: { ids } }, context) => {
    const letters = await new DeadLetterRepository(context.env.DB).listByIds(ids);
    const open = letters.filter(({ replayedAt, dismissedAt }) => replayedAt === null && dismissedAt === null);
    for (const letter of open) await replayLetter(letter, context);
    return { changed: open.length };
  },
});

const dismissDeadLetters = route(endpoints.dismissDeadLetters, {
  summary: 'Dismiss dead letters that are open: they need nothing any more',
  description: 'A dismissed dead letter can still be replayed by its own endpoint.',
  returns: 'How many were dismissed',
  handle: async ({ body: { ids } }, context) => {
    const { env, now } = context;
    await buildAuditInsert(context, 'dead_letter.dismiss', String(ids.length), { ids });
    return { changed: await new DeadLetterRepository(env.DB).dismiss(ids, now) };
  },
});

export const deadLetterRoutes = { listDeadLetters, replayDeadLetters, dismissDeadLetters, replayDeadLetter };
