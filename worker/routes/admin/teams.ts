// /admin/v1/teams: teams and their budgets.

import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import * as z from 'zod';
import * as api from '../../../shared/api/admin.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import {
  findTeam,
  insertTeam,
  listTeams,
  type TeamRow,
  updateTeam,
} from '../../gateway/auth/team-repository.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { buildTeamDeletion } from '../../operations/revocations.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, type Route, route } from './route.ts';
import { toTeamView } from './views.ts';

/** Calls to objects at once: an invocation may hold six connections open. */
export const MAX_CONCURRENCY = 5;

/**
 * Finds a team that is not deleted.
 * @throws ProblemError `not_found`
 */
export async function requireTeam(orm: DrizzleD1Database, id: string): Promise<TeamRow> {
  const team = await findTeam(orm, id);
  if (team === undefined || team.deletedAt !== null) throw notFound();
  return team;
}

/**
 * Finds a page of teams, oldest first, and the cursor of the next one.
 * @throws ProblemError `invalid_request` if `after` is not a team
 */
export async function findTeamPage(
  orm: DrizzleD1Database,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ teams: TeamRow[]; next: string | null }> {
  const start = after === undefined ? undefined : await findTeam(orm, after);
  if (after !== undefined && start === undefined) throw invalidRequest('after', 'is not the id of a team');
  const rows = await listTeams(orm, start, limit + 1);
  const teams = rows.slice(0, limit);
  return { teams, next: rows.length > limit ? (teams.at(-1)?.id ?? null) : null };
}

const TEAM_ID_BYTES = 8;

/** Generates a random id of 16 hexadecimal digits. */
function generateId(randomBytes: (length: number) => Uint8Array): string {
  return Array.from(randomBytes(TEAM_ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const create = route({
  method: 'POST',
  path: '/teams',
  summary: 'Create a team',
  problems: ['invalid_request', 'too_large'],
  request: z.object({ body: api.newTeam }),
  success: { status: 201, description: 'The team', schema: api.teamView },
  handle: async ({ body }, { env, now, actor, randomBytes }) => {
    const id = generateId(randomBytes);
    const team = {
      id,
      name: body.name,
      createdAt: now,
      backgroundRefresh: body.background_refresh,
      confirmAboveCredits: body.confirm_above_credits,
      deletedAt: null,
    };
    const { budget: caps = {}, spending } = body;
    // The row is inserted last, so that every visible team has its caps.
    const budget = await getLedger(env, id).setBudget({ caps, spending });
    const orm = drizzle(env.DB);
    await orm.batch([
      insertTeam(orm, team),
      buildAuditInsert(orm, { at: now, actor, action: 'team.create', target: id, detail: body }),
    ]);
    return toTeamView(team, budget);
  },
});

const list = route({
  method: 'GET',
  path: '/teams',
  summary: 'List teams with their budgets, oldest first',
  problems: ['invalid_request'],
  request: z.object({ query: api.page }),
  success: { status: 200, description: 'A page of teams', schema: api.teamList },
  handle: async ({ query }, { env }) => {
    const { teams, next } = await findTeamPage(drizzle(env.DB), query);
    return {
      teams: await pMap(teams, async (row) => toTeamView(row, await getLedger(env, row.id).getBudget()), {
        concurrency: MAX_CONCURRENCY,
      }),
      next,
    };
  },
});

const get = route({
  method: 'GET',
  path: '/teams/{id}',
  summary: 'Get a team with its budget',
  problems: ['not_found'],
  request: z.object({ params: api.teamParams }),
  success: { status: 200, description: 'The team', schema: api.teamView },
  handle: async ({ params: { id } }, { env }) =>
    toTeamView(await requireTeam(drizzle(env.DB), id), await getLedger(env, id).getBudget()),
});

const update = route({
  method: 'PATCH',
  path: '/teams/{id}',
  summary:
    'Rename a team, switch its background refresh, or set the credits above which the sidebar asks for confirmation',
  problems: ['not_found', 'invalid_request', 'too_large'],
  request: z.object({ params: api.teamParams, body: api.teamChange }),
  success: { status: 200, description: 'The team', schema: api.teamView },
  handle: async ({ params: { id }, body }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    const team = await requireTeam(orm, id);
    const changed = {
      name: body.name ?? team.name,
      backgroundRefresh: body.background_refresh ?? team.backgroundRefresh,
      confirmAboveCredits:
        body.confirm_above_credits === undefined ? team.confirmAboveCredits : body.confirm_above_credits,
    };
    if (changed.backgroundRefresh !== team.backgroundRefresh)
      await journalRevocation(env, now, { kind: 'background_refresh', id, isOn: changed.backgroundRefresh });
    if (Object.keys(body).length > 0) {
      await orm.batch([
        updateTeam(orm, id, changed),
        buildAuditInsert(orm, { at: now, actor, action: 'team.change', target: id, detail: body }),
      ]);
    }
    return toTeamView({ ...team, ...changed }, await getLedger(env, id).getBudget());
  },
});

const remove = route({
  method: 'DELETE',
  path: '/teams/{id}',
  summary:
    'Delete a team: revokes its tokens, removes its domains, and deletes its saved searches, runs, tables, schedules and alerts. Its ledger is deleted some minutes later, once no call and no data request is open, and after a day if a call is unclear; the usage report keeps its daily totals',
  problems: ['not_found'],
  request: z.object({ params: api.teamParams }),
  success: { status: 204, description: 'Deleted, or already deleted before' },
  handle: async ({ params: { id } }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    const team = await findTeam(orm, id);
    if (team === undefined) throw notFound();
    if (team.deletedAt === null) {
      await journalRevocation(env, now, { kind: 'team', id });
      await orm.batch([
        ...buildTeamDeletion(orm, id, now),
        buildAuditInsert(orm, { at: now, actor, action: 'team.delete', target: id }),
      ]);
    }
    // Repeated for deleted teams, because the first call may have failed before it reached the ledger.
    await getLedger(env, id).close();
    return undefined;
  },
});

export const teamRoutes: readonly Route[] = [create, list, get, update, remove];
