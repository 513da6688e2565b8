// Retention of activity, and which data requests, pushes and alerts are still referenced.
import { eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { RetentionRule } from '../db/retention.ts';
import { alertMessages, pushes, runs, tables } from '../db/schema.ts';
import { activityKeptDays } from './saved/activity.ts';

export const retentionRules: readonly RetentionRule[] = [
  {
    table: runs,
    key: [runs.teamId, runs.id],
    isExpired: (before) => lt(runs.notedAt, before),
    days: activityKeptDays,
  },
];

/** Matches data requests that a registered table has its rows from. */
export const isTableSource = (requestId: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${tables} WHERE ${eq(tables.requestId, requestId)})`;

/** Matches ids of existing pushes. */
export const hasPush = (id: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${pushes} WHERE ${eq(pushes.id, id)})`;

/** Matches ids of existing alert messages. */
export const hasAlert = (id: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${alertMessages} WHERE ${eq(alertMessages.id, id)})`;
