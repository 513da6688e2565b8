// What follows when rows are ready: the change that open sheets ask for, and the pushes into closed ones.
import { drizzle } from 'drizzle-orm/d1';
import { changes } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { enqueue } from './job-queue.ts';
import { PUSH_DELAY_S, PushStore } from './push/store.ts';

/** Rows that became ready, or a data request that ended without any. */
export interface NewChange {
  teamId: string;
  kind: 'request' | 'table';
  /** Id of the request or the table. */
  subject: string;
  /** Of a table the id of its run; '' of a request. */
  run: string;
  /** Are there rows to be read? */
  hasRows: boolean;
}

/**
 * Notes that something became ready; to note it again changes nothing.
 * @param now - milliseconds since 1970
 */
export async function recordChange(env: Env, arrival: NewChange, now: number): Promise<void> {
  const { teamId, kind, subject, run, hasRows } = arrival;
  const orm = drizzle(env.DB);
  const noted = orm.insert(changes).values({ teamId, kind, subject, run, at: now }).onConflictDoNothing();
  if (!hasRows) {
    await noted;
    return;
  }
  const from = kind === 'request' ? { requestId: subject } : { tableId: subject };
  const rowsId = kind === 'request' ? subject : run;
  const [, made] = await orm.batch([noted, new PushStore(env.DB).insertStatement(teamId, from, rowsId, now)]);
  const messages = made.map(({ id }) => ({ kind: 'push', id }) as const);
  await enqueue(env, messages, PUSH_DELAY_S);
}
