// Data requests after D1 was restored to an earlier time: the open ones become unclear, and nobody is notified again.
import { and, gt, inArray, isNull, notInArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { isInList } from '../db/json-list.ts';
import { type Failure, type RequestRow, requests } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import { deleteJobs, hasJob } from '../queue/jobs.ts';
import { cacheDeliveredRecords } from './ingest/cached-rows.ts';
import { deleteRows } from './ingest/index.ts';
import { releaseKeys } from './order/key-claims.ts';
import { deleteSelection, isQueryKind } from './order/selection-store.ts';
import { deleteSplit } from './order/split-keys.ts';
import { DataRequestRepository } from './repository.ts';
import { endedPhases, getRowStore } from './state-machine.ts';

/** Data requests that one call freezes or ends; each takes about eight calls. */
const PER_CALL = 50;
/** Batches of records that one call caches; each takes hundreds of calls. */
const CACHED_PER_CALL = 2;

const restored: Failure = {
  problem: 'provider_unclear',
  detail:
    'The gateway’s database was restored to an earlier time, so the outcome of this order is not known.',
};

/** Ends an open data request as unclear. The ledger first, so that a repeated call completes an interrupted one. */
async function freeze(env: Env, { id, teamId, phase }: RequestRow, now: number): Promise<void> {
  await getLedger(env, teamId).settleMany([{ id, charged: 'unclear' }]);
  // Their index may be older than they are, so an erasure would not find all of them.
  await deleteRows(getRowStore(env), id);
  await deleteSelection(env, id);
  await new DataRequestRepository(env.DB).transition(id, [phase], {
    phase: 'unclear',
    charged: null,
    failure: restored,
    rows: 0,
    endedAt: now,
    updatedAt: now,
    webhookAttempts: null,
    cacheCursor: null,
  });
  await deleteJobs(drizzle(env.DB), 'data_request', [id]);
}

/**
 * Freezes some open data requests as unclear.
 * @returns the number; 0 if none is left
 */
export async function freezeOpenRequests(env: Env, now: number): Promise<number> {
  const open = await drizzle(env.DB)
    .select()
    .from(requests)
    .where(notInArray(requests.phase, [...endedPhases]))
    .limit(PER_CALL);
  for (const row of open) await freeze(env, row, now);
  return open.length;
}

const hasWork = and(hasJob('data_request', requests.id), inArray(requests.phase, [...endedPhases]));

/**
 * Settles some ended data requests, before reservations without a data request are released.
 * @param after - id of the last one of the previous call; '' for the first
 * @returns the id of the last one; null if none is left
 */
export async function settleEnded(env: Env, after: string): Promise<string | null> {
  const rows = await drizzle(env.DB)
    .select()
    .from(requests)
    .where(and(hasWork, gt(requests.id, after)))
    .orderBy(requests.id)
    .limit(PER_CALL);
  for (const { id, teamId, charged, disputed } of rows)
    await getLedger(env, teamId).settleMany([{ id, charged: charged ?? 'unclear', disputed }]);
  return rows.length < PER_CALL ? null : (rows.at(-1)?.id ?? null);
}

/** Does what an ended and settled data request has left to do, except notifications. */
async function endQuietly(env: Env, row: RequestRow): Promise<void> {
  const { id, charged, phase, kind } = row;
  await (phase === 'ready' && isQueryKind(kind) ? deleteSplit(env, id) : deleteSelection(env, id));
  if (charged !== null) await releaseKeys(env.DB, id);
  await new DataRequestRepository(env.DB).transition(id, [phase], { webhookAttempts: null });
  await deleteJobs(drizzle(env.DB), 'data_request', [id]);
}

/**
 * Completes some ended data requests without their notifications, which have been sent. Their records are cached first: until
 * then another order would buy them again.
 * @returns whether none is left
 */
export async function endNotifications(env: Env): Promise<boolean> {
  const due = await drizzle(env.DB).select().from(requests).where(hasWork).limit(PER_CALL);
  let batches = 0;
  for (const row of due) {
    if (row.cacheCursor === null) {
      await endQuietly(env, row);
    } else if (batches < CACHED_PER_CALL) {
      batches += 1;
      const cacheCursor = await cacheDeliveredRecords(env, row);
      await new DataRequestRepository(env.DB).transition(row.id, [row.phase], { cacheCursor });
    }
  }
  return due.length === 0;
}

/** Prefixes of what R2 stores of a data request or run. */
const prefixes = ['requests/', 'split/', 'selections/'] as const;
const IDS_PER_CALL = 100;

/** A page of what R2 stores, by the data request or run that it belongs to. */
export interface StoredPage {
  ids: string[];
  /** Cursor of the next page; null at the end. */
  after: string | null;
}

/**
 * Lists the data requests and runs that have objects in R2.
 * @param after - `after` of the previous page; '' for the first
 */
export async function listStoredIds({ ROWS }: Env, after: string): Promise<StoredPage> {
  const [, digits = '0', cursor = ''] = /^(\d+):(.*)$/.exec(after) ?? [];
  const index = Number(digits);
  const prefix = prefixes[index] ?? prefixes[0];
  const options = { prefix, delimiter: '/', limit: IDS_PER_CALL, ...(cursor === '' ? {} : { cursor }) };
  const page = await ROWS.list(options);
  const keys = [...page.delimitedPrefixes, ...page.objects.map(({ key }) => key)];
  const next = index + 1 < prefixes.length ? `${index + 1}:` : null;
  return {
    ids: keys.map((key) => key.slice(prefix.length).replace(/(?:\/|\.json)$/, '')),
    after: page.truncated ? `${index}:${page.cursor}` : next,
  };
}

export async function filterRequestIds(db: D1Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await drizzle(db)
    .select({ id: requests.id })
    .from(requests)
    .where(and(isInList(requests.id, ids), isNull(requests.clearedAt)));
  return new Set(rows.map(({ id }) => id));
}

/** Deletes what R2 stores of data requests and runs that D1 does not know: nothing else would ever delete it. */
export async function deleteUnknownObjects(env: Env, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await deleteRows(getRowStore(env), id);
    await deleteSelection(env, id);
  }
}
