// Records that rows became ready: a change that open sheets poll for, and a push for each closed sheet.
import { and, eq } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import { changes } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { enqueue } from '../queue/jobs.ts';
import { PUSH_DELAY_MS, PushStore } from './push/store.ts';

/** Rows that became ready, or a data request that ended without rows. */
export interface NewChange {
  teamId: string;
  kind: 'request' | 'table';
  subject: string;
  /** Id of the table's run; '' for a data request. */
  run: string;
  hasRows: boolean;
}

/**
 * Creates the pushes of rows and enqueues them; existing ones stay unchanged.
 * @param others - statements of the same transaction
 */
export async function createPushes(
  env: Env,
  teamId: string,
  from: { requestId: string } | { tableId: string },
  rowsId: string,
  now: number,
  others: BatchItem<'sqlite'>[] = [],
): Promise<void> {
  const statements = new PushStore(env.DB).insertStatements(teamId, from, rowsId, now);
  const [created] = await drizzle(env.DB).batch([...statements, ...others]);
  const keys = created.map(({ id }) => ({ kind: 'push', id }) as const);
  await enqueue(env, keys, PUSH_DELAY_MS);
}

/** Records a change and creates the pushes for its rows. Idempotent. */
export async function recordChange(env: Env, change: NewChange, now: number): Promise<void> {
  const { teamId, kind, subject, run, hasRows } = change;
  const orm = drizzle(env.DB);
  const insertChange = orm
    .insert(changes)
    .values({ teamId, kind, subject, run, at: now })
    .onConflictDoNothing();
  if (!hasRows) {
    await insertChange;
    return;
  }
  const from = kind === 'request' ? { requestId: subject } : { tableId: subject };
  const rowsId = kind === 'request' ? subject : run;
  await createPushes(env, teamId, from, rowsId, now, [insertChange]);
}

/** Returns the time of the notification of open sheets about the end of a data request; undefined if there was none in 30 days. */
export async function findRequestChange(
  db: D1Database,
  team: string,
  request: string,
): Promise<number | undefined> {
  const isChange = and(eq(changes.teamId, team), eq(changes.kind, 'request'), eq(changes.subject, request));
  const row = await drizzle(db).select({ at: changes.at }).from(changes).where(isChange).get();
  return row?.at;
}
