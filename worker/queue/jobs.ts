// The jobs of a deployment: leases, attempts, and the messages that wake them. A message is only a hint: a job is leased
// in D1 before it runs, and the minute cron finds jobs whose message was lost.
import {
  and,
  asc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { alias } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { splitIntoBatches } from '../../shared/lib/split-into-batches.ts';
import {
  type DeadLetterRow,
  deadLetters,
  type JobKey,
  type JobKind,
  type JobRow,
  jobs,
} from '../db/schema.ts';
import type { Env } from '../env.ts';
import { logError } from '../http/log.ts';

/** Parses a message of the queue. */
export const jobKeySchema = z.object({
  kind: z.enum(jobs.kind.enumValues),
  id: z.string().min(1).max(200),
});

/**
 * What follows an attempt. `at`: the time of the next one, milliseconds since 1970; null: it waits until somebody wakes it.
 * `attempts`: failed attempts in a row; default: none. `failed`: for a dead letter.
 */
export type NextAttempt =
  | 'done'
  | { at: number | null; attempts?: number }
  | { failed: Pick<DeadLetterRow, 'teamId' | 'code' | 'error'> };

export interface JobRunner {
  env: Pick<Env, 'DB' | 'JOBS'>;
  platform: { now: () => number };
}

/** A lease that no handler extends ends after this time: longer than a call of the provider or of Google with its delays. */
const LEASE_MS = 300_000;
/** Due jobs that one sweep enqueues. */
const MAX_DUE = 300;
/** Platform limit of `sendBatch`. */
const MAX_BATCH = 100;
/** The cron finds jobs that are due later. */
const MAX_DELAY_MS = 60_000;
/** Delay after an unexpected error; it doubles with each failed attempt. */
const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 900_000;
/** After more than three minutes of retries. */
const FAILING_ATTEMPTS = 5;

const older = alias(jobs, 'older');

const isJob = ({ kind, id }: JobKey): SQL | undefined => and(eq(jobs.kind, kind), eq(jobs.id, id));

/** Matches jobs that are due, without a lease, and the first with their concurrency key. */
const isRunnable = (orm: DrizzleD1Database, now: number): SQL | undefined =>
  and(
    lte(jobs.dueAt, now),
    lte(jobs.leaseUntil, now),
    or(
      isNull(jobs.concurrencyKey),
      notExists(
        orm
          .select({ id: older.id })
          .from(older)
          .where(
            and(
              eq(older.concurrencyKey, jobs.concurrencyKey),
              sql`(${older.createdAt}, ${older.id}) < (${jobs.createdAt}, ${jobs.id})`,
            ),
          ),
      ),
    ),
  );

/** Changes a job that exists: it is due at the new time, and runs again if it runs now. */
const replanned = {
  target: [jobs.kind, jobs.id],
  set: { dueAt: sql`excluded.due_at`, isWoken: true, attempts: 0 },
};

/** Separates the parts of an id of {@link toTeamJobId}. */
export const TEAM_SEPARATOR = '@';

/** Encodes the id of an object that is unique in its team as the id of a job. */
export const toTeamJobId = (team: string, id: string): string => `${id}${TEAM_SEPARATOR}${team}`;

/** Decodes an id of {@link toTeamJobId}. */
export function parseTeamJobId(jobId: string): { team: string; id: string } {
  const [id = '', ...team] = jobId.split(TEAM_SEPARATOR);
  return { team: team.join(TEAM_SEPARATOR), id };
}

/** Builds the statement that plans a job. @param isReplanned - whether an existing one gets the new time */
export function putJob(
  orm: DrizzleD1Database,
  job: JobKey & { dueAt: number | null; createdAt: number },
  isReplanned = true,
) {
  const insert = orm.insert(jobs).values(job);
  return isReplanned ? insert.onConflictDoUpdate(replanned) : insert.onConflictDoNothing();
}

/** Plans a job for now, or makes an existing one due. @param now - milliseconds since 1970 */
export async function planJobNow(db: D1Database, key: JobKey, now: number): Promise<void> {
  await putJob(drizzle(db), { ...key, dueAt: now, createdAt: now });
}

/** What jobs are planned from: expressions over the rows of a query. */
interface JobSource {
  id: SQLWrapper;
  concurrencyKey?: SQLWrapper;
  createdAt: SQLWrapper;
  dueAt: SQLWrapper;
  /** Table and condition. */
  from: SQL;
  /** Whether existing jobs get the new time; otherwise they stay unchanged. */
  isReplanned?: boolean;
}

/** Builds the statement that plans the jobs of a query. */
export function putJobsFrom(
  orm: DrizzleD1Database,
  kind: JobKind,
  { id, concurrencyKey = sql`NULL`, createdAt, dueAt, from, isReplanned = false }: JobSource,
) {
  const insert = orm
    .insert(jobs)
    .select(sql`SELECT ${kind}, ${id}, ${concurrencyKey}, ${createdAt}, ${dueAt}, 0, 0, 0 FROM ${from}`);
  return isReplanned ? insert.onConflictDoUpdate(replanned) : insert.onConflictDoNothing();
}

/**
 * Builds the statement that makes waiting jobs due. What runs now runs again afterwards.
 * @param ids - query of their ids
 * @param at - milliseconds since 1970
 */
export function resumeJobs(orm: DrizzleD1Database, kind: JobKind, ids: SQLWrapper, at: number) {
  return orm
    .update(jobs)
    .set({ dueAt: sql`coalesce(${jobs.dueAt}, ${at})`, isWoken: true, attempts: 0 })
    .where(and(eq(jobs.kind, kind), inArray(jobs.id, ids)));
}

/** Builds the statement that postpones jobs; what runs now loses its lease. @param ids - query of their ids */
export function postponeJobs(orm: DrizzleD1Database, kind: JobKind, ids: SQLWrapper, until: number) {
  return orm
    .update(jobs)
    .set({ dueAt: sql`max(${jobs.dueAt}, ${until})`, leaseUntil: 0 })
    .where(and(eq(jobs.kind, kind), inArray(jobs.id, ids)));
}

/** Builds the statement that deletes jobs: what runs now loses its lease. @param ids - default: all of the kind */
export function deleteJobs(orm: DrizzleD1Database, kind: JobKind, ids?: readonly string[]) {
  const isListed = ids === undefined ? undefined : inArray(jobs.id, [...ids]);
  return orm.delete(jobs).where(and(eq(jobs.kind, kind), isListed));
}

/** Builds an SQL condition: an object has a job. @param id - its id */
export const hasJob = (kind: JobKind, id: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${jobs} WHERE ${jobs.kind} = ${kind} AND ${jobs.id} = ${id})`;

/** Builds an SQL expression: the time of the next attempt of a job; NULL if there is none. */
export const selectDueAt = (kind: JobKind, id: SQLWrapper): SQL<number | null> =>
  sql<number | null>`(SELECT ${jobs.dueAt} FROM ${jobs} WHERE ${jobs.kind} = ${kind} AND ${jobs.id} = ${id})`;

/** Sends the messages of jobs. Never throws: the cron finds jobs whose message was not sent. */
export async function enqueue(
  { JOBS }: Pick<Env, 'JOBS'>,
  keys: readonly JobKey[],
  delayMs = 0,
): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil(delayMs / 1000));
  try {
    for (const batch of splitIntoBatches(keys, MAX_BATCH)) {
      await JOBS.sendBatch(batch.map(({ kind, id }) => ({ body: { kind, id }, delaySeconds })));
    }
  } catch (error) {
    logError('job_enqueue_failed', error, { messages: keys.length });
  }
}

/**
 * Makes existing jobs due at once and sends their messages. What runs now runs again afterwards.
 * @param now - milliseconds since 1970
 */
export async function wakeJobs(
  env: Pick<Env, 'DB' | 'JOBS'>,
  kind: JobKind,
  ids: readonly string[],
  now: number,
): Promise<void> {
  const woken = await drizzle(env.DB)
    .update(jobs)
    .set({ dueAt: sql`min(coalesce(${jobs.dueAt}, ${now}), ${now})`, isWoken: true })
    .where(and(eq(jobs.kind, kind), inArray(jobs.id, [...ids])))
    .returning({ kind: jobs.kind, id: jobs.id });
  await enqueue(env, woken);
}

/**
 * Enqueues due jobs, the longest overdue first.
 * @param isStart - the instance has just started: all leases are stale
 */
export async function sweepJobs({ env, platform }: JobRunner, isStart: boolean): Promise<void> {
  const orm = drizzle(env.DB);
  const now = platform.now();
  if (isStart) await orm.update(jobs).set({ leaseUntil: 0 }).where(gt(jobs.leaseUntil, now));
  const due = await orm
    .select({ kind: jobs.kind, id: jobs.id })
    .from(jobs)
    .where(isRunnable(orm, now))
    .orderBy(asc(jobs.dueAt))
    .limit(MAX_DUE);
  await enqueue(env, due);
}

/** @throws if a job fails again and again; a receiver of alerts may not answer, and a push waits for a person */
export async function requireNoFailingJobs(db: D1Database): Promise<void> {
  const isFailing = and(gte(jobs.attempts, FAILING_ATTEMPTS), ne(jobs.kind, 'alert'));
  const failing = await drizzle(db).select({ kind: jobs.kind }).from(jobs).where(isFailing).get();
  if (failing !== undefined) throw new Error(`A job of the kind ${failing.kind} fails.`);
}

/** A job that this process runs. */
export class LeasedJob {
  readonly kind: JobKind;
  readonly id: string;
  /** Failed attempts in a row before this one. */
  readonly attempts: number;
  readonly #orm: DrizzleD1Database;
  readonly #now: () => number;
  #until: number;

  constructor(orm: DrizzleD1Database, { kind, id, attempts, leaseUntil }: JobRow, now: () => number) {
    this.kind = kind;
    this.id = id;
    this.attempts = attempts;
    this.#orm = orm;
    this.#now = now;
    this.#until = leaseUntil;
  }

  /** End of the lease, milliseconds since 1970. */
  get leaseUntil(): number {
    return this.#until;
  }

  /** SQL condition: this process still has the lease. Statements of other tables use it too. */
  get isHeld(): SQL {
    const isOwn = and(isJob(this), eq(jobs.leaseUntil, this.#until));
    return sql`EXISTS (SELECT 1 FROM ${jobs} WHERE ${isOwn})`;
  }

  /** Extends the lease. @returns false if it is lost, or the job was deleted */
  async extend(ms = LEASE_MS): Promise<boolean> {
    const until = this.#now() + ms;
    const [row] = await this.#orm
      .update(jobs)
      .set({ leaseUntil: until })
      .where(and(isJob(this), eq(jobs.leaseUntil, this.#until)))
      .returning({ id: jobs.id });
    if (row !== undefined) this.#until = until;
    return row !== undefined;
  }

  /**
   * Ends the lease and stores what follows. A job that was woken meanwhile stays due.
   * @param letterId - id of the dead letter of a job that has failed
   * @returns the time of the next attempt; undefined if there is none
   */
  async finish(next: NextAttempt, letterId: string): Promise<number | undefined> {
    const isOwn = and(isJob(this), eq(jobs.leaseUntil, this.#until));
    const released = { leaseUntil: 0, attempts: 0 };
    if (next !== 'done' && 'at' in next) {
      const dueAt = sql`CASE WHEN ${jobs.isWoken} THEN ${jobs.dueAt} ELSE ${next.at} END`;
      const [row] = await this.#orm
        .update(jobs)
        .set({ ...released, attempts: next.attempts ?? 0, dueAt })
        .where(isOwn)
        .returning({ dueAt: jobs.dueAt });
      return row?.dueAt ?? undefined;
    }
    const release = this.#orm.update(jobs).set(released).where(isOwn).returning({ dueAt: jobs.dueAt });
    const remove = this.#orm.delete(jobs).where(and(isOwn, eq(jobs.isWoken, false)));
    if (next === 'done') {
      const [, [row]] = await this.#orm.batch([remove, release]);
      return row?.dueAt ?? undefined;
    }
    const { teamId, code, error } = next.failed;
    // The columns of `dead_letters`, in their order.
    const letter = this.#orm.insert(deadLetters).select(
      sql`SELECT ${letterId}, ${this.#now()}, ${jobs.kind}, ${teamId}, ${jobs.id}, '', ${code}, ${error}, NULL, NULL
        FROM ${jobs} WHERE ${isOwn}`,
    );
    const [, , [row]] = await this.#orm.batch([letter, remove, release]);
    return row?.dueAt ?? undefined;
  }
}

/**
 * Runs a job under a lease. Does nothing if the job is not due, does not exist, waits for an older one with its concurrency key,
 * or runs in another process. An unexpected error is logged, and the job is retried later.
 * @param leaseMs - length of the first lease
 * @throws if D1 is unavailable: the cron finds the job when its lease has expired
 */
export async function runJob(
  { env, platform }: JobRunner,
  key: JobKey,
  handle: (job: LeasedJob) => Promise<NextAttempt>,
  leaseMs = LEASE_MS,
): Promise<void> {
  const orm = drizzle(env.DB);
  const now = platform.now();
  const [row] = await orm
    .update(jobs)
    .set({ leaseUntil: now + leaseMs, isWoken: false })
    .where(and(isJob(key), isRunnable(orm, now)))
    .returning();
  if (row === undefined) return;
  const job = new LeasedJob(orm, row, platform.now);
  const dueAt = await job.finish(await attempt(job, handle, platform.now), crypto.randomUUID());
  const at = platform.now();
  if (dueAt !== undefined && dueAt <= at + MAX_DELAY_MS) await enqueue(env, [key], dueAt - at);
  if (row.concurrencyKey === null) return;
  const isNext = and(eq(jobs.concurrencyKey, row.concurrencyKey), isRunnable(orm, at));
  const following = await orm.select({ kind: jobs.kind, id: jobs.id }).from(jobs).where(isNext);
  await enqueue(
    env,
    following.filter(({ id }) => id !== key.id),
  );
}

async function attempt(
  job: LeasedJob,
  handle: (job: LeasedJob) => Promise<NextAttempt>,
  now: () => number,
): Promise<NextAttempt> {
  try {
    return await handle(job);
  } catch (error) {
    logError('job_failed', error, { kind: job.kind });
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** job.attempts);
    return { at: now() + wait, attempts: job.attempts + 1 };
  }
}
