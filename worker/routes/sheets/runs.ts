// /sheets/v1/runs: what the add-on did in sheets, and what that cost.

import { and, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import { maxListedRuns, type Run, runBody, runsResponse } from '../../../shared/api/saved-searches.ts';
import { runs } from '../../db/schema.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import { DAY_MS } from '../../gateway/ledger/periods.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { runKeptDays } from '../../jobs/retention.ts';
import { toIsoTime } from '../../lib/format.ts';
import { type Route, smallRoute } from './route.ts';

/** Runs are kept so long, and no more than so many of a team. */
const KEEP_MS = runKeptDays * DAY_MS;
const MAX_RUNS = 1000;

type Row = typeof runs.$inferSelect;

function toView({ startedAt, endedAt, problem, teamId: _, notedAt: __, ...same }: Row): Run {
  return {
    ...same,
    started_at: toIsoTime(startedAt),
    ended_at: toIsoTime(endedAt),
    ...(problem === null ? {} : { problem }),
  };
}

/** The one that came last is first; of those that came together, the one that began last. */
const newestFirst = [desc(runs.notedAt), desc(runs.startedAt), desc(runs.id)] as const;

const list = smallRoute({
  method: 'GET',
  path: '/runs',
  summary: `The last ${maxListedRuns} runs of the team`,
  description: `Kept for ${runKeptDays} days. Those of families that the token may not use are left out.`,
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'Runs, the newest first', schema: runsResponse },
  handle: async (_, { env, caller, now }) => {
    const { families } = caller.scopes;
    const rows = await drizzle(env.DB)
      .select()
      .from(runs)
      .where(
        and(
          eq(runs.teamId, caller.teamId),
          gte(runs.notedAt, now - KEEP_MS),
          families === null ? undefined : inArray(runs.family, families),
        ),
      )
      .orderBy(...newestFirst)
      .limit(maxListedRuns);
    return { runs: rows.map(toView) };
  },
});

const create = smallRoute({
  method: 'POST',
  path: '/runs',
  summary: 'Note down a run that has ended',
  description: 'The same run sent again is kept once, as it was sent first.',
  problems: ['invalid_request', 'too_large', 'forbidden_scope'],
  request: z.object({ body: runBody }),
  success: { status: 200, description: 'The run as it is kept', schema: runBody },
  handle: async ({ body }, { env, caller, now }) => {
    const { started_at, ended_at, problem = null, ...same } = body;
    requireScope(caller, same.family);
    const { teamId } = caller;
    const own = eq(runs.teamId, teamId);
    const orm = drizzle(env.DB);
    const row = {
      ...same,
      teamId,
      problem,
      startedAt: Date.parse(started_at),
      endedAt: Date.parse(ended_at),
      notedAt: now,
    };
    const tooMany = orm
      .select({ id: runs.id })
      .from(runs)
      .where(own)
      .orderBy(...newestFirst)
      .limit(MAX_RUNS)
      .offset(MAX_RUNS);
    const [, [kept]] = await orm.batch([
      orm.insert(runs).values(row).onConflictDoNothing(),
      orm
        .select()
        .from(runs)
        .where(and(own, eq(runs.id, row.id))),
      orm.delete(runs).where(and(own, lt(runs.notedAt, now - KEEP_MS))),
      orm.delete(runs).where(and(own, inArray(runs.id, tooMany))),
    ]);
    if (kept === undefined) throw new ProblemError('internal');
    return toView(kept);
  },
});

export const runRoutes: readonly Route[] = [list, create];
