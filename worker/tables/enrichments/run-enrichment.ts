// Job that fills the new rows of a closed sheet: reads the keys, looks the new ones up within the budget, writes the values.
import { maxLookupKeys } from '../../../shared/limits.ts';
import { type Problem, problemPolicies } from '../../../shared/problems.ts';
import type { StoredProblem } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { findCallerByTokenId } from '../../gateway/auth/tokens.ts';
import type { JobContext } from '../../gateway/context.ts';
import type { Payer } from '../../gateway/provider-call.ts';
import { createBackgroundContext } from '../../gateway/services.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { enqueue } from '../job-queue.ts';
import { createPushDependencies, type PushDependencies } from '../push/pusher.ts';
import { getNextRunTime } from '../schedules/timing.ts';
import { toReason } from '../schedules/view.ts';
import { enrichmentTokenInvalid } from '../token-problems.ts';
import { createKeyPseudonyms, fillKeys, requireEnrichmentScope } from './fill.ts';
import { findOpenRows, writeAnswers } from './sheet-rows.ts';
import { EnrichmentStore, type LeasedEnrichment, type RunResult } from './store.ts';

const SEPARATOR = '@';

/** Encodes the key of a standing order as a job id. */
export const toEnrichmentJobId = ({ teamId, id }: Pick<LeasedEnrichment, 'teamId' | 'id'>): string =>
  `${id}${SEPARATOR}${teamId}`;

const stopped: StoredProblem = {
  problem: 'maintenance',
  detail: 'The setting was changed while rows were filled.',
  fix: 'Nothing needs to be done: the rows are filled at the next time.',
};

/** Fills the new rows of a leased standing order. @throws ProblemError */
async function fillClosedSheet<E extends Env>(
  { env, platform, waitUntil }: JobContext<E>,
  store: EnrichmentStore,
  row: LeasedEnrichment,
  { createPusher, google }: PushDependencies,
): Promise<Pick<RunResult, 'rows' | 'credits'> & { problem?: StoredProblem }> {
  const caller = await findCallerByTokenId(env.DB, row.tokenId, platform.now());
  if (caller?.teamId !== row.teamId) return { rows: 0, credits: 0, problem: enrichmentTokenInvalid };
  const pusher = createPusher(google);
  const open = [...(await findOpenRows(pusher, row)).values()].map(({ key }) => key);
  const names = await createKeyPseudonyms(env, row, open);
  const known = await store.findKeys(row, [...names.values()]);
  const keys = open
    .filter((key) => known.get(names.get(`${key.kind}:${key.value}`) ?? '') !== true)
    .slice(0, maxLookupKeys);
  if (keys.length === 0) return { rows: 0, credits: 0 };
  requireEnrichmentScope(caller, row);
  const payer: Payer = { team: caller.teamId, token: caller.tokenId, source: 'schedule' };
  const context = await createBackgroundContext(env, platform, payer, waitUntil);
  // The sheet may have been long to read: nothing is bought if the setting was switched off meanwhile.
  const current = await store.extendLease(row, platform.now());
  if (current === undefined) return { rows: 0, credits: 0, problem: stopped };
  Object.assign(row, current);
  const filled = await fillKeys(env, store, row, keys, context);
  const { credits } = filled;
  const problem = filled.problem === undefined ? {} : { problem: filled.problem };
  try {
    const { rows, written } = await writeAnswers(pusher, row, filled.rows);
    await store.addKeys(
      row,
      written.flatMap((name) => names.get(name) ?? []),
      true,
    );
    return { rows, credits, ...problem };
  } catch (error) {
    // The records are bought: the next run writes them from the cache.
    if (!(error instanceof ProblemError)) throw error;
    return { rows: 0, credits, problem: toStored(error.problem) };
  }
}

const toStored = ({ code: problem, detail, fix }: Problem): StoredProblem => ({ problem, detail, fix });

async function runSafely<E extends Env>(
  context: JobContext<E>,
  store: EnrichmentStore,
  row: LeasedEnrichment,
  dependencies: PushDependencies,
): Promise<Pick<RunResult, 'rows' | 'credits'> & { problem?: StoredProblem }> {
  try {
    return await fillClosedSheet(context, store, row, dependencies);
  } catch (error) {
    if (error instanceof ProblemError) return { rows: 0, credits: 0, problem: toStored(error.problem) };
    logError('job_failed', error, { kind: 'enrichment' });
    return { rows: 0, credits: 0, problem: { problem: 'internal' } };
  }
}

/**
 * Runs a due standing order under a lease. Does nothing when it is not due, not active or leased. After a crash the sweep
 * finds it when its lease has expired; the records that were bought come from the cache then.
 * @param id - from {@link toEnrichmentJobId}
 * @throws when D1 is unavailable
 */
export async function runEnrichment<E extends Env>(
  context: JobContext<E>,
  id: string,
  dependencies: PushDependencies = createPushDependencies(context),
): Promise<void> {
  const { env, platform } = context;
  const [enrichment = '', ...team] = id.split(SEPARATOR);
  const store = new EnrichmentStore(env.DB);
  const key = { id: enrichment, teamId: team.join(SEPARATOR) };
  const row = await store.acquireLease(key, platform.now(), true);
  if (row === undefined) return;
  const { rows, credits, problem = null } = await runSafely(context, store, row, dependencies);
  const now = platform.now();
  // A retry can't help until a person acts.
  const isStopping = problem !== null && problemPolicies[problem.problem].retry === 'never';
  const nextAt = getNextRunTime(row.every, row.nextAt ?? now, now);
  const isStopped = await store.finishRun(row, { rows, credits, problem, isStopping, nextAt }, now);
  if (isStopped && problem !== null) await alertStopped(env, row, problem, now);
  if (rows > 0) {
    const text = `“${row.title}”: ${rows === 1 ? '1 new row was' : `${rows} new rows were`} filled for ${credits} credits.`;
    const subject = `enriched:${row.id}:${now}`;
    await enqueueAlert(env, { teamId: row.teamId, kind: 'change', subject, text }, now);
  }
}

/** Tells the team that a standing order has stopped. @param now - milliseconds since 1970 */
export async function alertStopped(
  env: Env,
  { teamId, id, title }: Pick<LeasedEnrichment, 'teamId' | 'id' | 'title'>,
  problem: StoredProblem,
  now: number,
): Promise<void> {
  const { detail, fix } = toReason(problem);
  const text = `New rows of “${title}” are no longer filled. ${detail} ${fix}`;
  await enqueueAlert(env, { teamId, kind: 'failure', subject: `enrichment:${id}:${now}`, text }, now);
}

/** Enqueues due standing orders. @param isStart - the instance has just started: all leases are stale */
export async function sweepEnrichments<E extends Env>(
  { env, platform }: JobContext<E>,
  isStart: boolean,
): Promise<void> {
  const store = new EnrichmentStore(env.DB);
  if (isStart) await store.releaseAllLeases();
  const due = await store.listDue(platform.now());
  await enqueue(
    env,
    due.map((row) => ({ kind: 'enrichment', id: toEnrichmentJobId(row) })),
  );
}
