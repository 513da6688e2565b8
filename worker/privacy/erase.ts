// Erases a person or company from every store, and refuses their keys permanently. Only pseudonyms of the keys are kept.
import * as z from 'zod';
import { families } from '../../shared/families/index.ts';
import { createRowErasure } from '../data-requests/erasure.ts';
import type { Env } from '../env.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { MAX_PREFETCH_AGE_MS } from '../gateway/cache/prefetch.ts';
import type { JobContext } from '../gateway/context.ts';
import {
  beginErasure,
  claimErasure,
  completeErasure,
  listUnfinishedErasures,
  type NewErasure,
  releaseErasure,
  type StoredErasure,
} from '../gateway/refusal-list/erasure-repository.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import { createProviderResolver } from '../gateway/upstream/provider-resolver.ts';
import { logError } from '../http/log.ts';
import { decryptStored, encryptStored } from '../http/secrets.ts';
import { ErasureJournal } from './erasure-journal.ts';
import {
  CallBudget,
  createWork,
  type ErasureContext,
  ErasureRun,
  type ErasureRunContext,
} from './erasure-run.ts';

/** KV propagates within a minute, isolates cache for another one, and a request may use what it read before its admission. */
const EVERYWHERE_MS = 120_000 + MAX_PREFETCH_AGE_MS;
/** Longer than an invocation may run. */
const LEASE_MS = 300_000;

const reasonSchema = z.object({ reference: z.string().optional(), requester: z.string().optional() });
/** Why an erasure was made: texts of the admin, without personal data of the erased. */
export type ErasureReason = z.infer<typeof reasonSchema>;

const getReasonPlace = (id: string): string => `erasures.request ${id}`;

async function encryptReason(env: Env, id: string, reason: ErasureReason): Promise<string | null> {
  if (!reason.reference && !reason.requester) return null;
  return encryptStored(env, JSON.stringify(reason), getReasonPlace(id));
}

/** @throws ProblemError `not_configured` if it was encrypted with another secret */
export async function decryptReason(env: Env, { id, request }: StoredErasure): Promise<ErasureReason> {
  if (request === null) return {};
  return reasonSchema.parse(JSON.parse(await decryptStored(env, request, getReasonPlace(id))));
}

/** Runs an erasure until it is complete, the limit of the invocation is reached, or a store can't be reached. */
async function runErasure(
  erasure: Omit<NewErasure, 'leasedUntil'>,
  context: ErasureRunContext,
): Promise<StoredErasure> {
  const { env, now } = context;
  const { work, ...started } = erasure;
  const { id } = started;
  let goneEverywhereBy: number | null = null;
  let removed = work.removed;
  try {
    const run = await ErasureRun.open(erasure, context);
    const isComplete = await run.run();
    removed = run.removed;
    if (isComplete) {
      goneEverywhereBy = now() + EVERYWHERE_MS;
      await completeErasure(env.DB, id, removed, goneEverywhereBy);
    }
  } catch (error) {
    goneEverywhereBy = null;
    logError('erasure_interrupted', error, { erasure: id });
  }
  await releaseErasure(env.DB, id);
  return { ...started, goneEverywhereBy, allowedAt: null, removed, shardsLeft: null };
}

/**
 * Erases the person or company with a key, in every family, under all known keys, and wherever records of others name them.
 * @param reason - reference and requester for the proof, such as a ticket
 * @returns the proof; or an unfinished state, which the cron continues, if the erasure is large or a store can't be reached
 * @throws ProblemError `not_configured` without the secret of the pseudonyms
 */
export async function erase(
  key: RecordKey,
  context: ErasureContext,
  reason: ErasureReason = {},
): Promise<StoredErasure> {
  const { env, now, newId } = context;
  await Pseudonyms.load(env);
  const { subject } = families[key.family];
  const id = newId();
  const request = await encryptReason(env, id, reason);
  const erasure = { id, at: now(), subject, request, work: createWork(key) };
  const { keys, pseudonyms, removed } = erasure.work;
  await new ErasureJournal(env, now, erasure).write(keys, pseudonyms, removed);
  await beginErasure(env.DB, { ...erasure, leasedUntil: erasure.at + LEASE_MS });
  return runErasure(erasure, { ...context, budget: new CallBudget() });
}

/**
 * Continues unfinished erasures, the oldest first, as far as the limits of one invocation allow for all of them together.
 * @param limit - number of erasures
 */
export async function continueErasures(
  context: Pick<ErasureContext, 'env' | 'identity' | 'now' | 'sleep'>,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { env, now } = context;
  const budget = new CallBudget();
  for (const erasure of (await listUnfinishedErasures(env.DB, now())).slice(0, limit)) {
    if (!budget.allowsAnother) return;
    if (!(await claimErasure(env.DB, erasure.id, now(), now() + LEASE_MS))) continue;
    await runErasure(erasure, {
      ...context,
      newId: () => crypto.randomUUID(),
      evict: () => {},
      rows: createRowErasure(env),
      budget,
    });
  }
}

/** Continues unfinished erasures in the minute sweep. */
export async function sweepErasures<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const { now, sleep } = platform;
  if ((await listUnfinishedErasures(env.DB, now())).length === 0) return;
  const { identity } = await createProviderResolver(platform)(env);
  await continueErasures({ env, identity, now, sleep });
}
