// /admin/v1: bulk requests of all teams, what was given up and can be tried again, and the secret of a team's webhooks.
import { and, eq, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import {
  type AdminRequestList,
  type AdminRequestView,
  type DeadLetterKind,
  type DeadLetterList,
  type DeadLetterView,
  deadLetterKinds,
  type WebhookSecret,
} from '../../../shared/requests-api.ts';
import { auditStatement } from '../../audit.ts';
import { alertMessages, type DeadLetterRow, type FileRow, type RequestRow } from '../../db/schema.ts';
import { isoTime } from '../../format.ts';
import { wordsOf } from '../../gateway/query.ts';
import { RequestDesk } from '../../requests/desk.ts';
import { receiveHook } from '../../requests/hooks.ts';
import { newWebhookSecret } from '../../requests/relay.ts';
import { RequestStore } from '../../requests/store.ts';
import { requestView as viewOf } from '../../requests/view.ts';
import { wake } from '../../requests/wake.ts';
import { PushStore } from '../../tables/pushes.ts';
import { kick } from '../../work-queue.ts';
import { requestView } from '../sheets/requests-bodies.ts';
import { invalid, notFound, type Route, route, type Visit } from './route.ts';
import * as schemas from './schemas.ts';
import { requireTeam } from './teams.ts';

const page = schemas.page.shape;

const adminRequest = requestView.extend({
  team: z.string().describe('Id of the team.'),
  token: z.string().describe('Id of the token.'),
}) satisfies z.ZodType<AdminRequestView>;

const adminRequestList = z.object({
  requests: z.array(adminRequest),
  after: z.string().nullable(),
}) satisfies z.ZodType<AdminRequestList>;

const deadLetter = z.object({
  id: z.string(),
  at: z.string(),
  kind: z
    .enum(deadLetterKinds)
    .describe(
      'Word from the provider that could not be worked on; word to a caller or to an alert address that did not take it; rows that could not be written into a spreadsheet.',
    ),
  request: z.string().describe('Id of the request, or of the push or the alert’s message.'),
  error: z.string().describe('What the last try ended with.'),
  replayed_at: z.string().nullable(),
}) satisfies z.ZodType<DeadLetterView>;

const deadLetterList = z.object({
  dead_letters: z.array(deadLetter),
  after: z.string().nullable(),
}) satisfies z.ZodType<DeadLetterList>;

const secretAnswer = z.object({
  secret: z.string().describe('For the library of Standard Webhooks; this answer alone shows it.'),
}) satisfies z.ZodType<WebhookSecret>;

function adminView(row: RequestRow, files: readonly FileRow[]): AdminRequestView {
  return { ...viewOf(row, files, wordsOf), team: row.teamId, token: row.tokenId };
}

function letterView({ id, at, kind, requestId, error, replayedAt }: DeadLetterRow): DeadLetterView {
  return {
    id,
    at: isoTime(at),
    kind,
    request: requestId,
    error,
    replayed_at: replayedAt === null ? null : isoTime(replayedAt),
  };
}

const list = route({
  method: 'GET',
  path: '/requests',
  summary: 'Bulk requests of all teams or of one, the newest first',
  problems: ['invalid_request'],
  request: z.object({
    query: z.strictObject({ ...page, team: schemas.teamParams.shape.id.optional() }),
  }),
  success: { status: 200, description: 'A page of requests', schema: adminRequestList },
  answer: async ({ query: { after, limit, team } }, { env }) => {
    const store = new RequestStore(env.DB);
    const start = after === undefined ? undefined : await store.get(after);
    if (after !== undefined && start === undefined) throw invalid('after', 'names no request');
    const rows = await store.list(team, start, limit + 1);
    const shown = rows.slice(0, limit);
    const files = await store.files(shown.map(({ id }) => id));
    return {
      requests: shown.map((row) => adminView(row, files)),
      after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const look = route({
  method: 'GET',
  path: '/requests/{id}',
  summary: 'How a bulk request stands',
  problems: ['not_found'],
  request: z.object({ params: z.object({ id: z.uuid() }) }),
  success: { status: 200, description: 'The request', schema: adminRequest },
  answer: async ({ params: { id } }, { env }) => {
    const store = new RequestStore(env.DB);
    const row = await store.get(id);
    if (row === undefined) throw notFound();
    return adminView(row, await store.files([id]));
  },
});

const letters = route({
  method: 'GET',
  path: '/dead-letters',
  summary: 'What was tried often and given up, the newest first',
  problems: ['invalid_request'],
  request: z.object({ query: schemas.page }),
  success: { status: 200, description: 'A page of dead letters', schema: deadLetterList },
  answer: async ({ query: { after, limit } }, { env }) => {
    const store = new RequestStore(env.DB);
    const start = after === undefined ? undefined : await store.deadLetter(after);
    if (after !== undefined && start === undefined) throw invalid('after', 'names no dead letter');
    const rows = await store.deadLetters(start, limit + 1);
    const shown = rows.slice(0, limit);
    return {
      dead_letters: shown.map(letterView),
      after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

/** Tries again what a dead letter is about: nothing where that is gone. */
type Replay = (letter: DeadLetterRow, visit: Visit) => Promise<void>;

const replayHook: Replay = async ({ requestId, body }, { env, now }) => {
  await receiveHook(env, { request: requestId, body }, now);
  const row = await new RequestStore(env.DB).get(requestId);
  if (row !== undefined) await wake(env, row);
};

const replayRelay: Replay = async ({ requestId }, { env, now, provider }) => {
  const row = await new RequestStore(env.DB).get(requestId);
  if (row === undefined) return;
  await new RequestDesk({ env, now: () => now, upstream: provider }).relayAgain(row);
  await wake(env, row);
};

const replayPush: Replay = async ({ requestId }, { env, now }) => {
  const due = await new PushStore(env.DB).replay(requestId, now);
  await kick(
    env,
    due.map((id) => ({ kind: 'push', id })),
  );
};

const replayAlert: Replay = async ({ requestId }, { env, now }) => {
  await drizzle(env.DB)
    .update(alertMessages)
    .set({ tries: 0, dueAt: now })
    .where(and(eq(alertMessages.id, requestId), isNull(alertMessages.dueAt)));
};

const replays: Readonly<Record<DeadLetterKind, Replay>> = {
  hook: replayHook,
  relay: replayRelay,
  push: replayPush,
  alert: replayAlert,
};

const replay = route({
  method: 'POST',
  path: '/dead-letters/{id}/replay',
  summary: 'Try a dead letter once more',
  problems: ['not_found'],
  request: z.object({ params: z.object({ id: z.string().min(1).max(100) }) }),
  success: { status: 200, description: 'The dead letter', schema: deadLetter },
  answer: async ({ params: { id } }, visit) => {
    const { env, now } = visit;
    const store = new RequestStore(env.DB);
    const letter = await store.deadLetter(id);
    if (letter === undefined) throw notFound();
    await auditStatement(drizzle(env.DB), {
      at: now,
      action: 'dead_letter.replay',
      target: id,
      detail: { request: letter.requestId, kind: letter.kind },
    });
    await replays[letter.kind](letter, visit);
    await store.replayed(id, now);
    return letterView({ ...letter, replayedAt: now });
  },
});

const secret = route({
  method: 'POST',
  path: '/teams/{id}/webhook-secret',
  summary: 'Make the secret by which a team’s webhooks are signed; the one before is none from then on',
  problems: ['not_found'],
  request: z.object({ params: schemas.teamParams }),
  success: { status: 201, description: 'The secret; this answer alone shows it', schema: secretAnswer },
  answer: async ({ params: { id } }, { env, now }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    const fresh = newWebhookSecret();
    await orm.batch([
      new RequestStore(env.DB).newSecret(id, fresh, now),
      auditStatement(orm, { at: now, action: 'webhook_secret.create', target: id }),
    ]);
    return { secret: fresh };
  },
});

export const requestRoutes: readonly Route[] = [list, look, letters, replay, secret];
