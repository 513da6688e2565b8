// Job that fills the new rows of a closed sheet and refreshes old values: reads the keys, looks them up within the budgets,
// writes the values.
import { MINUTE_MS } from '../../../shared/lib/durations.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import { problems } from '../../../shared/problems.ts';
import type { EnrichmentRow, StoredProblem } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { findCallerByTokenId } from '../../gateway/auth/tokens.ts';
import type { JobContext } from '../../gateway/context.ts';
import { createBackgroundContext } from '../../gateway/services.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { type LeasedJob, parseTeamJobId, runJob } from '../../queue/jobs.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import { enrichmentTokenInvalid, toEnrichmentBudget } from '../budgets.ts';
import { createGoogleAccess, createPusher, type GoogleAccess } from '../push/pusher.ts';
import { getNextRunTime } from '../schedules/timing.ts';
import { toReason, toStoredProblem } from '../schedules/view.ts';
import { type ClosedRun, fillKeys, requireEnrichmentScope } from './fill.ts';
import { createKeyPseudonyms, type EnrichmentKey } from './keys.ts';
import { refreshValues } from './refresh.ts';
import { refreshCounts } from './refresh-counts.ts';
import { findKeyRows, isOpen, type KeyRow, writeAnswers } from './sheet-rows.ts';
import { EnrichmentStore, type RunResult } from './store.ts';

const stopped: StoredProblem = {
  problem: 'maintenance',
  detail: 'The setting was changed during a run.',
  fix: 'Nothing needs to be done: the next run does the rest.',
};

/** What a run has done, and why the enrichment has to stop. */
type Outcome = Required<Pick<RunResult, 'rows' | 'credits' | 'changes'>> & {
  problem?: StoredProblem;
  /** Companies are left to count. */
  isPartial?: boolean;
};

const NOTHING: Outcome = { rows: 0, credits: 0, changes: 0 };

/** Extends the lease before credits are spent, and reads the current settings. @returns false if it was switched off */
async function renewLease({ store, row, job }: ClosedRun): Promise<boolean> {
  const current = (await job.extend()) ? await store.get(row) : undefined;
  if (current?.state !== 'on') return false;
  Object.assign(row, current);
  return true;
}

/** Lists as many keys of rows without values as a run looks up, without keys that have values in the sheet. */
async function listFillKeys(
  env: Env,
  store: EnrichmentStore,
  row: EnrichmentRow,
  keyRows: readonly KeyRow[],
): Promise<{ keys: EnrichmentKey[]; names: Map<string, string> }> {
  const open = new Map(keyRows.filter(isOpen).map(({ name, key }) => [name, key]));
  const fill = { keys: [] as EnrichmentKey[], names: new Map<string, string>() };
  for (const batch of splitIntoBatches([...open], maxLookupKeys)) {
    const names = await createKeyPseudonyms(
      env,
      row,
      batch.map(([, key]) => key),
    );
    const known = await store.findKeys(row, [...names.values()]);
    for (const [name, key] of batch) {
      const pseudonym = names.get(name) ?? '';
      if (known.get(pseudonym) === true) continue;
      fill.keys.push(key);
      fill.names.set(name, pseudonym);
      if (fill.keys.length === maxLookupKeys) return fill;
    }
  }
  return fill;
}

/** Fills rows without values. @throws ProblemError */
async function fillRows(
  run: ClosedRun,
  keys: readonly EnrichmentKey[],
  names: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const { store, row, pusher } = run;
  // The sheet may have been long to read: nothing is bought if the setting was switched off meanwhile.
  if (!(await renewLease(run))) return { ...NOTHING, problem: stopped };
  const filled = await fillKeys(run, keys);
  const { credits } = filled;
  const problem = filled.problem === undefined ? {} : { problem: filled.problem };
  try {
    const { rows, written } = await writeAnswers(pusher, row, filled.rows);
    await store.addKeys(
      row,
      written.flatMap((name) => names.get(name) ?? []),
      true,
    );
    const isLeft = written.length < keys.length || keys.length === maxLookupKeys;
    const isPartial = row.query !== null && rows > 0 && isLeft;
    return { ...NOTHING, rows, credits, ...problem, isPartial };
  } catch (error) {
    // The records are bought: the next run writes them from the cache.
    if (!(error instanceof ProblemError)) throw error;
    return { ...NOTHING, credits, problem: toStoredProblem(error.problem) };
  }
}

/** Refreshes values. @param keys - of the rows that had values before the run @throws ProblemError */
async function refreshRows(
  run: ClosedRun,
  keys: readonly EnrichmentKey[],
  filled: Outcome,
): Promise<Outcome> {
  const { row } = run;
  if (filled.problem !== undefined || row.refreshDays === null || keys.length === 0) return filled;
  if (!(await renewLease(run))) return { ...filled, problem: stopped };
  // The setting may have changed since the run began.
  const { refreshDays, query } = row;
  if (refreshDays === null) return filled;
  if (query !== null) {
    const counted = await refreshCounts(run, query, keys);
    return { ...filled, ...counted, isPartial: counted.isPartial || filled.isPartial === true };
  }
  const left = row.maxCredits - filled.credits;
  const result = await refreshValues(run, refreshDays, keys, left);
  return { ...filled, ...result, credits: filled.credits + result.credits };
}

/** Fills the new rows of a leased enrichment, and refreshes old values. @throws ProblemError */
async function runClosedSheet<E extends Env>(
  { env, platform, waitUntil }: JobContext<E>,
  store: EnrichmentStore,
  row: EnrichmentRow,
  job: LeasedJob,
  access: GoogleAccess,
): Promise<Outcome> {
  const caller = await findCallerByTokenId(env.DB, row.tokenId, platform.now());
  if (caller?.teamId !== row.teamId) return { ...NOTHING, problem: enrichmentTokenInvalid };
  const pusher = createPusher(access);
  // The rows themselves are not kept: the next steps read the sheet again.
  const [{ keys, names }, filledKeys] = await (async () => {
    const keyRows = await findKeyRows(pusher, row);
    const withValues = keyRows.filter((each) => !isOpen(each)).map(({ key }) => key);
    return [
      await listFillKeys(env, store, row, keyRows),
      row.refreshDays === null ? [] : withValues,
    ] as const;
  })();
  if (keys.length === 0 && row.refreshDays === null) return NOTHING;
  requireEnrichmentScope(caller, row);
  const context = await createBackgroundContext(env, platform, caller, waitUntil, toEnrichmentBudget(row));
  const run = { env, store, row, job, pusher, context };
  const filled = keys.length === 0 ? NOTHING : await fillRows(run, keys, names);
  return refreshRows(run, filledKeys, filled);
}

async function runSafely<E extends Env>(
  context: JobContext<E>,
  store: EnrichmentStore,
  row: EnrichmentRow,
  job: LeasedJob,
  access: GoogleAccess,
): Promise<Outcome> {
  try {
    return await runClosedSheet(context, store, row, job, access);
  } catch (error) {
    if (error instanceof ProblemError) return { ...NOTHING, problem: toStoredProblem(error.problem) };
    logError('job_failed', error, { kind: 'enrichment' });
    return { ...NOTHING, problem: { problem: 'internal' } };
  }
}

/**
 * Runs a due enrichment under a lease. After a crash the cron finds it when its lease has expired; the records that were
 * bought come from the cache then.
 * @param id - from {@link toTeamJobId}
 * @throws when D1 is unavailable
 */
export function runEnrichment<E extends Env>(
  context: JobContext<E>,
  id: string,
  access: GoogleAccess = createGoogleAccess(context),
): Promise<void> {
  return runJob(context, { kind: 'enrichment', id }, async (job) => {
    const { env, platform } = context;
    const store = new EnrichmentStore(env.DB);
    const key = parseTeamJobId(id);
    const row = await store.get({ teamId: key.team, id: key.id });
    if (row?.state !== 'on' || row.nextAt === null) return 'done';
    if (row.nextAt > platform.now()) return { at: row.nextAt };
    const outcome = await runSafely(context, store, row, job, access);
    const { rows, credits, changes, problem = null } = outcome;
    const now = platform.now();
    // A retry can't help until a person acts.
    const isStopping = problem !== null && problems[problem.problem].policy.retry === 'never';
    const nextAt = outcome.isPartial ? row.nextAt : getNextRunTime(row.every, row.nextAt, now);
    const result = { rows, credits, changes, problem, isStopping, nextAt };
    const isStopped = await store.finishRun(row, result, now);
    if (isStopped && problem !== null) await alertStopped(env, row, problem, now);
    if (row.query === null) await alertChanges(env, row, outcome, now);
    return isStopped ? 'done' : { at: outcome.isPartial ? now + MINUTE_MS : nextAt };
  });
}

/** Tells the team what a run has changed. */
async function alertChanges(
  env: Env,
  { teamId, id, title }: EnrichmentRow,
  { rows, changes, credits }: Outcome,
  now: number,
): Promise<void> {
  const news = [
    ...(rows > 0 ? [rows === 1 ? '1 new row was filled' : `${rows} new rows were filled`] : []),
    ...(changes > 0 ? [changes === 1 ? '1 value changed' : `${changes} values changed`] : []),
  ];
  if (news.length === 0) return;
  const listed = changes > 0 ? ' The sheet Changes lists the old values.' : '';
  const text = `“${title}”: ${news.join(', and ')}, for ${credits} credits.${listed}`;
  await enqueueAlert(env, { teamId, kind: 'change', subject: `enriched:${id}:${now}`, text }, now);
}

/** Tells the team that an enrichment has stopped. */
export async function alertStopped(
  env: Env,
  { teamId, id, title }: Pick<EnrichmentRow, 'teamId' | 'id' | 'title'>,
  problem: StoredProblem,
  now: number,
): Promise<void> {
  const { detail, fix } = toReason(problem);
  const text = `New rows of “${title}” are no longer filled. ${detail} ${fix}`;
  await enqueueAlert(env, { teamId, kind: 'failure', subject: `enrichment:${id}:${now}`, text }, now);
}
