// How long lines of D1 are kept that no work clears by itself, as data; what is older goes once an hour.

import { type DeadLetterKind, requestKeptDays } from '../shared/requests-api.ts';
import type { Env } from './env.ts';
import { DAY_MS } from './gateway/ledger/periods.ts';
import type { WorkRooms } from './work.ts';

/** What the add-on did is told for so long. */
export const runKeptDays = 90;

const MINUTE_MS = 60_000;
/** Lines of each kind that one sweep deletes. */
const LINES = 1000;

/** What a dead letter can still be tried with; without it the letter is good for nothing. */
const tryable: Readonly<Record<DeadLetterKind, string>> = {
  hook: 'SELECT 1 FROM requests WHERE id = request_id AND due_at IS NOT NULL',
  relay: 'SELECT 1 FROM requests WHERE id = request_id AND relay_url IS NOT NULL',
  push: 'SELECT 1 FROM pushes WHERE id = request_id',
  alert: 'SELECT 1 FROM alert_messages WHERE id = request_id',
};
const isSpent = Object.entries(tryable)
  .map(([kind, subject]) => `(kind = '${kind}' AND NOT EXISTS (${subject}))`)
  .join(' OR ');

/** A request that nobody can act on: what became of an unclear one is still to be said, and a table may be made of it. */
const isHistory = `created_at < ?1 AND cleared_at IS NOT NULL AND phase <> 'unclear'
  AND NOT EXISTS (SELECT 1 FROM tables WHERE tables.request_id = requests.id)`;

/** Lines that are forgotten. */
interface Lifetime {
  table: string;
  /** The columns that tell its lines apart. */
  key: string;
  /** SQL: which lines are too old, `?1` being so many days ago in milliseconds since 1970. */
  old: string;
  days: number;
}

/** In this order: what belongs to a line goes before it. */
const lifetimes: readonly Lifetime[] = [
  { table: 'dead_letters', key: 'id', old: 'at < ?1', days: requestKeptDays },
  { table: 'dead_letters', key: 'id', old: `at < ?1 AND (${isSpent})`, days: 1 },
  {
    table: 'request_files',
    key: 'request_id, file_index',
    old: `request_id IN (SELECT id FROM requests WHERE ${isHistory})`,
    days: 400,
  },
  {
    table: 'requests',
    key: 'id',
    old: `${isHistory}
      AND NOT EXISTS (SELECT 1 FROM request_files WHERE request_id = requests.id)
      AND NOT EXISTS (SELECT 1 FROM request_hooks WHERE request_id = requests.id)
      AND NOT EXISTS (SELECT 1 FROM request_tickets WHERE request_id = requests.id)`,
    days: 400,
  },
  {
    table: 'webhook_secrets',
    key: 'team_id',
    old: 'team_id IN (SELECT id FROM teams WHERE deleted_at < ?1)',
    days: 60,
  },
  { table: 'runs', key: 'team_id, id', old: 'noted_at < ?1', days: runKeptDays },
  {
    table: 'usage_days',
    key: 'day, team_id, token_id, family, operation',
    old: `day < date(?1 / 1000, 'unixepoch')`,
    days: 1100,
  },
];

/** Forgets what is too old. @param now - milliseconds since 1970 */
export async function forgetOld(db: D1Database, now: number): Promise<void> {
  await db.batch(
    lifetimes.map(({ table, key, old, days }) =>
      db
        .prepare(
          `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${old} LIMIT ${LINES})`,
        )
        .bind(now - days * DAY_MS),
    ),
  );
}

/** Is this the sweep of the minute in which what is done once an hour is done? @param now - milliseconds since 1970 */
export const isHourly = (now: number): boolean => Math.floor(now / MINUTE_MS) % 60 === 0;

/** Once an hour, forgets what is too old. */
export async function sweepOld<E extends Env>({ env, edges }: WorkRooms<E>): Promise<void> {
  const now = edges.now();
  if (isHourly(now)) await forgetOld(env.DB, now);
}
