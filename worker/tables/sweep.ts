// Finds pushes that are due, and forgets what nobody may read any more.

import type { Env } from '../env.ts';
import { isHourly } from '../lifetimes.ts';
import { KEPT_MS, rowStore } from '../requests/book.ts';
import { deleteRows } from '../requests/rows/index.ts';
import type { WorkRooms } from '../work.ts';
import { kick } from '../work-queue.ts';
import { PushStore } from './pushes.ts';
import { TOLD_MS } from './store.ts';

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
  { env, edges }: WorkRooms<E>,
  isStart: boolean,
): Promise<void> {
  const now = edges.now();
  const store = new PushStore(env.DB);
  if (isStart) await store.releaseAll(now);
  const due = await store.due(now);
  await kick(
    env,
    due.map((id) => ({ kind: 'push', id })),
  );
  await clearRuns(env, now);
  if (isHourly(now)) await tidy(env, now);
}

/** Deletes rows of runs that began more than 30 days ago; of runs that have none of their own it is only noted. */
export async function clearRuns(env: Env, now: number): Promise<void> {
  const { DB } = env;
  const isOld = 'cleared_at IS NULL AND started_at < ?1';
  await DB.prepare(
    `UPDATE table_runs SET cleared_at = ?2 WHERE ${isOld} AND (pages = 0 OR request_id IS NOT NULL)`,
  )
    .bind(now - KEPT_MS, now)
    .run();
  const old = await DB.prepare(`SELECT id FROM table_runs WHERE ${isOld} LIMIT ${RUNS}`)
    .bind(now - KEPT_MS)
    .run<{ id: string }>();
  for (const { id } of old.results) {
    await deleteRows(rowStore(env), id);
    await DB.prepare('UPDATE table_runs SET cleared_at = ?2 WHERE id = ?1').bind(id, now).run();
  }
}

/** Forgets changes and pushes of more than 30 days ago, and what tables that are gone have left. */
export async function tidy(env: Env, now: number): Promise<void> {
  const { DB } = env;
  const gone = (table: string): string =>
    `NOT EXISTS (SELECT 1 FROM tables WHERE tables.team_id = ${table}.team_id AND tables.id = ${table}.table_id)`;
  await DB.batch([
    DB.prepare(
      `DELETE FROM changes WHERE at < ?1
         AND number IN (SELECT number FROM changes ORDER BY number LIMIT ${CHANGES})`,
    ).bind(now - TOLD_MS),
    // The last one of a table is told as long as there is the table.
    DB.prepare(
      `DELETE FROM pushes WHERE due_at IS NULL AND updated_at < ?1 AND EXISTS
         (SELECT 1 FROM pushes AS newer WHERE newer.team_id = pushes.team_id
           AND newer.table_id = pushes.table_id AND newer.created_at > pushes.created_at)`,
    ).bind(now - TOLD_MS),
    DB.prepare(`DELETE FROM pushes WHERE ${gone('pushes')}`),
    DB.prepare(`DELETE FROM schedules WHERE ${gone('schedules')}`),
  ]);
  const strays = await DB.prepare(
    `SELECT id FROM table_runs WHERE ${gone('table_runs')} AND (state <> 'running' OR started_at < ?1) LIMIT ${RUNS}`,
  )
    .bind(now - RUN_MS)
    .run<{ id: string }>();
  await forgetRuns(env, strays.results);
}

/** Forgets runs of a table that is gone, with their rows; one that is under way, and what is left, is found by {@link tidy}. */
export async function forgetRunsOf(env: Env, team: string, table: string): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT id FROM table_runs WHERE team_id = ?1 AND table_id = ?2 AND state <> 'running'
       ORDER BY started_at DESC LIMIT ${RUNS}`,
  )
    .bind(team, table)
    .run<{ id: string }>();
  await forgetRuns(env, results);
}

/** The rows first: what breaks in between is found again. */
async function forgetRuns(env: Env, runs: readonly { id: string }[]): Promise<void> {
  for (const { id } of runs) {
    await deleteRows(rowStore(env), id);
    await env.DB.prepare('DELETE FROM table_runs WHERE id = ?').bind(id).run();
  }
}
