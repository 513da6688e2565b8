// Finds pushes that are due, and forgets what nobody may read any more.

import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  or,
  type SQL,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { alias } from 'drizzle-orm/sqlite-core';
import { deleteRows } from '../data-requests/ingest/index.ts';
import { getRowStore, ROW_RETENTION_MS } from '../data-requests/state-machine.ts';
import { changes, pushes, schedules, tableRuns, tables } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { JobContext } from '../jobs/job-consumer.ts';
import { isHourly } from '../jobs/retention.ts';
import { enqueue } from './job-queue.ts';
import { PushStore } from './push/store.ts';
import { CHANGE_RETENTION_MS } from './store.ts';

/** A run that has begun so long ago has ended, whatever is written of it. */
const RUN_MS = 86_400_000;
/** Old changes that one sweep looks at: they are the first in their order. */
const CHANGES = 5000;
/** Runs whose rows are deleted in one minute; each takes a few calls. */
const RUNS = 25;

/**
 * Has somebody work on pushes that are due, and clears rows of old runs; once an hour also tidies up.
 * @param isStart - nobody works on anything: after a restart
 */
export async function sweepTables<E extends Env>(
  { env, platform }: JobContext<E>,
  isStart: boolean,
): Promise<void> {
  const now = platform.now();
  const store = new PushStore(env.DB);
  if (isStart) await store.releaseAllLeases(now);
  const due = await store.listDue(now);
  await enqueue(
    env,
    due.map((id) => ({ kind: 'push', id })),
  );
  await deleteExpiredRunRows(env, now);
  if (isHourly(now)) await deleteExpired(env, now);
}

/** Deletes rows of runs that began more than 30 days ago; of runs that have none of their own it is only noted. */
export async function deleteExpiredRunRows(env: Env, now: number): Promise<void> {
  const orm = drizzle(env.DB);
  const isOld = and(isNull(tableRuns.clearedAt), lt(tableRuns.startedAt, now - ROW_RETENTION_MS));
  await orm
    .update(tableRuns)
    .set({ clearedAt: now })
    .where(and(isOld, or(eq(tableRuns.pages, 0), isNotNull(tableRuns.requestId))));
  const old = await orm.select({ id: tableRuns.id }).from(tableRuns).where(isOld).limit(RUNS);
  for (const { id } of old) {
    await deleteRows(getRowStore(env), id);
    await orm.update(tableRuns).set({ clearedAt: now }).where(eq(tableRuns.id, id));
  }
}

/** Forgets changes and pushes of more than 30 days ago, and what tables that are gone have left. */
export async function deleteExpired(env: Env, now: number): Promise<void> {
  const orm = drizzle(env.DB);
  const isGone = (of: typeof pushes | typeof schedules | typeof tableRuns): SQL =>
    notExists(
      orm
        .select()
        .from(tables)
        .where(and(eq(tables.teamId, of.teamId), eq(tables.id, of.tableId))),
    );
  const first = orm.select({ number: changes.number }).from(changes).orderBy(changes.number).limit(CHANGES);
  const newer = alias(pushes, 'newer');
  const isFollowed = exists(
    orm
      .select()
      .from(newer)
      .where(
        and(
          eq(newer.teamId, pushes.teamId),
          eq(newer.tableId, pushes.tableId),
          gt(newer.createdAt, pushes.createdAt),
        ),
      ),
  );
  await orm.batch([
    orm.delete(changes).where(and(lt(changes.at, now - CHANGE_RETENTION_MS), inArray(changes.number, first))),
    // The last one of a table is told as long as there is the table.
    orm
      .delete(pushes)
      .where(and(isNull(pushes.dueAt), lt(pushes.updatedAt, now - CHANGE_RETENTION_MS), isFollowed)),
    orm.delete(pushes).where(isGone(pushes)),
    orm.delete(schedules).where(isGone(schedules)),
  ]);
  const strays = await orm
    .select({ id: tableRuns.id })
    .from(tableRuns)
    .where(and(isGone(tableRuns), or(ne(tableRuns.state, 'running'), lt(tableRuns.startedAt, now - RUN_MS))))
    .limit(RUNS);
  await deleteRuns(env, strays);
}

/** Forgets runs of a table that is gone, with their rows; one that is under way, and what is left, is found by {@link deleteExpired}. */
export async function deleteTableRuns(env: Env, team: string, table: string): Promise<void> {
  const runs = await drizzle(env.DB)
    .select({ id: tableRuns.id })
    .from(tableRuns)
    .where(and(eq(tableRuns.teamId, team), eq(tableRuns.tableId, table), ne(tableRuns.state, 'running')))
    .orderBy(desc(tableRuns.startedAt))
    .limit(RUNS);
  await deleteRuns(env, runs);
}

/** The rows first: what breaks in between is found again. */
async function deleteRuns(env: Env, runs: readonly { id: string }[]): Promise<void> {
  for (const { id } of runs) {
    await deleteRows(getRowStore(env), id);
    await drizzle(env.DB).delete(tableRuns).where(eq(tableRuns.id, id));
  }
}
