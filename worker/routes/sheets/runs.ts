// /sheets/v1/runs: the log of the add-on's runs and their cost.

import * as z from 'zod';
import { maxListedRuns, type Run, runBody, runsResponse } from '../../../shared/api/saved-searches.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { ActivityRepository, type ActivityRow, activityKeptDays } from '../../tables/saved/activity.ts';
import { type Route, smallRoute } from './route.ts';

function toView({ startedAt, endedAt, problem, teamId: _, notedAt: __, ...same }: ActivityRow): Run {
  return {
    ...same,
    started_at: toIsoTime(startedAt),
    ended_at: toIsoTime(endedAt),
    ...(problem === null ? {} : { problem }),
  };
}

const list = smallRoute({
  method: 'GET',
  path: '/runs',
  summary: `List the last ${maxListedRuns} runs of the team`,
  description: `Kept for ${activityKeptDays} days. Families outside the token’s scopes are left out.`,
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'Runs, newest first', schema: runsResponse },
  handle: async (_, { env, caller, now }) => {
    const { families } = caller.scopes;
    const rows = await new ActivityRepository(env.DB).list(caller.teamId, families, now, maxListedRuns);
    return { runs: rows.map(toView) };
  },
});

const create = smallRoute({
  method: 'POST',
  path: '/runs',
  summary: 'Log a finished run',
  description: 'A run with a known id is not stored again; the first version stays.',
  problems: ['invalid_request', 'too_large', 'forbidden_scope'],
  request: z.object({ body: runBody }),
  success: { status: 200, description: 'The stored run', schema: runBody },
  handle: async ({ body }, { env, caller, now }) => {
    const { started_at, ended_at, problem = null, ...same } = body;
    requireScope(caller, same.family);
    const { teamId } = caller;
    const row = {
      ...same,
      teamId,
      problem,
      startedAt: Date.parse(started_at),
      endedAt: Date.parse(ended_at),
      notedAt: now,
    };
    const stored = await new ActivityRepository(env.DB).insert(row);
    if (stored === undefined) throw new ProblemError('internal');
    return toView(stored);
  },
});

export const runRoutes: readonly Route[] = [list, create];
