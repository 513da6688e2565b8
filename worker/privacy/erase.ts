// Erases a person or company from every store, and refuses their keys permanently. Only pseudonyms of the keys are kept.
import * as z from 'zod';
import { families } from '../../shared/families/index.ts';
import type { Env } from '../env.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { MAX_PREFETCH_AGE_MS } from '../gateway/cache/prefetch.ts';
import type { JobContext } from '../gateway/context.ts';
import { deleteErasedKeys, listKeysOfErasure } from '../gateway/refusal-list/erasure-list.ts';
import {
  beginErasure,
  completeErasure,
  type ErasureCounts,
  findUnfinishedErasure,
  listRefusedAllowed,
  type NewErasure,
  type StoredErasure,
} from '../gateway/refusal-list/erasure-repository.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import { allowInShards } from '../gateway/single-flight/client.ts';
import { createProviderResolver } from '../gateway/upstream/provider-resolver.ts';
import { logError } from '../http/log.ts';
import { decryptStored, encryptStored } from '../http/secrets.ts';
import { runJob } from '../queue/jobs.ts';
import { ErasureJournal } from './erasure-journal.ts';
import { createWork, type ErasureContext, ErasureRun } from './erasure-run.ts';

/** KV propagates within a minute, isolates cache for another one, and a request may use what it read before its admission. */
const EVERYWHERE_MS = 120_000 + MAX_PREFETCH_AGE_MS;
/** Delay after a store could not be reached. */
const RETRY_MS = 60_000;

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

/** Returns an erasure as it is stored. @param completeAt - null if it is not complete */
const toStored = (
  { work: _, ...started }: NewErasure,
  removed: ErasureCounts,
  completeAt: number | null,
): StoredErasure => ({ ...started, completeAt, allowedAt: null, removed, shardsLeft: null });

/**
 * Runs an erasure until it is complete, the limit of the invocation is reached, or a store can't be reached.
 * @returns the erasure as it is then; undefined if it is complete already, or another invocation runs it
 */
async function runErasure(id: string, context: ErasureContext): Promise<StoredErasure | undefined> {
  const { env, now } = context;
  let stored: StoredErasure | undefined;
  await runJob({ env, platform: context }, { kind: 'erasure', id }, async () => {
    const current = await findUnfinishedErasure(env.DB, id);
    if (current === undefined) return 'done';
    // An operator has to repair it first.
    if (current === 'unreadable') return { at: now() + RETRY_MS };
    stored = toStored(current, current.work.removed, null);
    try {
      const run = await ErasureRun.open(current, context);
      const isComplete = await run.run();
      stored = toStored(current, run.removed, null);
      if (!isComplete) return { at: now() };
      const completeAt = now() + EVERYWHERE_MS;
      await completeErasure(env.DB, id, run.removed, completeAt);
      stored = toStored(current, run.removed, completeAt);
      return 'done';
    } catch (error) {
      logError('erasure_interrupted', error, { erasure: id });
      return { at: now() + RETRY_MS };
    }
  });
  return stored;
}

/**
 * Erases the person or company with a key, in every family, under all known keys, and wherever records of others name them.
 * @param reason - reference and requester for the proof, such as a ticket
 * @returns the proof; or an unfinished state, if the erasure is large or a store can't be reached: its job continues it
 * @throws ProblemError `not_configured` without the secret of the pseudonyms
 */
export async function erase(
  key: RecordKey,
  context: ErasureContext,
  reason: ErasureReason = {},
): Promise<StoredErasure> {
  const { env, now } = context;
  await Pseudonyms.load(env);
  const { subject } = families[key.family];
  const id = crypto.randomUUID();
  const request = await encryptReason(env, id, reason);
  const work = createWork(key);
  const erasure = { id, at: now(), subject, request, work };
  await new ErasureJournal(env, now, erasure).write(work.keys, work.pseudonyms, work.removed);
  await beginErasure(env.DB, erasure);
  return (await runErasure(id, context)) ?? toStored(erasure, work.removed, null);
}

type ContinueContext = Pick<ErasureContext, 'env' | 'identity' | 'now' | 'sleep'>;

/** Continues an unfinished erasure, as far as the limits of one invocation allow. @param id - default: the oldest */
export async function continueErasure(context: ContinueContext, id?: string): Promise<void> {
  const { env } = context;
  const oldest = id === undefined ? await findUnfinishedErasure(env.DB) : undefined;
  const known = id ?? (oldest === 'unreadable' ? undefined : oldest?.id);
  if (known === undefined) return;
  await runErasure(known, { ...context, evict: () => {} });
}

export async function runErasureOfJob<E extends Env>(
  { env, platform }: JobContext<E>,
  id: string,
): Promise<void> {
  const { identity } = await createProviderResolver(platform)(env);
  await continueErasure({ env, identity, now: platform.now, sleep: platform.sleep }, id);
}

/**
 * Ends the refusal of the keys of companies that are marked as allowed. A repeated call continues.
 * @param identity - the provider's
 * @throws if D1 or an object can't be reached
 */
export async function endRefusals(env: Env, identity: string): Promise<void> {
  for (const id of await listRefusedAllowed(env.DB)) {
    let pseudonyms = await listKeysOfErasure(env.DB, id);
    while (pseudonyms.length > 0) {
      // The objects first: as long as D1 has the keys, another call finds them.
      await allowInShards(env, identity, pseudonyms);
      await deleteErasedKeys(env.DB, id, pseudonyms);
      pseudonyms = await listKeysOfErasure(env.DB, id);
    }
  }
}
