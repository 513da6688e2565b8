// /admin/v1/teams: teams and their budgets.

import { sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import pMap from 'p-map';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import * as repository from '../../gateway/auth/team-repository.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { invalidRequest, ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { buildTeamDeletion } from '../../operations/revocations.ts';
import { cutPage, findStart } from '../paging.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, requireFound, route } from './route.ts';
import { toTeamView } from './views.ts';

/** Calls to objects at once: an invocation may hold six connections open. */
export const MAX_CONCURRENCY = 5;

/**
 * Finds a team that is not deleted.
 * @throws ProblemError `not_found`
 */
export async function requireTeam(orm: DrizzleD1Database, id: string): Promise<repository.TeamRow> {
  const team = await repository.findTeam(orm, id);
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
): Promise<{ teams: repository.TeamRow[]; next: string | null }> {
  const start = await findStart(after, (start) => repository.findTeam(orm, start), 'a team');
  const { shown: teams, last } = cutPage(await repository.listTeams(orm, start, limit + 1), limit);
  return { teams, next: last?.id ?? null };
}

const TEAM_ID_BYTES = 8;
const MAX_SAME_NAME = 10;

/**
 * Creates an id of 16 hexadecimal digits.
 * @param key - idempotency key, from which the id follows; default: it is random
 */
async function createId(
  key: string | undefined,
  randomBytes: (length: number) => Uint8Array,
): Promise<string> {
  if (key !== undefined) return (await sha256Hex(`team ${key}`)).slice(0, 2 * TEAM_ID_BYTES);
  return Array.from(randomBytes(TEAM_ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const createTeam = route(endpoints.createTeam, {
  summary: 'Create a team; calls with the same Idempotency-Key create it once',
  returns: 'The team',
  handle: async ({ headers, body }, { env, now, actor, randomBytes, orm }) => {
    const id = await createId(headers['idempotency-key'], randomBytes);
    const [existing, sameName] = await Promise.all([
      repository.findTeam(orm, id),
      repository.listTeamsByName(orm, body.name, MAX_SAME_NAME),
    ]);
    const same_name = sameName.filter((other) => other !== id);
    const repeat = async (created: repository.TeamRow) => {
      if (created.name !== body.name || created.deletedAt !== null)
        throw invalidRequest('idempotency-key', 'was used for another team: send a new key');
      return { ...toTeamView(created, await getLedger(env, id).getBudget()), same_name };
    };
    if (existing !== undefined) return repeat(existing);
    if (same_name.length > 0 && !body.allow_same_name)
      throw new ProblemError(
        'name_taken',
        'Another team has this name.',
        'Choose another name, or allow the same one.',
      );
    const team = {
      id,
      name: body.name,
      createdAt: now,
      backgroundRefresh: body.background_refresh,
      confirmAboveCredits: body.confirm_above_credits,
      formulaMaxCredits: body.formula_max_credits,
      deletedAt: null,
    };
    const { allow_same_name: _, ...detail } = body;
    const { budget: caps = {}, spending } = body;
    // The row is inserted last, so that every visible team has its caps.
    const budget = await getLedger(env, id).createBudget({ caps, spending });
    const row = { ...team, ...repository.toCapColumns(budget.caps) };
    const [{ meta }] = await orm.batch([
      repository.insertTeam(orm, row),
      buildAuditInsert({ env, now, actor }, 'team.create', id, detail, sql`changes() > 0`),
    ]);
    // A call with the same key may have been first.
    if (meta.changes === 0) return repeat(requireFound(await repository.findTeam(orm, id)));
    return { ...toTeamView(row, budget), same_name };
  },
});

const listTeams = route(endpoints.listTeams, {
  summary: 'List teams with their budgets, oldest first',
  returns: 'A page of teams',
  handle: async ({ query }, { env, orm }) => {
    const { teams, next } = await findTeamPage(orm, query);
    return {
      teams: await pMap(teams, async (row) => toTeamView(row, await getLedger(env, row.id).getBudget()), {
        concurrency: MAX_CONCURRENCY,
      }),
      next,
    };
  },
});

const listTeamNames = route(endpoints.listTeamNames, {
  summary: 'List the ids and names of all teams, by name',
  returns: 'The teams',
  handle: async (_, { orm }) => ({ teams: await repository.listTeamNames(orm) }),
});

const getTeam = route(endpoints.getTeam, {
  summary: 'Get a team with its budget',
  returns: 'The team',
  handle: async ({ params: { id } }, { env, orm }) =>
    toTeamView(await requireTeam(orm, id), await getLedger(env, id).getBudget()),
});

const updateTeam = route(endpoints.updateTeam, {
  summary:
    'Rename a team, switch its background refresh, or set the credits above which clicks and formulas need a confirmation',
  returns: 'The team',
  handle: async ({ params: { id }, body }, { env, now, actor, orm }) => {
    const team = await requireTeam(orm, id);
    // Only the sent members: another call may change the rest at the same time.
    const changed = defined({
      name: body.name,
      backgroundRefresh: body.background_refresh,
      confirmAboveCredits: body.confirm_above_credits,
      formulaMaxCredits: body.formula_max_credits,
    });
    const { backgroundRefresh: isOn = team.backgroundRefresh } = changed;
    if (isOn !== team.backgroundRefresh)
      await journalRevocation(env, now, { kind: 'background_refresh', id, isOn });
    if (Object.keys(body).length > 0) {
      await orm.batch([
        repository.updateTeam(orm, id, changed),
        buildAuditInsert({ env, now, actor }, 'team.change', id, body),
      ]);
    }
    return toTeamView({ ...team, ...changed }, await getLedger(env, id).getBudget());
  },
});

const deleteTeam = route(endpoints.deleteTeam, {
  summary:
    'Delete a team: revokes its tokens, removes its domains, and deletes its saved searches, runs, tables, schedules and alerts. Its ledger is deleted some minutes later, once no call and no data request is open, and after a day if a call is unclear; the usage report keeps its daily totals',
  returns: 'Deleted, or already deleted before',
  handle: async ({ params: { id } }, { env, now, actor, orm }) => {
    const team = requireFound(await repository.findTeam(orm, id));
    if (team.deletedAt === null) {
      await journalRevocation(env, now, { kind: 'team', id });
      await orm.batch([
        ...buildTeamDeletion(orm, id, now),
        buildAuditInsert({ env, now, actor }, 'team.delete', id),
      ]);
    }
    // Repeated for deleted teams, because the first call may have failed before it reached the ledger.
    await getLedger(env, id).close();
    return undefined;
  },
});

export const teamRoutes = {
  createTeam,
  listTeams,
  listTeamNames,
  getTeam,
  updateTeam,
  deleteTeam,
};
