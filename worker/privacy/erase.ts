// Erases a person or company from every store, and refuses their keys permanently. Only pseudonyms of the keys are kept.
import { families } from '../../shared/families/index.ts';
import { createRowErasure } from '../data-requests/erasure.ts';
import type { Env } from '../env.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { MAX_PREFETCH_AGE_MS } from '../gateway/cache/prefetch.ts';
import type { JobContext } from '../gateway/context.ts';
import {
  beginErasure,
  completeErasure,
  findUnfinishedErasure,
  type NewErasure,
  type StoredErasure,
} from '../gateway/refusal-list/erasure-repository.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import { createProviderResolver } from '../gateway/upstream/provider-resolver.ts';
import { logError } from '../http/log.ts';
import { runJob } from '../queue/jobs.ts';
import { ErasureJournal } from './erasure-journal.ts';
import { createWork, type ErasureContext, ErasureRun } from './erasure-run.ts';

/** KV propagates within a minute, isolates cache for another one, and a request may use what it read before its admission. */
const EVERYWHERE_MS = 120_000 + MAX_PREFETCH_AGE_MS;
/** Delay after a store could not be reached. */
const RETRY_MS = 60_000;

/**
 * Runs an erasure until it is complete, the limit of the invocation is reached, or a store can't be reached.
 * @returns the erasure as it is then; `isInterrupted`: a store could not be reached
 */
async function runErasure(
  erasure: NewErasure,
  context: ErasureContext,
): Promise<{ stored: StoredErasure; isInterrupted: boolean }> {
  const { env, now } = context;
  const { id, at, subject, work } = erasure;
  let { removed } = work;
  const toStored = (goneEverywhereBy: number | null): StoredErasure => ({
    id,
    at,
    subject,
    goneEverywhereBy,
    removed,
    shardsLeft: null,
  });
  try {
    const run = await ErasureRun.open(erasure, context);
    const isComplete = await run.run();
    removed = run.removed;
    if (!isComplete) return { stored: toStored(null), isInterrupted: false };
    const goneEverywhereBy = now() + EVERYWHERE_MS;
    await completeErasure(env.DB, id, removed, goneEverywhereBy);
    return { stored: toStored(goneEverywhereBy), isInterrupted: false };
  } catch (error) {
    logError('erasure_interrupted', error, { erasure: id });
    return { stored: toStored(null), isInterrupted: true };
  }
}

/** Runs the job of an erasure. @returns the erasure; undefined if it is complete, or another invocation runs it */
async function runErasureJob(
  erasure: NewErasure,
  context: ErasureContext,
): Promise<StoredErasure | undefined> {
  const { env, now } = context;
  let stored: StoredErasure | undefined;
  await runJob({ env, platform: context }, { kind: 'erasure', id: erasure.id }, async () => {
    const current = await findUnfinishedErasure(env.DB, erasure.id);
    if (current === undefined) return 'done';
    const result = await runErasure(current, context);
    stored = result.stored;
    if (stored.goneEverywhereBy !== null) return 'done';
    return { at: now() + (result.isInterrupted ? RETRY_MS : 0) };
  });
  return stored;
}

/**
 * Erases the person or company with a key, in every family, under all known keys, and wherever records of others name them.
 * @returns the proof; or an unfinished state, if the erasure is large or a store can't be reached: its job continues it
 * @throws ProblemError `not_configured` without the secret of the pseudonyms
 */
export async function erase(key: RecordKey, context: ErasureContext): Promise<StoredErasure> {
  const { env, now, newId } = context;
  await Pseudonyms.load(env);
  const { subject } = families[key.family];
  const erasure = { id: newId(), at: now(), subject, work: createWork(key) };
  const { id, at, work } = erasure;
  await new ErasureJournal(env, now, erasure).write(work.keys, work.pseudonyms, work.removed);
  await beginErasure(env.DB, erasure);
  const stored = await runErasureJob(erasure, context);
  return stored ?? { id, at, subject, goneEverywhereBy: null, removed: work.removed, shardsLeft: null };
}

type ContinueContext = Pick<ErasureContext, 'env' | 'identity' | 'now' | 'sleep'>;

/** Continues an unfinished erasure, as far as the limits of one invocation allow. @param id - default: the oldest */
export async function continueErasure(context: ContinueContext, id?: string): Promise<void> {
  const { env } = context;
  const erasure = await findUnfinishedErasure(env.DB, id);
  if (erasure === undefined) return;
  const newId = () => crypto.randomUUID();
  await runErasureJob(erasure, { ...context, newId, evict: () => {}, rows: createRowErasure(env) });
}

export async function runErasureOfJob<E extends Env>(
  { env, platform }: JobContext<E>,
  id: string,
): Promise<void> {
  const { identity } = await createProviderResolver(platform)(env);
  await continueErasure({ env, identity, now: platform.now, sleep: platform.sleep }, id);
}
