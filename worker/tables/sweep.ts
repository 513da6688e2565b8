// Minute sweep of tables: enqueues due pushes and deletes expired changes, pushes and rows.
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
import {
  changes,
  enrichedKeys,
  enrichments,
  pushes,
  schedules,
  tableReports,
  tableRuns,
  tables,
} from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { JobContext } from '../gateway/context.ts';
import { isHourlySweep } from '../lib/hourly.ts';
import { enqueue } from './job-queue.ts';
import { PushStore } from './push/store.ts';
import { CHANGE_RETENTION_MS } from './store.ts';

/** A run that started longer ago has ended, whatever its state says. */
const MAX_RUN_MS = 86_400_000;
/** Changes that one sweep checks for expiry, oldest first. */
const MAX_CHANGES = 5000;
/** Runs whose rows one sweep deletes; each takes several calls. */
const MAX_RUNS = 25;

/**
 * Enqueues due pushes and deletes the rows of expired runs; once an hour also deletes other expired data.
 * @param isStart - whether the instance has just started: all leases are stale
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
  if (isHourlySweep(now)) await deleteExpired(env, now);
}

/** Deletes rows of runs that started more than 30 days ago. Runs without stored rows are only marked as cleared. */
async function deleteExpiredRunRows(env: Env, now: number): Promise<void> {
  const orm = drizzle(env.DB);
  const isOld = and(isNull(tableRuns.clearedAt), lt(tableRuns.startedAt, now - ROW_RETENTION_MS));
  await orm
    .update(tableRuns)
    .set({ clearedAt: now })
    .where(and(isOld, or(eq(tableRuns.pages, 0), isNotNull(tableRuns.requestId))));
  const old = await orm.select({ id: tableRuns.id }).from(tableRuns).where(isOld).limit(MAX_RUNS);
  for (const { id } of old) {
    await deleteRows(getRowStore(env), id);
    await orm.update(tableRuns).set({ clearedAt: now }).where(eq(tableRuns.id, id));
  }
}

/** Deletes changes and pushes older than 30 days, and leftovers of deleted tables. */
export async function deleteExpired(env: Env, now: number): Promise<void> {
  const orm = drizzle(env.DB);
  const hasNoTable = (row: typeof pushes | typeof schedules | typeof tableReports | typeof tableRuns): SQL =>
    notExists(
      orm
        .select()
        .from(tables)
        .where(and(eq(tables.teamId, row.teamId), eq(tables.id, row.tableId))),
    );
  const oldest = orm
    .select({ number: changes.number })
    .from(changes)
    .orderBy(changes.number)
    .limit(MAX_CHANGES);
  const newer = alias(pushes, 'newer');
  const hasNewer = exists(
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
    orm
      .delete(changes)
      .where(and(lt(changes.at, now - CHANGE_RETENTION_MS), inArray(changes.number, oldest))),
    // The newest push of a table is shown as long as the table exists.
    orm
      .delete(pushes)
      .where(and(isNull(pushes.dueAt), lt(pushes.updatedAt, now - CHANGE_RETENTION_MS), hasNewer)),
    orm.delete(pushes).where(hasNoTable(pushes)),
    orm.delete(schedules).where(hasNoTable(schedules)),
    orm.delete(tableReports).where(hasNoTable(tableReports)),
    orm.delete(enrichedKeys).where(
      notExists(
        orm
          .select()
          .from(enrichments)
          .where(
            and(eq(enrichments.teamId, enrichedKeys.teamId), eq(enrichments.id, enrichedKeys.enrichmentId)),
          ),
      ),
    ),
  ]);
  const orphans = await orm
    .select({ id: tableRuns.id })
    .from(tableRuns)
    .where(
      and(
        hasNoTable(tableRuns),
        or(ne(tableRuns.state, 'running'), lt(tableRuns.startedAt, now - MAX_RUN_MS)),
      ),
    )
    .limit(MAX_RUNS);
  await deleteRuns(env, orphans);
}

/** Deletes ended runs of a deleted table with their rows; {@link deleteExpired} deletes the others later. */
export async function deleteTableRuns(env: Env, team: string, table: string): Promise<void> {
  const runs = await drizzle(env.DB)
    .select({ id: tableRuns.id })
    .from(tableRuns)
    .where(and(eq(tableRuns.teamId, team), eq(tableRuns.tableId, table), ne(tableRuns.state, 'running')))
    .orderBy(desc(tableRuns.startedAt))
    .limit(MAX_RUNS);
  await deleteRuns(env, runs);
}

/** Deletes rows before the run: an interrupted deletion is found again. */
async function deleteRuns(env: Env, runs: readonly { id: string }[]): Promise<void> {
  for (const { id } of runs) {
    await deleteRows(getRowStore(env), id);
    await drizzle(env.DB).delete(tableRuns).where(eq(tableRuns.id, id));
  }
}
