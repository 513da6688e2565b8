// /sheets/v1/runs: the log of the add-on's runs and their cost.
import { maxListedRuns, type Run, runKinds } from '../../../shared/api/saved-searches.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { type Caller, canUse, requireScope } from '../../gateway/auth/tokens.ts';
import type { OperationName } from '../../gateway/provider-call.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { ActivityRepository, type ActivityRow, activityKeptDays } from '../../tables/saved/activity.ts';
import { type Route, smallRoute } from './route.ts';

/** Operations of each kind of run. A token with one of them sees the run. */
const runOperations: Readonly<Record<Run['kind'], readonly [OperationName, ...OperationName[]]>> = {
  search: ['search', 'preview'],
  enrich: ['enrich', 'collect'],
  records: ['collect', 'enrich'],
  refresh: ['collect', 'enrich', 'preview'],
  bulk: ['bulk'],
  count: ['search'],
};

/** Checks whether a token permits an operation of a kind of run. */
const canSeeKind = ({ scopes: { operations } }: Caller, kind: Run['kind']): boolean =>
  operations === null || runOperations[kind].some((operation) => operations.includes(operation));

/** @throws ProblemError `forbidden_scope` unless the token may make such a run */
function requireRunScope(caller: Caller, { family, kind }: Pick<Run, 'family' | 'kind'>): void {
  const [first, ...others] = runOperations[kind];
  requireScope(caller, family, others.find((operation) => canUse(caller, family, operation)) ?? first);
}

function toView({ startedAt, endedAt, problem, teamId: _, receivedAt: __, ...same }: ActivityRow): Run {
  return {
    ...same,
    started_at: toIsoTime(startedAt),
    ended_at: toIsoTime(endedAt),
    ...(problem === null ? {} : { problem }),
  };
}

const list = smallRoute(endpoints.listRuns, {
  summary: `List the last ${maxListedRuns} runs of the team`,
  description: `Kept for ${activityKeptDays} days. Families and operations outside the token’s scopes are left out.`,
  returns: 'Runs, newest first',
  handle: async (_, { env, caller, now }) => {
    const { families } = caller.scopes;
    const kinds = runKinds.filter((kind) => canSeeKind(caller, kind));
    const filter = { families, kinds };
    const rows = await new ActivityRepository(env.DB).list(caller.teamId, filter, now, maxListedRuns);
    return { runs: rows.map(toView) };
  },
});

const create = smallRoute(endpoints.createRun, {
  summary: 'Log a finished run',
  description: 'A run with a known id is not stored again; the first version stays.',
  returns: 'The stored run',
  handle: async ({ body }, { env, caller, now }) => {
    const { started_at, ended_at, problem = null, ...same } = body;
    requireRunScope(caller, same);
    const { teamId } = caller;
    const row = {
      ...same,
      teamId,
      problem,
      startedAt: Date.parse(started_at),
      endedAt: Date.parse(ended_at),
      receivedAt: now,
    };
    const stored = await new ActivityRepository(env.DB).insert(row);
    if (stored === undefined) throw new ProblemError('internal');
    // The id may be that of a colleague's run.
    requireRunScope(caller, stored);
    return toView(stored);
  },
});

export const runRoutes: readonly Route[] = [list, create];
